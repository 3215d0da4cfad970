// Sentences about the result of a check.
import type { MatchedComponent } from 'vis-sdk'
import { COVERAGE_GAPS } from 'vis-sdk/vocabulary'
import { capitalise, formatNumber } from '../../text/format.ts'
import { describeSource } from '../../text/source-names.ts'
import type { Answer, Hit, Match } from './result.ts'

type Other = Match['other_statements'][number]
type Range = Other['range']

/** Says in the headline what was not checked, so that nobody takes the components without a match for safe. */
export function describeChecked({ overview }: Pick<Answer, 'overview'>): string {
  const { components_total: components, by_coverage_gap: coverage } = overview
  if (components === 0) return 'No component could be checked'
  const uncovered = components - coverage.covered
  if (uncovered > 0) {
    const share =
      components === 1 ? 'the component' : `${formatNumber(uncovered)} of ${formatNumber(components)} components`
    const unfit = coverage.no_data + coverage.incomplete + coverage.stale
    // The other gaps are about the component: its name, its release, or a type without a source.
    const why = unfit === uncovered ? 'not every database is loaded or current' : 'not every database can judge it'
    return `Incomplete: for ${share}, ${components === 1 ? why : why.replace(/it$/, 'them')}, so CVEs may be missing`
  }
  return components === 1
    ? 'Complete: every database for the component is loaded and current'
    : `Complete: every database for all ${formatNumber(components)} components is loaded and current`
}

/** Summarizes the verdicts of the components. Those of which nothing is known come first. */
export function describeAffectedComponents(overview: Answer['overview']): string {
  return [describeUncovered(overview), describeAffected(overview), describeUnaffected(overview)]
    .filter(Boolean)
    .join(' ')
}

function describeUncovered({
  components_total: components,
  by_verdict: { not_covered: count },
}: Answer['overview']): string {
  if (count === 0) return ''
  const [subject, them, they] =
    components === 1
      ? ['The component could not be judged', 'it', 'it']
      : [
          count === components
            ? `None of the ${formatNumber(components)} components could be judged`
            : `${formatNumber(count)} of ${formatNumber(components)} components could not be judged`,
          count === 1 ? 'it' : 'them',
          count === 1 ? 'it' : 'they',
        ]
  return `${subject}: no complete and current database names ${them}, so ${they} may be affected.`
}

function describeShare(count: number, components: number): string {
  return `${formatNumber(count)} of ${formatNumber(components)} components ${count === 1 ? 'is' : 'are'}`
}

function describeAffected({ components_total: components, by_verdict, hits_total }: Answer['overview']): string {
  if (components === 0) return 'The document names no component that can be checked.'
  const { affected, possibly_affected: possible } = by_verdict
  const by = hits_total > 0 ? `, by ${describeCount(hits_total, 'CVE or advisory', 'CVEs and advisories')}` : ''
  if (components === 1) {
    if (affected === 1) return `The component is affected${by}.`
    return possible === 1 ? `The component is possibly affected${by}.` : ''
  }
  const sure = `${describeShare(affected, components)} affected`
  const unsure = `${formatNumber(possible)} possibly`
  if (affected === 0 && possible === 0) return `No component is known to be affected.`
  if (affected === 0) return `${describeShare(possible, components)} possibly affected${by}.`
  return `${possible === 0 ? sure : `${sure}, ${unsure}`}${by}.`
}

/** Describes the components of which complete and current databases say that they are not affected, or say nothing. */
function describeUnaffected({
  components_total: components,
  by_verdict: { not_affected: excluded, no_known_advisory: silent },
}: Answer['overview']): string {
  if (components === 1 && excluded === 1)
    return 'The component is not affected: databases name it, and every statement excludes its version.'
  if (components === 1 && silent === 1) return 'Complete and current databases know no advisory about the component.'
  const parts = [
    excluded > 0 && `${describeCount(excluded, 'is', 'are')} not affected`,
    silent > 0 &&
      `${excluded > 0 ? 'about' : 'About'} ${formatNumber(silent)}, complete and current databases know no advisory`,
  ].filter(Boolean)
  return parts.length === 0 ? '' : `${parts.join('; ')}.`
}

