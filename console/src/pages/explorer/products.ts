// Names of a CVE's affected products, for one line of the list.
import { splitCpe } from '../../text/cpe-name.ts'
import { joinProductName } from '../../text/product-name.ts'
import type { Row } from './columns.ts'

/** CISA's placeholder where it does not name a product. */
const MULTIPLE_PRODUCTS = /^multiple products?$/i

/**
 * Lists the distinct vulnerable products as vendor and name. The product that CISA names in KEV comes first, in CISA's
 * spelling, because it is the one being attacked.
 */
export function listProducts({ cpe = [], kev }: Row): readonly string[] {
  const names = new Set(cpe.filter(({ vulnerable }) => vulnerable).map(({ criteria }) => toProductName(criteria)))
  const inKev = joinProductName(kev?.vendorProject ?? '', kev?.product ?? '').trim()
  if (inKev === '' || (names.size > 0 && MULTIPLE_PRODUCTS.test(kev?.product ?? ''))) return [...names]
  return [inKev, ...[...names].filter((name) => name !== inKev.toLowerCase())]
}

/** `cpe:2.3:a:apache:http_server:…` becomes "apache http server". The vendor is left out if the product repeats it. */
function toProductName(criteria: string): string {
  const { vendor, product } = splitCpe(criteria)
  return joinProductName(vendor.replaceAll('_', ' '), product.replaceAll('_', ' '))
}
