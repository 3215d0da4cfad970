// The line with which the page "Am I affected?" is prefilled. Its version is left for the person to write.
import type { Cve } from 'vis-sdk'
import { splitCpe } from '../cpe-name.ts'
import { groupFixes } from './fix-groups.ts'

/** Returns the product or package of a CVE in the form of that page, or undefined if no source names one. */
export function toMatchText(cve: Pick<Cve, 'fixes' | 'fixes_omitted' | 'kev' | 'cpe'>): string | undefined {
  const fixed = groupFixes(cve).groups[0]?.fixes[0]
  if (fixed?.package_url) return `${fixed.package_url}@`
  const match = cve.cpe.find(({ vulnerable }) => vulnerable)
  if (match === undefined) return undefined
  const { vendor, product } = splitCpe(match.criteria)
  return /\s/.test(vendor + product) ? undefined : `${vendor} ${product} `
}
