// Names of the affected products of a CVE, for one line of the list.
import { splitCpe } from '../../text/cpe-name.ts'
import { joinProductName } from '../../text/product-name.ts'
import type { Row } from './columns.ts'

/** Lists the distinct vulnerable products as vendor and name. CISA's name is used if no source gives a CPE. */
export function listProducts({ cpe = [], kev }: Row): readonly string[] {
  const names = cpe.filter(({ vulnerable }) => vulnerable).map(({ criteria }) => toProductName(criteria))
  if (names.length > 0) return [...new Set(names)]
  const name = joinProductName(kev?.vendorProject ?? '', kev?.product ?? '').trim()
  return name === '' ? [] : [name]
}

/** `cpe:2.3:a:apache:http_server:…` becomes "apache http server". The vendor is left out if the product repeats it. */
function toProductName(criteria: string): string {
  const { vendor, product } = splitCpe(criteria)
  return joinProductName(vendor.replaceAll('_', ' '), product.replaceAll('_', ' '))
}
