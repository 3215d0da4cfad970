// Why a compared component makes a gate fail or remain incomplete (decision E30).
import type { GateReason } from '../../../domain/gate-words.ts'
import type { CoverageGap } from '../../../domain/match-words.ts'
import { findLevelOfRank, type Level, UNRATED } from '../../../domain/priority/policy.ts'
import { isWithin } from '../../answer/select-matches.ts'
import type { Coverage, Coverages } from '../../coverage/coverage.ts'
import type { Match, MatchedComponent } from '../../match.ts'

/** `skipped` and `empty` concern the whole document. */
type ComponentReason = Exclude<GateReason, 'skipped' | 'empty'>

export interface JudgedComponent {
  readonly matched: MatchedComponent
  readonly failOn: Level
  /** Coverage by the age that the caller accepts. */
  readonly coverage: Coverage
  readonly levels: Coverages['levels']
}

/** Returns the ids of hits, possibly none, or undefined if the reason does not apply. */
type Check = (judged: JudgedComponent) => readonly string[] | undefined

const CHECKS: Readonly<Record<ComponentReason, Check>> = {
  affected: ({ matched, failOn }) =>
    listIds(matched.matches.filter((match) => match.verdict === 'affected' && isAtLevel(match, failOn))),
  possibly: ({ matched: { matches, weaker }, failOn }) =>
    listIds([
      ...matches.filter((match) => match.verdict !== 'affected' && isAtLevel(match, failOn)),
      ...weaker.filter((match) => isAtLevel(match, failOn)),
    ]),
  unrated: ({ matched: { matches, weaker } }) =>
    listIds([...matches, ...weaker].filter(({ subject }) => isUnrated(subject.rank))),
  uncovered: (judged) => when(![undefined, 'stale'].includes(findGap(judged))),
  unknown_version: ({ matched: { component, verdict } }) =>
    when(verdict === 'possibly_affected' && component.version === null),
  unordered: ({ matched: { component, verdict, unorderedCount } }) =>
    when(
      unorderedCount > 0 && component.version !== null && (verdict === 'affected' || verdict === 'possibly_affected'),
    ),
  stale: (judged) =>
    when(findGap(judged) === 'stale' || (judged.levels !== 'current' && hasLessUrgent(judged.matched, judged.failOn))),
}

export interface FoundReason {
  readonly reason: ComponentReason
  readonly ids: readonly string[]
}

export function listReasons(judged: JudgedComponent): readonly FoundReason[] {
  return COMPONENT_REASONS.flatMap((reason) => {
    const ids = CHECKS[reason](judged)
    return ids === undefined ? [] : [{ reason, ids }]
  })
}

const COMPONENT_REASONS = Object.keys(CHECKS) as ComponentReason[]

/** Stands for the entries of suppress, which belong to nobody's account. */
export const BY_CALL = 'suppress'

/** Lists hits that would be a reason if nobody had hidden them, by who hid them. */
export function listHidden(
  { suppressed }: MatchedComponent,
  failOn: Level,
): readonly (readonly [by: string, ids: readonly string[]])[] {
  const counting = suppressed.filter(({ match }) => isUnrated(match.subject.rank) || isAtLevel(match, failOn))
  const byActor = Map.groupBy(counting, ({ entry }) => entry.state?.actor ?? BY_CALL)
  return [...byActor].map(([by, hits]) => [by, hits.map(({ match }) => match.subject.id)])
}

function listIds(matches: readonly Match[]): readonly string[] | undefined {
  return matches.length === 0 ? undefined : matches.map(({ subject }) => subject.id)
}

const when = (holds: boolean) => (holds ? [] : undefined)

function isAtLevel({ subject: { rank } }: Match, level: Level): boolean {
  return !isUnrated(rank) && isWithin(rank, level)
}

/** A level is unknown, so it may be urgent. */
function isUnrated(rank: number | null): boolean {
  const level = findLevelOfRank(rank)
  return level === null || level === UNRATED
}

/** Staleness is the last gap, so another gap than `stale` does not depend on the age that the caller accepts. */
function findGap({ matched: { gap }, coverage }: JudgedComponent): CoverageGap | undefined {
  return gap === undefined || gap === 'stale' ? (coverage.gap === 'stale' ? 'stale' : undefined) : gap
}

/** Up-to-date exploitation data could raise a less urgent hit to the level. */
function hasLessUrgent({ matches, weaker }: MatchedComponent, level: Level): boolean {
  return [...matches, ...weaker].some(({ subject: { rank } }) => rank !== null && !isWithin(rank, level))
}
