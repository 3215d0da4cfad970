// The result of a check, sorted and grouped for the page.
import type { Level, MatchedComponent, MatchResult } from 'vis-sdk'
import { COVERAGE_GAPS } from 'vis-sdk/vocabulary'

export type CoverageGap = keyof typeof COVERAGE_GAPS

// The cast is safe: Object.keys returns the keys of the table.
export const GAPS = Object.keys(COVERAGE_GAPS) as readonly CoverageGap[]

export type Match = MatchedComponent['matches'][number]

/** Facts about the SBOM that was checked. */
export interface SbomFacts {
  readonly components_skipped_total: number
  /** The first skipped components. */
  readonly components_skipped: readonly { readonly index: number; readonly why: string }[]
}

export interface Answer extends MatchResult {
  /** Absent for pasted lines. */
  readonly sbom?: SbomFacts
}

/** A CVE or an advisory that affects a component. */
export interface Hit {
  readonly component: MatchedComponent
  readonly match: Match
}

export interface Upgrade {
  readonly component: MatchedComponent
  /** Number of listed matches by level, most urgent first. `none` is for rejected CVEs. */
  readonly counts: readonly (readonly [level: Level | 'none', count: number])[]
}

/** Components whose silence proves nothing, for one reason. */
export interface GapGroup {
  readonly gap: MatchedComponent['coverage_gap']
  readonly components: readonly MatchedComponent[]
}

export interface Groups {
  readonly upgrades: readonly Upgrade[]
  readonly affected: readonly Hit[]
  readonly possible: readonly Hit[]
  /** Components that may be affected but have no listed match. */
  readonly uncertain: readonly MatchedComponent[]
  /** Components of which nothing is known, by reason. */
  readonly notCovered: readonly GapGroup[]
  readonly notAffected: readonly MatchedComponent[]
  readonly noAdvisory: readonly MatchedComponent[]
}

export function groupAnswer({ components }: Pick<Answer, 'components'>): Groups {
  const hits = components.flatMap((component) => component.matches.map((match) => ({ component, match })))
  const sorted = hits.toSorted(compareHits)
  const withVerdict = (verdict: MatchedComponent['verdict']) => components.filter((each) => each.verdict === verdict)
  return {
    upgrades: listUpgrades(components),
    affected: sorted.filter(({ match }) => match.verdict === 'affected'),
    possible: sorted.filter(({ match }) => match.verdict === 'possibly_affected'),
    uncertain: withVerdict('possibly_affected').filter(({ matches }) => matches.length === 0),
    notCovered: groupByGap(withVerdict('not_covered')),
    notAffected: withVerdict('not_affected'),
    noAdvisory: withVerdict('no_known_advisory'),
  }
}

/** Groups components by reason, in the order in which the service lists the reasons. */
function groupByGap(components: readonly MatchedComponent[]): readonly GapGroup[] {
  const rank = ({ gap }: GapGroup) => (gap === null ? GAPS.length : GAPS.indexOf(gap))
  return [...Map.groupBy(components, ({ coverage_gap }) => coverage_gap)]
    .map(([gap, each]) => ({ gap, components: each }))
    .toSorted((a, b) => rank(a) - rank(b))
}

/** Lists the affected components, those with the most urgent matches first. */
function listUpgrades(components: readonly MatchedComponent[]): readonly Upgrade[] {
  return components
    .filter(({ verdict }) => verdict === 'affected')
    .map((component) => ({ component, counts: countLevels(component) }))
    .toSorted((a, b) => compareCounts(a, b) || a.component.index - b.component.index)
}

const LEVELS = ['P0', 'P1', 'P2', 'unrated', 'P3', 'P4', 'none'] as const

function countLevels({ matches }: MatchedComponent): Upgrade['counts'] {
  const sure = matches.filter(({ verdict }) => verdict === 'affected')
  return LEVELS.map(
    (level) => [level, sure.filter(({ priority_level }) => (priority_level ?? 'none') === level).length] as const,
  ).filter(([, count]) => count > 0)
}

/** At the most urgent level where the counts differ, the component with more matches comes first. */
function compareCounts(a: Upgrade, b: Upgrade): number {
  const find = ({ counts }: Upgrade, level: string) => counts.find(([each]) => each === level)?.[1] ?? 0
  const level = LEVELS.find((each) => find(a, each) !== find(b, each))
  return level === undefined ? 0 : find(b, level) - find(a, level)
}

/** Compares by level, then by score, then by EPSS. Rejected CVEs, which have no level, come last. */
export function compareHits(a: Hit, b: Hit): number {
  return (
    rankLevel(a.match) - rankLevel(b.match) ||
    (b.match.severity ?? -1) - (a.match.severity ?? -1) ||
    (b.match.epss_score ?? -1) - (a.match.epss_score ?? -1) ||
    a.match.id.localeCompare(b.match.id, 'en') ||
    a.component.index - b.component.index
  )
}

function rankLevel({ priority_level }: Match): number {
  return LEVELS.indexOf(priority_level ?? 'none')
}

/** Counts the matches that the answer omits because a component has more than the answer may list. */
export function countUnlisted({ components }: Pick<Answer, 'components'>): number {
  return components.reduce((sum, { matches_total, matches }) => sum + matches_total - matches.length, 0)
}

/** Counts the hits below the minimum confidence. */
export function countWeaker({ components }: Pick<Answer, 'components'>): number {
  return components.reduce((sum, { weaker_total }) => sum + weaker_total, 0)
}
