// Conditions of a row: products that must be present beside the vulnerable one, such as the platform on which it runs.
import type { AffectedRow, Requirement } from './affected-row.ts'
import type { Component } from './component.ts'
import { meetsVersions } from './place-version.ts'

/** Finds components by vendor and product. */
export type Inventory = ReadonlyMap<string, readonly Component[]>

const toKey = (vendor: string | null, product: string) => `${vendor}\n${product}`

export function createInventory(components: readonly Component[]): Inventory {
  const products = components.filter(({ kind }) => kind === 'cpe')
  return Map.groupBy(products, ({ vendor, product }) => toKey(vendor, product))
}

/** Returns the lists of products of which none is in the inventory. */
export function listUnmet({ condition }: AffectedRow, inventory: Inventory): readonly (readonly Requirement[])[] {
  return (condition ?? []).filter((alternatives) => !alternatives.some((each) => isPresent(each, inventory)))
}

function isPresent(required: Requirement, inventory: Inventory): boolean {
  const named = inventory.get(toKey(required.vendor, required.product)) ?? []
  return named.some(({ version }) => meetsVersions(required, version))
}
