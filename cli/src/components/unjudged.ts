// Components about which an answer lists no match, or not all matches, although they are not known to be clean.
import type { MatchedComponent, MatchResult } from 'vis-sdk'
import { COVERAGE_GAPS } from 'vis-sdk/vocabulary'
import { formatLeftOut } from '../render/left-out.ts'
import { describeComponent, formatCount } from './describe.ts'

type Gap = keyof typeof COVERAGE_GAPS

export interface Unjudged {
  /** The same in every run, so that dashboards recognize it. */
  readonly key: string
  readonly title: string
  readonly meaning: string
  /** Number of components. */
  readonly count: number
  /** The names of the components, each once. */
  readonly names: readonly string[]
}

const GAPS = Object.keys(COVERAGE_GAPS) as Gap[]

/** Every component that is neither clean nor described by its matches is in one of the groups. */
export function listUnjudged(components: readonly MatchedComponent[]): readonly Unjudged[] {
  const uncovered = components.filter(({ verdict }) => verdict === 'not_covered')
  const partly = components.filter(({ verdict }) => verdict !== 'not_covered')
  const undecided = components.filter(isUndecided)
  return [
    ...GAPS.flatMap((gap) => createGapGroup('not_covered', 'Not covered', gap, uncovered)),
    ...createGroup('undecided', 'Possibly affected, without a listed match', UNDECIDED, undecided, describeUndecided),
    ...GAPS.flatMap((gap) => createGapGroup('partly_covered', 'Judged only in part', gap, partly)),
  ]
}

const UNDECIDED = 'Sources make statements about these components that decide nothing.'

export function isUndecided({ verdict, matches }: MatchedComponent): boolean {
  return verdict === 'possibly_affected' && matches.length === 0
}

/** Returns why nothing is known about a component, for its row in a table; empty if something is. */
export function explainSilence(component: MatchedComponent): string {
  const { verdict, coverage_gap } = component
  if (verdict === 'not_covered' && coverage_gap !== null) return COVERAGE_GAPS[coverage_gap]
  return isUndecided(component) ? `Not listed: ${listUndecided(component)}.` : ''
}

function describeUndecided(component: MatchedComponent): string {
  const reasons = listUndecided(component)
  return reasons === '' ? describeComponent(component) : `${describeComponent(component)} (${reasons})`
}

function listUndecided({ matches_total, weaker_total, unordered_total }: MatchedComponent): string {
  return formatLeftOut({ unlisted: matches_total, weaker_total, unordered_total }) || 'no match'
}

function createGapGroup(
  key: string,
  title: string,
  gap: Gap,
  components: readonly MatchedComponent[],
): readonly Unjudged[] {
  const found = components.filter(({ coverage_gap }) => coverage_gap === gap)
  const words = gap.replaceAll('_', ' ')
  return createGroup(`${key}/${gap}`, `${title}, ${words}`, COVERAGE_GAPS[gap], found, describeComponent)
}

function createGroup(
  key: string,
  title: string,
  meaning: string,
  components: readonly MatchedComponent[],
  nameComponent: (component: MatchedComponent) => string,
): readonly Unjudged[] {
  if (components.length === 0) return []
  const names = [...new Set(components.map(nameComponent))]
  return [{ key, title, meaning, count: components.length, names }]
}

/** Maximum number of names per line of a summary. */
const MAX_NAMES = 10

/** `maxNames` limits the listed names; the rest is counted. */
export function describeUnjudged({ title, meaning, count, names }: Unjudged, maxNames = MAX_NAMES): string {
  const rest = names.length - maxNames
  const more = rest > 0 ? [`and ${formatCount(rest)} further names in --csv and --json`] : []
  return `${title} (${formatCount(count)}): ${[...names.slice(0, maxNames), ...more].join(', ')}. ${meaning}`
}

/** Counts the gaps of an answer that does not list its components, such as a VEX document. */
export function countGaps({ by_coverage_gap: counted }: MatchResult['overview']): string {
  const counts = GAPS.flatMap((gap) => (counted[gap] === 0 ? [] : [`${gap.replaceAll('_', ' ')} ${counted[gap]}`]))
  return counts.length === 0 ? '' : `Not covered, or only in part: ${counts.join(', ')}.`
}
