// Limits the fixes of a record: some CVEs affect hundreds of packages in each of several distributions.
import type { Fix } from '../../model/resolved.ts'

const MAX_FIXES = 50

export interface LimitedFixes {
  readonly fixes: readonly Fix[]
  readonly omitted: number
}

/**
 * Keeps the order. A distribution's packages with the same version become one row. If there are still too many, the
 * products that the CVE is about come first, then one row per release of a distribution, one row per other product, and
 * the rest.
 */
export function limitFixes(all: readonly Fix[]): LimitedFixes {
  const fixes = joinPackages(all)
  if (fixes.length <= MAX_FIXES) return { fixes, omitted: all.length - fixes.length }
  const places = fixes.map((fix, at) => ({ at, place: placeFix(fix, fixes.slice(0, at)) }))
  const first = places.toSorted((a, b) => a.place - b.place || a.at - b.at).slice(0, MAX_FIXES)
  const kept = new Set(first.map(({ at }) => at))
  return { fixes: fixes.filter((_, at) => kept.has(at)), omitted: all.length - MAX_FIXES }
}

/** Rows of the same kind follow each other in turns: the first one of each product or release, then the second ones. */
function placeFix(fix: Fix, before: readonly Fix[]): number {
  if (fix.rank === 'own') return 0
  const group = nameGroup(fix)
  const place = before.filter((each) => each.rank === fix.rank && nameGroup(each) === group).length
  return place === 0 && isOfRelease(fix) ? 0 : 1 + place
}

function isOfRelease({ rank, vendor }: Fix): boolean {
  return rank === 'redistributed' && vendor.includes(':')
}

function nameGroup(fix: Fix): string {
  const { vendor, product, by } = fix
  return isOfRelease(fix) ? `${vendor} ${by}` : `${vendor} ${product}`
}

/** An advisory lists every package that is built from one source. Most names begin with that of the source. */
function joinPackages(fixes: readonly Fix[]): readonly Fix[] {
  const groups = Map.groupBy(fixes, (fix) => {
    const { vendor, version, by, time } = fix
    return isOfRelease(fix) ? [vendor, version, by, time].join(' ') : fix
  })
  return [...groups.values()].flatMap((group) => (group.length < 2 ? group : findSourcePackage(group)))
}

function findSourcePackage(group: readonly Fix[]): readonly Fix[] {
  const counted = group.map((fix) => ({
    fix,
    count: group.filter(({ product }) => product.startsWith(`${fix.product}-`)).length,
  }))
  const [most] = counted.toSorted((a, b) => b.count - a.count || a.fix.product.length - b.fix.product.length)
  return most === undefined ? [] : [most.fix]
}
