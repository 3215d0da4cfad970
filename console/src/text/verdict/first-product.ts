// The product that a CVE is about, in a few words: the one in KEV, or else the first of its CPE names.
import type { Cve } from 'vis-sdk'
import { splitCpe } from '../cpe-name.ts'
import { toDisplayName } from '../display-name.ts'
import { joinProductName } from '../product-name.ts'

interface Named {
  readonly kev?: Pick<NonNullable<Cve['kev']>, 'vendorProject' | 'product'> | null | undefined
  readonly cpe?: readonly Pick<Cve['cpe'][number], 'criteria' | 'vulnerable'>[] | undefined
}

/** Returns undefined if no source names one. */
export function nameFirstProduct({ kev, cpe = [] }: Named): string | undefined {
  if (kev) return joinProductName(kev.vendorProject ?? '', kev.product ?? '')
  const first = cpe.find(({ vulnerable }) => vulnerable)
  if (!first) return undefined
  const { vendor, product } = splitCpe(first.criteria)
  return joinProductName(toDisplayName(vendor), toDisplayName(product))
}
