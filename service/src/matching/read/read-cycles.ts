// Reads the release cycles of the products that components are.
import { sql } from 'kysely'
import type { Database } from '../../database/postgres.ts'
import type { Component } from '../../domain/component/component.ts'
import { findDistribution, type ReleaseCycle, toNameKey } from '../../domain/component/release-cycle.ts'

export interface SupportedProduct {
  readonly label: string
  readonly cycles: readonly ReleaseCycle[]
  readonly isDistribution: boolean
}

type FindProduct = (component: Component) => SupportedProduct | undefined

/** A name that several products have leads to none of them, and neither does a guessed name. */
export async function readCycles(db: Database, components: readonly Component[]): Promise<FindProduct> {
  const distributions = components.flatMap(({ vendor }) => findDistribution(vendor) ?? [])
  const names = components.flatMap((each) => toKey(each) ?? [])
  if (distributions.length + names.length === 0) return () => undefined
  const { rows } = await sql<{ product: string; label: string; names: readonly string[]; cycles: string }>`
    select product, label, names, cycles
      from catalog.end_of_life
     where product = any (${[...new Set(distributions)]}::text[])
        or names && ${[...new Set(names)]}::text[]
  `.execute(db)
  const products = rows.map((row) => ({ ...row, cycles: JSON.parse(row.cycles) as readonly ReleaseCycle[] }))
  return (component) => {
    const distribution = findDistribution(component.vendor)
    const key = toKey(component)
    const found = products.filter((each) =>
      distribution === undefined ? key !== undefined && each.names.includes(key) : each.product === distribution,
    )
    const [product] = found
    return product === undefined || found.length > 1
      ? undefined
      : { label: product.label, cycles: product.cycles, isDistribution: distribution !== undefined }
  }
}

function toKey({ kind, vendor, product, isGuessed, thirdParty }: Component): string | undefined {
  if (vendor === null || isGuessed || thirdParty !== undefined || findDistribution(vendor)) return undefined
  return toNameKey(kind, vendor, product)
}
