// Evaluates the conditions of a row: other products that must also be installed, such as the platform on which the
// vulnerable one runs.

import type { Component } from '../../domain/component/component.ts'
import type { Requirement, StoredRow } from '../../record/affected-row.ts'
import { meetsVersions } from '../versions/place-version.ts'

/** Components by vendor and product. */
export type Inventory = ReadonlyMap<string, readonly Component[]>

const toKey = (vendor: string | null, product: string) => `${vendor}\n${product}`

export function createInventory(components: readonly Component[]): Inventory {
  const products = components.filter(({ kind }) => kind === 'cpe')
  return Map.groupBy(products, ({ vendor, product }) => toKey(vendor, product))
}

type Unmet = readonly (readonly Requirement[])[]

/** A cache: all components of one machine share an inventory, and all versions of a product share its rows. */
const known = new WeakMap<Inventory, WeakMap<StoredRow, Unmet>>()
const NONE: Unmet = []

/** Returns the alternatives of each condition that no component in the inventory meets. */
export function listUnmet(row: StoredRow, inventory: Inventory): Unmet {
  if (row.condition === null) return NONE
  const rows = known.get(inventory) ?? new WeakMap<StoredRow, Unmet>()
  known.set(inventory, rows)
  const unmet = rows.get(row) ?? findUnmet(row.condition, inventory)
  rows.set(row, unmet)
  return unmet
}

function findUnmet(condition: Unmet, inventory: Inventory): Unmet {
  return condition.filter((alternatives) => !alternatives.some((each) => isPresent(each, inventory)))
}

function isPresent(required: Requirement, inventory: Inventory): boolean {
  const named = inventory.get(toKey(required.vendor, required.product)) ?? []
  return named.some(({ version }) => meetsVersions(required, version))
}
