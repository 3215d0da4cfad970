// Lists the names that KEV and EU KEV give the product of a CVE.
import { toCpeSpelling, toVendorSpelling } from '../../domain/cpe/cpe-value.ts'
import type { SourceData } from '../model/source-data.ts'
import { toStorableText } from '../model/storable-text.ts'
import { CISA_KEV } from './kev.ts'

export const EU_KEV = 'eu-kev'

export interface KevName {
  readonly by: typeof CISA_KEV | typeof EU_KEV
  readonly vendor: string
  readonly product: string
}

/** A remark in parentheses, such as the `(EPMM)` of `Endpoint Manager Mobile (EPMM)`. */
const REMARK = /\([^()]*\)/g

/** Each product is listed as the catalog writes it and, if it has a remark in parentheses, also without the remark. */
export function listKevNames({ kev, euKev }: Pick<SourceData, 'kev' | 'euKev'>): readonly KevName[] {
  return [
    ...(kev?.removedAt === null ? toNames(CISA_KEV, kev) : []),
    ...(euKev?.removedAt === null ? toNames(EU_KEV, euKev) : []),
  ]
}

function toNames(
  by: KevName['by'],
  { vendorProject, product }: { readonly vendorProject: string; readonly product: string },
): readonly KevName[] {
  const vendor = toVendorSpelling(toStorableText(vendorProject))
  const text = toStorableText(product)
  const products = new Set([text, text.replaceAll(REMARK, '')].map(toCpeSpelling))
  return [...products].filter((each) => each !== '').map((each) => ({ by, vendor, product: each }))
}
