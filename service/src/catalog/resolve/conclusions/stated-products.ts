// Tells which products the providers name, because a version of one product says nothing about
// another product of the same record.
import type { Claim, Provider } from '../../model/claim.ts'
import { parseCpeCached } from '../../sources/fields/parse-cpe.ts'
import { listMatches } from '../../sources/fields/read-configurations.ts'
import { toNameKey } from '../products/product-name-keys.ts'

/** Keys of the names of affected products (`toNameKey`). */
export type ProductsByProvider = ReadonlyMap<Provider, ReadonlySet<string>>

export function collectProducts(claims: readonly Claim[]): ProductsByProvider {
  const byProvider = new Map<Provider, Set<string>>()
  const add = (by: Provider, product: string) =>
    byProvider.set(by, (byProvider.get(by) ?? new Set()).add(toNameKey(product)))
  for (const { configurations, configurationsBy, affected } of claims) {
    for (const { vulnerable, criteria } of listMatches(configurations))
      if (vulnerable) add(configurationsBy, readProduct(criteria))
    for (const { by, product } of affected) add(by, product)
  }
  return byProvider
}

export function readProduct(criteria: string): string {
  return parseCpeCached(criteria)?.product ?? ''
}
