// Finds contradictions between ADP containers and the CNA. For about 250 CVEs, CISA-ADP writes `lessThan 2.4` although
// the CNA calls 2.4 affected. For about 50 CVEs, it lists versions as affected that the CNA lists as unaffected.
import type { Affected, AffectedRange, Claim, Provider } from '../../model/claim.ts'
import type { AffectedVersion, Conclusion } from '../../model/conclusion.ts'
import { listMatches } from '../../sources/fields/read-configurations.ts'
import { isAdp } from '../../sources/provider.ts'
import { listLastOfMatch, listLastOfProduct, toVersionKey } from '../fixes/affected-ends.ts'
import { listFixedInTexts } from '../fixes/fixed-in-texts.ts'
import { toNameKey } from '../products/product-name-keys.ts'
import { findContradicted } from './adp-unaffected.ts'
import { collectProducts, type ProductsByProvider, readProduct } from './stated-products.ts'

/** Keys of the versions that the CNA and NVD state: each version alone, and each version with its product. */
interface StatedVersions {
  readonly affected: ReadonlyMap<string, readonly Provider[]>
  readonly fixed: ReadonlySet<string>
  /** Products that each provider names. */
  readonly products: ProductsByProvider
  /**
   * Versions that a description or a solution calls fixed: these texts agree with the ADP rather than with the CNA's
   * data.
   */
  readonly fixedInProse: ReadonlySet<string>
}

export function concludeAgainstAdp(claims: readonly Claim[]): readonly Conclusion[] {
  const products = listAdpProducts(claims)
  if (products.length === 0) return []
  const own = claims.filter(({ source }) => source === 'cve' || source === 'nvd')
  return [
    ...findContradicted(
      products,
      own.flatMap(({ affected }) => affected),
    ),
    ...findAffectedEnds(products, own),
  ]
}

/** NVD repeats the containers of the CVE List. */
function listAdpProducts(claims: readonly Claim[]): readonly Affected[] {
  const products = claims.flatMap(({ affected }) => affected.filter(({ by }) => isAdp(by)))
  return products.length < 2 ? products : [...new Map(products.map((each) => [JSON.stringify(each), each])).values()]
}

/**
 * The CNA or NVD must name the end as the last affected version. If they also name it as the fixed version of another
 * product, the conclusion is about the affected product only.
 */
function findAffectedEnds(products: readonly Affected[], own: readonly Claim[]): readonly AffectedVersion[] {
  const exclusive = products.filter(hasExcludedEnd)
  if (exclusive.length === 0) return []
  const stated = {
    affected: collectAffected(own),
    fixed: new Set(own.flatMap(listFixed)),
    products: collectProducts(own.map(withoutAdp)),
    fixedInProse: new Set(own.flatMap(listFixedInTexts).map((version) => toKey(version))),
  }
  return exclusive.flatMap((product) => {
    const ends = new Set(product.ranges.flatMap(readExcludedEnd))
    return [...ends].flatMap((end) => {
      const listedBy = findProviders(product.product, end, stated)
      if (listedBy.length === 0) return []
      const version = toVersionKey(end)
      return { kind: 'affected', version, against: [product.by], listedBy, describedBy: [], products: [product] }
    })
  })
}

function hasExcludedEnd({ ranges }: Affected): boolean {
  return ranges.some((each) => readExcludedEnd(each).length > 0)
}

/** Ignores `*` and words, which name no version. */
function readExcludedEnd({ isAffected, lessThan }: AffectedRange): readonly string[] {
  return isAffected && lessThan !== null && /\d/.test(lessThan) ? [lessThan] : []
}

/**
 * Returns the providers that list the end as affected, or none if it may be fixed. A version of another product counts
 * only if the provider does not name this product: it may use another name for it.
 */
function findProviders(
  product: string,
  end: string,
  { affected, fixed, products, fixedInProse }: StatedVersions,
): readonly Provider[] {
  if (fixedInProse.has(toKey(end))) return []
  const listedBy = affected.get(toKey(end, product))
  if (listedBy !== undefined) return fixed.has(toKey(end, product)) ? [] : listedBy
  if (fixed.has(toKey(end))) return []
  return (affected.get(toKey(end)) ?? []).filter((by) => !products.get(by)?.has(toNameKey(product)))
}

function collectAffected(own: readonly Claim[]): ReadonlyMap<string, readonly Provider[]> {
  const byKey = new Map<string, Set<Provider>>()
  for (const { keys, by } of own.flatMap(listAffected))
    for (const key of keys) byKey.set(key, (byKey.get(key) ?? new Set()).add(by))
  return new Map([...byKey].map(([key, providers]) => [key, [...providers]]))
}

function listAffected({ configurations, configurationsBy, affected }: Claim) {
  return [
    ...listMatches(configurations).map((each) => ({
      keys: toKeys(readProduct(each.criteria), listLastOfMatch(each)),
      by: configurationsBy,
    })),
    ...affected
      .filter(({ by }) => !isAdp(by))
      .map((each) => ({ keys: toKeys(each.product, listLastOfProduct(each)), by: each.by })),
  ]
}

function withoutAdp(claim: Claim): Claim {
  return { ...claim, affected: claim.affected.filter(({ by }) => !isAdp(by)) }
}

function listFixed({ affected }: Claim): readonly string[] {
  return affected.filter(({ by }) => !isAdp(by)).flatMap((each) => toKeys(each.product, each.ranges.flatMap(readFixed)))
}

function readFixed({ isAffected, version, lessThan }: AffectedRange): readonly string[] {
  const fixed = isAffected ? lessThan : version
  return fixed === null ? [] : [fixed]
}

/** Returns two keys for each version: one for the version alone, and one for the version with the product. */
function toKeys(product: string, versions: readonly string[]): readonly string[] {
  return versions.flatMap((version) => [toKey(version), toKey(version, product)])
}

function toKey(version: string, product = ''): string {
  return `${toNameKey(product)} ${toVersionKey(version)}`
}