/** Explains why a component is not covered, in the words of the service. */
export function describeGap(gap: MatchedComponent['coverage_gap']): string {
  return gap === null ? 'No complete and current database judges the component.' : COVERAGE_GAPS[gap]
}

/** A number followed by the singular or plural noun. */
export function describeCount(number: number, one: string, many: string): string {
  return `${formatNumber(number)} ${number === 1 ? one : many}`
}

/** Names a component: vendor and product of a CPE name, or the name of a package with its type and namespace. */
export function nameComponent({ interpreted_as: { vendor, product, identified_by } }: MatchedComponent): string {
  if (vendor === null) return product
  return identified_by === 'purl' ? `${vendor}/${product}` : `${vendor} ${product}`
}

/** Describes what another source says about the component's version. */
export function describeOther({ source, says, range }: Other): string {
  const who = capitalise(describeSource(source))
  const versions = formatRange(range)
  switch (says) {
    case 'affected':
      return `${who} says so too${versions && ` (${versions})`}.`
    case 'partly':
      return `${who} calls it affected, but may not mean this version${versions && ` (${versions})`}.`
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

function formatRange(range: Range): string {
  const limits = [
    range.from_version !== undefined && `from ${range.from_version}`,
    range.after_version !== undefined && `after ${range.after_version}`,
    range.before_version !== undefined && `before ${range.before_version}`,
    range.through_version !== undefined && `through ${range.through_version}`,
  ]
  return [limits.filter(Boolean).join(' '), range.listed_versions?.join(', ')].filter(Boolean).join(', ')
}

/** Names the products that must also be present but are not among the components. */
export function describeRequirement({ requires }: Match): string | undefined {
  if (!requires || requires.length === 0) return undefined
  const names = requires.map(({ vendor, product }) => `${vendor} ${product}`)
  return `Only together with ${names.join(' or ')}, which is not among the components.`
}

const STATES: Readonly<Record<NonNullable<Match['distribution_state']>, string>> = {
  under_investigation: 'it still investigates this package',
  fix_pending: 'a fix is pending',
  fix_deferred: 'the fix is deferred',
  no_dsa: 'it publishes no advisory of its own (no-dsa)',
  postponed: 'the fix is postponed',
  ignored: 'it will not fix this release (ignored)',
  will_not_fix: 'it will not fix this package',
  out_of_support: 'the package is out of support',
}

/** Describes what the distribution says about the CVE in its package; undefined if it has said nothing. */
export function describeDistribution({ distribution_state: state, distribution_urgency: urgency }: Match) {
  const parts = [state && STATES[state], urgency && `its urgency is “${urgency}”`].filter(Boolean)
  return parts.length === 0 ? undefined : `The distribution says: ${parts.join('; ')}.`
}

export interface FixedVersion {
  readonly version: string
  /** Branch, product and source, such as "branch 2.12, per NVD". */
  readonly note: string
}

/** Lists the fixed versions, each once. A version of another product says so. */
export function listFixedVersions({ component, match }: Hit): readonly FixedVersion[] {
  const { product: own } = component.interpreted_as
  const versions = new Map(
    match.fixed_in.map(({ version, branch, product, source }) => {
      const notes = [
        product.toLowerCase() !== own.toLowerCase() && `of ${product}`,
        branch !== null && `branch ${branch}`,
        `per ${describeSource(source)}`,
      ]
      return [version, { version, note: notes.filter(Boolean).join(', ') }] as const
    }),
  )
  return [...versions.values()]
}

/** Explains why a component without a listed match may be affected. */
export function describeUncertainty({ interpreted_as, weaker_total, unordered_total }: MatchedComponent): string {
  const cves = describeCount(unordered_total, 'CVE or advisory names', 'CVEs and advisories name')
  const parts = [
    weaker_total > 0 && `${describeCount(weaker_total, 'hit is', 'hits are')} less sure than the minimum confidence`,
    unordered_total > 0 &&
      (interpreted_as.version === null
        ? `no version was given, and ${cves} versions of this product`
        : `${cves} versions that cannot be compared with this one`),
  ].filter((each) => each !== false)
  return parts.length === 0 ? 'No match is as urgent as the chosen levels.' : `${capitalise(parts.join('; '))}.`
}
