import { SCHEMES, type SchemeName } from './schemes.ts'

/** A range without `low` or `high` is open at that end. */
export interface VersionRange {
  readonly low?: string | undefined
  readonly lowIncluded?: boolean
  readonly high?: string | undefined
  readonly highIncluded?: boolean
}

export interface VersionList {
  readonly versions: readonly string[]
}

/** `unknown`: the scheme cannot order the version and a range end that would decide. */
export type Position = 'inside' | 'outside' | 'unknown'

export function isInside(range: VersionRange | VersionList, version: string, scheme: SchemeName): Position {
  if ('versions' in range) return isInList(range.versions, version, scheme)
  const { low, lowIncluded = false, high, highIncluded = false } = range
  const ends = [
    low === undefined ? true : isOnSide(compareWith(scheme, version, low), lowIncluded),
    high === undefined ? true : isOnSide(compareWith(scheme, high, version), highIncluded),
  ]
  if (ends.includes(false)) return 'outside'
  return ends.includes(undefined) ? 'unknown' : 'inside'
}

function isInList(versions: readonly string[], version: string, scheme: SchemeName): Position {
  const orders = versions.map((each) => compareWith(scheme, version, each))
  if (orders.includes(0)) return 'inside'
  return orders.includes(undefined) ? 'unknown' : 'outside'
}

/** Equal texts are equal versions even if the scheme cannot read them. */
function compareWith(scheme: SchemeName, a: string, b: string): number | undefined {
  return a === b ? 0 : SCHEMES[scheme].compare(a, b)
}

function isOnSide(order: number | undefined, isIncluded: boolean): boolean | undefined {
  if (order === undefined) return undefined
  return order > 0 || (isIncluded && order === 0)
}
