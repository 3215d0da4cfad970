// Products and packages as a source names them, in the shape that the page shows.
import type { DetailRecord } from 'vis-sdk'
import type { Fix } from './cpe-products.ts'
import { isCommit, normaliseName, type ProductVersions, type VersionRange } from './product-versions.ts'

type NamedProduct = DetailRecord['affected_products']['products'][number]
type NamedVersion = NamedProduct['versions'][number]

export function toNamedProducts(products: readonly NamedProduct[], fixes: readonly Fix[]): readonly ProductVersions[] {
  return products.map((named, index) => ({
    key: String(index),
    vendor: named.vendor,
    product: named.product,
    packageUrl: named.package_url ?? undefined,
    isVulnerable: true,
    isAffectedByDefault: named.affected_by_default,
    ranges: named.versions.map(toRange),
    fixes: fixes.filter((fix) => isSameProduct(fix, named)),
  }))
}

function isSameProduct(fix: Fix, named: NamedProduct): boolean {
  return (
    normaliseName(fix.vendor) === normaliseName(named.vendor) &&
    normaliseName(fix.product) === normaliseName(named.product)
  )
}

function toRange({ affected, version, less_than, less_than_or_equal, is_commit }: NamedVersion): VersionRange {
  const end = toEnd(less_than, less_than_or_equal)
  // Version 0 begins the range of all earlier versions in the CVE record format.
  const hasStart = version !== null && !(end && version === '0')
  return {
    kind: end ? 'range' : version === null ? 'any' : 'exact',
    ...(end && hasStart && { start: { version, isIncluded: true } }),
    ...(end && { end }),
    ...(!end && hasStart && { version }),
    isAffected: affected,
    limits: [],
    isInverted: false,
    isDerived: false,
    isUnmapped: false,
    isCommit: is_commit || (version !== null && isCommit(version)),
  }
}

function toEnd(lessThan: string | null, lessThanOrEqual: string | null) {
  if (lessThan !== null && lessThan !== '*') return { version: lessThan, isIncluded: false }
  return lessThanOrEqual === null || lessThanOrEqual === '*'
    ? undefined
    : { version: lessThanOrEqual, isIncluded: true }
}
