// Source precedence for each type of value, highest first. A source that is not in a table is ignored, except that an
// unlisted provider of CVSS scores comes last.
import { CSAF_COORDINATORS, CSAF_VENDORS, isCsafVendor } from '../../domain/source/csaf-sources.ts'
import { DESCRIBING_SOURCES } from '../../domain/source/source.ts'
import type { Claim, ClaimSource, Provider, Rating } from '../model/claim.ts'
import type { Attributed, Chosen } from '../model/resolved.ts'
import type { RecordSource } from '../model/source-data.ts'
import { isSupplier } from '../sources/provider.ts'

/** Decision C3 orders ratings by CVSS version first, then by provider. */
export const SCORE_BY_VERSION = ['3.1', '3.0', '4.0', '2.0'] as const satisfies readonly Rating['version'][]
/** Types of providers: `cna:apache` counts as `cna`. */
const SCORE_BY_PROVIDER: readonly string[] = [
  'nvd',
  'cna',
  'cisa-adp',
  'redhat',
  'ghsa',
  'msrc',
  ...CSAF_VENDORS,
  'adp',
  ...CSAF_COORDINATORS,
]

/** Sources after the CVE List are used for a CVE without a record there and in NVD (decision E32). */
export const DESCRIPTION: readonly ClaimSource[] = DESCRIBING_SOURCES
/** The CVE List rejects CVEs, and NVD repeats the reason. */
export const REJECTION: readonly ClaimSource[] = [
  'cve',
  'nvd',
  ...DESCRIBING_SOURCES.filter((source) => source !== 'cve' && source !== 'nvd'),
]

/**
 * For a CVE without a record in NVD and the CVE List, the earliest date of any source counts instead (decision E32). For
 * others, KEV's date of addition is no publication date (decision D18).
 */
export const PUBLISHED: readonly ClaimSource[] = ['nvd', 'cve', 'ghsa', 'msrc', 'redhat', ...CSAF_VENDORS]

/** A coordinator repeats what vendors say, so it comes after all that speak for themselves. */
const ADVISORIES: readonly ClaimSource[] = ['ghsa', 'redhat', 'msrc', ...CSAF_VENDORS, 'osv', ...CSAF_COORDINATORS]

export const REFERENCES: readonly ClaimSource[] = ['nvd', 'cve', ...ADVISORIES, 'overrides', 'kev']
export const FIX: readonly ClaimSource[] = ['nvd', 'cve', 'overrides', ...ADVISORIES]
/** The CVE List comes before NVD, which repeats its products. */
export const AFFECTED: readonly ClaimSource[] = ['cve', 'nvd', ...ADVISORIES]

/**
 * `cpes`: CPE names given with a product. `product-names`: CPE names that the service derives from the vendor and
 * product.
 */
export const CPE: readonly {
  readonly source: RecordSource
  readonly form: 'configurations' | 'cpes' | 'product-names'
}[] = [
  { source: 'nvd', form: 'configurations' },
  { source: 'overrides', form: 'configurations' },
  { source: 'cve', form: 'configurations' },
  { source: 'cve', form: 'cpes' },
  { source: 'nvd', form: 'cpes' },
  { source: 'cve', form: 'product-names' },
  { source: 'nvd', form: 'product-names' },
  { source: 'redhat', form: 'cpes' },
  { source: 'ghsa', form: 'cpes' },
  { source: 'msrc', form: 'cpes' },
]

/** Several claims from one source keep their order, which is newest first. */
export function orderClaims(claims: readonly Claim[], table: readonly ClaimSource[]): readonly Claim[] {
  const known = claims.filter(({ source }) => table.includes(source))
  return known.length < 2 ? known : known.sort((a, b) => table.indexOf(a.source) - table.indexOf(b.source))
}

export function choose<T>(candidates: readonly Attributed<T>[]): Chosen<T> | null {
  const [first, ...runnersUp] = candidates
  return first === undefined ? null : { ...first, runnersUp }
}

/** Unlisted types of providers come last. */
export function rankProvider(provider: Provider): number {
  const colon = provider.indexOf(':')
  const kind = colon < 0 ? provider : provider.slice(0, colon)
  const index = SCORE_BY_PROVIDER.indexOf(kind)
  return index < 0 ? SCORE_BY_PROVIDER.length : index
}

/**
 * Ranks providers of affected products and fixes: a supplier knows its own products and ranks like the CNA (decision
 * E25).
 */
export function rankProductProvider(provider: Provider): number {
  return rankProvider(isSupplier(provider) || isCsafVendor(provider) ? 'cna' : provider)
}

export function compareText(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
