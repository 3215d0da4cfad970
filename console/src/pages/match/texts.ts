// Sentences about the result of a check.
import type { MatchedComponent } from 'vis-sdk'
import { capitalise, formatNumber } from '../../text/format.ts'
import { describeSource } from '../../text/source-names.ts'
import type { Answer, Match } from './result.ts'

type Other = Match['others'][number]
type Range = Other['range']

/** Summarizes the result in one sentence. An unknown product or version is never counted as not affected. */
export function describeAnswer({ summary, sbom }: Pick<Answer, 'summary' | 'sbom'>): string {
  const { components, affected, possibly_affected: possible, cves, data_gaps: gaps } = summary
  const skipped = sbom?.components_skipped_total ?? 0
  const parts = [
    `${describeAffected(affected, components)}${possible > 0 ? `, ${formatNumber(possible)} possibly` : ''}${
      cves > 0 ? `, by ${describeCount(cves, 'listed CVE or advisory', 'listed CVEs and advisories')}` : ''
    }`,
    describeUnknown(summary),
    gaps > 0 && `for ${describeCount(gaps, 'component', 'components')} the service has no current data`,
    skipped > 0 && `${describeCount(skipped, 'component was', 'components were')} skipped`,
    summary.not_affected > 0 && `${describeCount(summary.not_affected, 'is', 'are')} not affected`,
  ]
  return `${parts.filter(Boolean).join('; ')}.`
}

function describeAffected(affected: number, components: number): string {
  if (components === 0) return 'The document names no component that can be checked'
  if (components === 1)
    return affected === 1 ? 'The component is affected' : 'The component is not known to be affected'
  if (affected === 0) return `None of ${formatNumber(components)} components is known to be affected`
  return `${formatNumber(affected)} of ${formatNumber(components)} components ${affected === 1 ? 'is' : 'are'} affected`
}

function describeUnknown({ unknown_product: products, unknown_version: versions }: Answer['summary']): string {
  const parts = [
    products > 0 && describeCount(products, 'product', 'products'),
    versions > 0 && describeCount(versions, 'version', 'versions'),
  ].filter((each) => each !== false)
  if (parts.length === 0) return ''
  const isOne = products + versions === 1
  return `${parts.join(' and ')} ${isOne ? 'is unknown and may be affected too' : 'are unknown and may be affected too'}`
}

/** A number followed by the singular or plural noun. */
export function describeCount(number: number, one: string, many: string): string {
  return `${formatNumber(number)} ${number === 1 ? one : many}`
}

/** Names a component: vendor and product of a CPE name, or the name of a package with its type and namespace. */
export function nameComponent({ interpreted_as: { vendor, product, by } }: MatchedComponent): string {
  if (vendor === null) return product
  return by === 'purl' ? `${vendor}/${product}` : `${vendor} ${product}`
}

/** Describes what another source says about the component's version. */
export function describeOther({ source, says, range }: Other): string {
  const who = capitalise(describeSource(source))
  const versions = formatRange(range)
  switch (says) {
    case 'affected':
      return `${who} says so too${versions && ` (${versions})`}.`
    case 'unaffected':
      return `${who} calls this version unaffected${versions && ` (${versions})`}.`
    case 'not_in_range':
      return `${who} lists other versions${versions && `: ${versions}`}.`
    case 'no_version':
      return `${who} names no version.`
    case 'unknown':
      return `${who} names versions that cannot be compared with this one${versions && `: ${versions}`}.`
  }
}

/** Returns whether a source disagrees that the version is affected. */
export function isOtherwise({ says }: Other): boolean {
  return says !== 'affected'
}

function formatRange({ from, after, before, through, versions }: Range): string {
  const limits = [
    from !== undefined && `from ${from}`,
    after !== undefined && `after ${after}`,
    before !== undefined && `before ${before}`,
    through !== undefined && `through ${through}`,
  ]
  return [limits.filter(Boolean).join(' '), versions?.join(', ')].filter(Boolean).join(', ')
}

/** Names the products that must also be present but are not among the components. */
export function describeRequirement({ requires }: Match): string | undefined {
  if (!requires || requires.length === 0) return undefined
  const names = requires.map(({ vendor, product }) => `${vendor} ${product}`)
  return `Only together with ${names.join(' or ')}, which is not among the components.`
}

/** Lists the fixed versions, each once. */
export function listFixedVersions({ fixed_in: fixes }: Match): readonly string[] {
  return [...new Set(fixes.map(({ version }) => version))]
}

/** Explains why a component without a listed match may be affected. */
export function describeUncertainty({ weaker_total: weaker, unordered_total: unordered }: MatchedComponent): string {
  const parts = [
    weaker > 0 && `${describeCount(weaker, 'hit is', 'hits are')} less sure than the minimum confidence`,
    unordered > 0 &&
      `${describeCount(unordered, 'CVE names', 'CVEs name')} versions that cannot be compared with this one`,
  ].filter((each) => each !== false)
  return parts.length === 0 ? 'No match is as urgent as the chosen levels.' : `${capitalise(parts.join('; '))}.`
}

/** Explains why a version could not be judged. */
export function describeUnknownVersion({ interpreted_as: { version }, unordered_total }: MatchedComponent): string {
  const cves = describeCount(unordered_total, 'CVE names', 'CVEs name')
  if (version === null) return `No version was given; ${cves} versions of this product.`
  return `The version cannot be compared with the versions that sources name; ${cves} versions of this product.`
}
