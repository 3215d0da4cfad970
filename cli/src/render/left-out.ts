// Sentences about what a list of CVEs leaves out, and about names that no CVE has.
import type { SearchedComponent, UnknownName } from 'vis-sdk'
import { COVERAGE_GAPS } from 'vis-sdk/vocabulary'
import { cleanLine } from './text.ts'

interface LeftOut {
  /** Number of hits below the minimum confidence. */
  readonly weaker_total: number
  readonly unordered_total: number
  readonly advisories_total?: number
  /** Number of matches that the service found but did not list. */
  readonly unlisted?: number
}

/**
 * Returns a phrase such as `12 hits of lower confidence, 3 CVEs whose versions cannot be compared`, or an empty string
 * if nothing was left out.
 */
export function formatLeftOut({ weaker_total, unordered_total, advisories_total = 0, unlisted = 0 }: LeftOut): string {
  const counts: readonly (readonly [number, string, string])[] = [
    [unlisted, 'less urgent match', 'less urgent matches'],
    [weaker_total, 'hit of lower confidence', 'hits of lower confidence'],
    [unordered_total, 'CVE whose versions cannot be compared', 'CVEs whose versions cannot be compared'],
    [advisories_total, 'advisory without a CVE', 'advisories without a CVE'],
  ]
  return counts
    .flatMap(([count, one, many]) => (count === 0 ? [] : [`${count} ${count === 1 ? one : many}`]))
    .join(', ')
}

/**
 * Describes what is known about the component in --cpe or --purl, so that an empty list is not mistaken for good news.
 */
export function describeSearched(component: SearchedComponent): string {
  const { vendor, product, version } = component.interpreted_as
  const name = [vendor, product, version].filter((each) => each !== null).join(' ')
  const leftOut = formatLeftOut(component)
  const sentences = [
    describeVerdict(component, name),
    ...describeGap(component),
    ...(leftOut === '' ? [] : [`Not in the list: ${leftOut}; see visctl match.`]),
  ]
  return sentences.map((each) => `${cleanLine(each)}\n`).join('')
}

function describeVerdict({ verdict, interpreted_as }: SearchedComponent, name: string): string {
  if (verdict === 'not_covered') return `${name}: not covered, which does not mean that it is not affected.`
  const remark = interpreted_as.version === null ? 'no version was given, so every CVE that names it matches; ' : ''
  return `${name}: ${remark}${verdict.replaceAll('_', ' ')}, before other filters.`
}

function describeGap({ verdict, coverage_gap, similar_products = [] }: SearchedComponent): readonly string[] {
  if (coverage_gap === null) return []
  const names = similar_products.map(({ vendor, product }) => `${vendor} ${product}`)
  const hint = names.length === 0 ? '' : ` Did you mean ${names.join(', ')}?`
  const start = verdict === 'not_covered' ? '' : 'Other CVEs may affect it too. '
  return [`${start}${COVERAGE_GAPS[coverage_gap]}${hint}`]
}

/** Describes a name in --product or --product-vendor that no CVE has. */
export function describeUnknownName({ parameter, value, suggestions }: UnknownName): string {
  const kind = parameter === 'product' ? 'product' : 'vendor'
  const names = suggestions.map(({ value: name, vendor }) => (vendor === undefined ? name : `${name} (${vendor})`))
  const hint = names.length === 0 ? '' : ` Did you mean ${names.join(', ')}?`
  return `${cleanLine(`No CVE names the ${kind} ${value}.${hint}`)}\n`
}
