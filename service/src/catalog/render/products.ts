// Lists the names of a CVE's products: those whose words a text search finds, and those in the index of names that
// filters, facets and suggestions use (decision E37).
import { toCpeSpelling, toVendorSpelling, unescapeCpeValue } from '../../domain/cpe/cpe-value.ts'
import { findPackageType } from '../../domain/purl/package-types.ts'
import type { Affected } from '../model/claim.ts'
import type { Resolved } from '../model/resolved.ts'
import type { SourceData } from '../model/source-data.ts'
import { toStorableText } from '../model/storable-text.ts'
import { compareText } from '../resolve/precedence.ts'
import { parseCpeCached } from '../sources/fields/parse-cpe.ts'
import { listKevNames } from '../sources/kev-names.ts'

/** Written as in CPE names: lower case, with underscores instead of spaces. */
export interface NamedProduct {
  readonly vendor: string
  readonly product: string
}

/** NVD's longest name is shorter than 150 characters. */
const MAX_LENGTH = 256

/**
 * Lists the products of the served CPE matches, without the platforms on which they must run. A CVE without CPE matches
 * has the products that its sources name. Sorted, without duplicates.
 */
export function listProducts({ cpe, affected }: Pick<Resolved, 'cpe' | 'affected'>): readonly NamedProduct[] {
  const criteria = new Set(cpe.matches.filter(({ vulnerable }) => vulnerable).map((match) => match.criteria))
  const matched = [...criteria].flatMap((each) => readCriteria(each) ?? [])
  return listDistinct(matched.length > 0 ? matched : affected.flatMap((each) => readAffected(each) ?? []))
}

/**
 * Adds the names that CNAs, package databases and KEV catalogs use for the products. A name in this index is not a claim
 * about versions: matching does not read it.
 */
export function listIndexedNames(
  products: readonly NamedProduct[],
  { affected }: Pick<Resolved, 'affected'>,
  catalogs: Pick<SourceData, 'kev' | 'euKev'>,
): readonly NamedProduct[] {
  const stated = affected.filter((each) => !isOfDistribution(each)).flatMap((each) => readAffected(each) ?? [])
  const exploited = listKevNames(catalogs).flatMap(({ vendor, product }) => toNamedProduct(vendor, product) ?? [])
  return stated.length + exploited.length === 0 ? products : listDistinct([...products, ...stated, ...exploited])
}

/** A distribution's packages are left out: a common library has dozens, named after the distribution's release. */
function isOfDistribution({ packageUrl }: Affected): boolean {
  if (packageUrl === null) return false
  const type = /^pkg:([^/]+)\//.exec(packageUrl)?.[1]
  return type !== undefined && findPackageType(type)?.isOfDistribution === true
}

function readCriteria(criteria: string): NamedProduct | undefined {
  const name = parseCpeCached(criteria)
  return name && toNamedProduct(unescapeCpeValue(name.vendor), unescapeCpeValue(name.product))
}

/** Some names from CNAs contain letters that are not allowed in a CPE name. */
function readAffected({ vendor, product }: Affected): NamedProduct | undefined {
  return toNamedProduct(toVendorSpelling(toStorableText(vendor)), toCpeSpelling(toStorableText(product)))
}

const PLACEHOLDERS: ReadonlySet<string> = new Set(['', 'n/a', 'na', 'none', 'unknown', 'unspecified', 'not_specified'])

function toNamedProduct(vendor = '', product = ''): NamedProduct | undefined {
  if (PLACEHOLDERS.has(vendor) || PLACEHOLDERS.has(product)) return undefined
  return vendor.length > MAX_LENGTH || product.length > MAX_LENGTH ? undefined : { vendor, product }
}

function listDistinct(products: readonly NamedProduct[]): readonly NamedProduct[] {
  const distinct = new Map(products.map((each) => [`${each.vendor}\n${each.product}`, each]))
  return [...distinct].sort(([a], [b]) => compareText(a, b)).map(([, product]) => product)
}
