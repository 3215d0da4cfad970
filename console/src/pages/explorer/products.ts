// Names of a CVE's affected products, for one line of the list.
import { splitCpe } from '../../text/cpe-name.ts'
import { toDisplayName } from '../../text/display-name.ts'
import { joinProductName } from '../../text/product-name.ts'
import type { Row } from './row.ts'

/** CISA's placeholder where it does not name a product. */
const MULTIPLE_PRODUCTS = /^multiple products?$/i

export interface ProductName {
  readonly vendor: string
  readonly product: string
}

/** Lists the distinct vulnerable products, each in one text. */
export function listProducts(row: Row): readonly string[] {
  return listProductNames(row).map(({ vendor, product }) => joinProductName(vendor, product))
}

/**
 * Lists the distinct vulnerable products as vendor and name. The product that CISA names in KEV comes first, in CISA's
 * spelling, because it is the one being attacked.
 */
export function listProductNames(row: Row): readonly ProductName[] {
  const { cpe = [], kev } = row
  const spellings = collectSpellings(row)
  const named = cpe.filter(({ vulnerable }) => vulnerable).map(({ criteria }) => toProductName(criteria, spellings))
  const inKev = { vendor: kev?.vendorProject ?? '', product: kev?.product ?? '' }
  const isNamedInKev = inKev.product !== '' && !(named.length > 0 && MULTIPLE_PRODUCTS.test(inKev.product))
  const all = isNamedInKev ? [inKev, ...named] : named
  const byKey = Map.groupBy(all, toKey)
  return [...byKey.values()].flatMap(([first]) => first ?? [])
}

/** The names in other spellings than CPE's: those of KEV and of the fixed versions. */
function collectSpellings({ kev, fixes = [] }: Row): ReadonlyMap<string, string> {
  const names = [...fixes.flatMap(({ vendor, product }) => [vendor, product]), kev?.vendorProject, kev?.product]
  return new Map(
    names.filter((name) => name !== undefined && /\p{Lu}/u.test(name)).map((name) => [fold(name ?? ''), name ?? '']),
  )
}

/** `cpe:2.3:a:apache:http_server:…` becomes the vendor "Apache" and the product "HTTP Server". */
function toProductName(criteria: string, spellings: ReadonlyMap<string, string>): ProductName {
  const { vendor, product } = splitCpe(criteria)
  const spell = (name: string) => spellings.get(fold(name)) ?? toDisplayName(name)
  return { vendor: spell(vendor), product: spell(product) }
}

const toKey = ({ vendor, product }: ProductName) => fold(joinProductName(vendor, product))

/** Letters and digits only, because sources separate words differently. */
function fold(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
}
