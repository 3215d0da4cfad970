// Hits that the caller has already assessed and does not want to see again.

import { type Component, readComponent } from '../domain/component/component.ts'
import type { Purl } from '../domain/purl/parse-purl.ts'

export interface Suppression {
  /** A CVE or advisory id in any letter case. */
  readonly id: string
  /** Limits the entry to a package, and to a version if the purl has one. */
  readonly purl?: Purl | undefined
  readonly reason: string
  /** An OpenVEX document says that the product contains the fix, instead of that it is not affected. */
  readonly isFixed?: true
  /** The last day on which the entry applies. */
  readonly until?: Date | undefined
}

/** Finds the entry that suppresses a hit. Expired entries are ignored. */
export function createSuppressions(
  entries: readonly Suppression[],
  now: Date,
): (id: string, component: Component) => Suppression | undefined {
  const current = entries.filter(({ until }) => until === undefined || now < endOfDay(until))
  const byId = Map.groupBy(current, ({ id }) => id.toUpperCase())
  return (id, component) => byId.get(id.toUpperCase())?.find(({ purl }) => !purl || isSamePackage(purl, component))
}

const DAY_MS = 24 * 60 * 60 * 1000
const endOfDay = (day: Date) => new Date(day.getTime() + DAY_MS)

function isSamePackage(purl: Purl, component: Component): boolean {
  const named = readComponent({ purl })
  if (component.kind !== 'purl' || component.vendor !== named.vendor || component.product !== named.product)
    return false
  return named.version === null || named.version.text === component.version?.text
}
