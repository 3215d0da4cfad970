// Lists the vulnerable products of a CVE, for the filters `product_vendor` and `product` and for text search.
import { unescapeCpeValue } from '../../domain/cpe/cpe-value.ts'
import type { Affected } from '../model/claim.ts'
import type { Resolved } from '../model/resolved.ts'
import { toStorableText } from '../model/storable-text.ts'
import { compareText } from '../resolve/precedence.ts'
import { parseCpeCached } from '../sources/fields/parse-cpe.ts'

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

function readCriteria(criteria: string): NamedProduct | undefined {
  const name = parseCpeCached(criteria)
  return name && toNamedProduct(unescapeCpeValue(name.vendor), unescapeCpeValue(name.product))
}

/** Some names from CNAs contain letters that are not allowed in a CPE name. */
function readAffected({ vendor, product }: Affected): NamedProduct | undefined {
  const [vendorName, productName] = [vendor, product].map((text) =>
    toStorableText(text).trim().toLowerCase().replaceAll(/\s+/g, '_'),
  )
  return toNamedProduct(vendorName, productName)
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
