// Products and packages as a source names them, in the form that the page shows.
import type { DetailRecord } from 'vis-sdk'
import type { Fix } from './cpe-products.ts'
import { isCommit, normaliseName, type ProductVersions, type VersionRange } from './product-versions.ts'

type NamedProduct = DetailRecord['affected_products']['products'][number]
type NamedVersion = NamedProduct['versions'][number]

/**
 * Merges entries for the same product, because some sources publish one entry per range. Omits unaffected products and
 * those whose status is unknown.
 */
export function toNamedProducts(products: readonly NamedProduct[], fixes: readonly Fix[]): readonly ProductVersions[] {
  const affected = products.filter((each) => each.affected !== false && !each.status_unknown)
  const groups = Map.groupBy(affected, ({ vendor, product, package_url, affected_by_default }) =>
    [normaliseName(vendor), normaliseName(product), package_url, affected_by_default].join(' | '),
  )
  return [...groups].flatMap(([key, entries]) => {
    const [named] = entries
    if (named === undefined) return []
    return {
      key,
      vendor: named.vendor,
      product: named.product,
      packageUrl: named.package_url ?? undefined,
      isVulnerable: true,
      isAffectedByDefault: named.affected_by_default,
      ranges: dropDuplicates(entries.flatMap(({ versions }) => versions.map(toRange))),
      fixes: fixes.filter((fix) => isSameProduct(fix, named)),
    }
  })
}

function dropDuplicates(ranges: readonly VersionRange[]): readonly VersionRange[] {
  return [...new Map(ranges.map((range) => [JSON.stringify(range), range])).values()]
}

function isSameProduct(fix: Fix, named: NamedProduct): boolean {
  return (
    normaliseName(fix.vendor) === normaliseName(named.vendor) &&
    normaliseName(fix.product) === normaliseName(named.product)
  )
}

/** Texts that sources write instead of a version. */
const ANY_VERSION: readonly string[] = ['*', 'all', 'all versions', 'any']
const NO_VERSION: readonly string[] = ['-', 'n/a', 'unknown', 'unspecified', 'not specified']

function toRange(named: NamedVersion): VersionRange {
  const { affected, version, less_than, less_than_or_equal, is_commit, unknown_end: words } = named
  const end = toEnd(less_than, less_than_or_equal)
  // In the CVE record format, `*` means a range without an end, and version 0 a range without a start.
  const hasOpenEnd = end === undefined && (less_than === '*' || less_than_or_equal === '*')
  const isStart = version !== null && version !== '0' && findKind(version) === 'exact'
  const isInWords = words !== undefined
  const isRange = end !== undefined || ((hasOpenEnd || isInWords) && isStart)
  const kind = isRange ? 'range' : isInWords ? 'words' : hasOpenEnd ? 'any' : findKind(version)
  return {
    kind,
    ...(isRange && isStart && { start: { version, isIncluded: true } }),
    ...(end && { end }),
    ...(kind === 'exact' && version !== null && { version }),
    isAffected: affected,
    limits: [],
    isInverted: false,
    isDerived: false,
    isUnmapped: false,
    isByCommits: false,
    isCommit: is_commit || (version !== null && isCommit(version)),
    isInWords,
    ...(isInWords && { words }),
  }
}

function findKind(version: string | null): 'any' | 'unstated' | 'exact' {
  if (version === null || ANY_VERSION.includes(version.toLowerCase())) return 'any'
  return NO_VERSION.includes(version.toLowerCase()) ? 'unstated' : 'exact'
}

function toEnd(lessThan: string | null, lessThanOrEqual: string | null) {
  if (lessThan !== null && lessThan !== '*') return { version: lessThan, isIncluded: false }
  return lessThanOrEqual === null || lessThanOrEqual === '*'
    ? undefined
    : { version: lessThanOrEqual, isIncluded: true }
}
