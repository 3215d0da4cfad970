// Measures how the levels of the priority policy move with EPSS: replays weekly EPSS files over the facts of a published
// catalog, for several ways to apply the thresholds (decision E34).
import {
  advanceHold,
  type HeldSince,
  HOLDS_NONE,
  REFERENCE_THRESHOLDS,
  type Thresholds,
} from '../../service/src/domain/priority/epss-rule.ts'
import type { DecisionFacts } from '../../service/src/domain/priority/facts.ts'
import { findLevelOf, type Level, UNRATED } from '../../service/src/domain/priority/policy.ts'

/** The scores of one week; a CVE that is absent keeps its score. */
export interface Week {
  readonly day: string
  readonly scores: ReadonlyMap<string, number>
}

export interface Variant {
  readonly name: string
  readonly keep: number
  readonly thresholds: (day: string) => Thresholds
}

export interface Replayed {
  readonly cveId: string
  readonly facts: DecisionFacts
}

export interface LevelsReport {
  readonly name: string
  /** Number of CVEs in P0 and P1, and in P0 to P2, in the week before a new model and in its first week. */
  readonly urgent: readonly [before: number, after: number]
  readonly upToP2: readonly [before: number, after: number]
  readonly leftUrgent: number
  readonly changesOfModelWeek: number
  /** Mean number of level changes in a week, before and since the new model. */
  readonly changesPerWeek: readonly [before: number, since: number]
  /** Mean number of CVEs in such a week whose level was `unrated` until their first score. They are no changes. */
  readonly ratedPerWeek: readonly [before: number, since: number]
  /** CVEs whose level changed three times or more, the week of the new model apart. */
  readonly restless: number
  /** How many additions to KEV were in P0 to P2 at some time in the 90 days before, without knowledge of exploitation. */
  readonly kev: {
    readonly added: number
    readonly caught: number
    readonly caughtBefore: number
    readonly addedBefore: number
  }
  /** Days by which the CVEs that left P0 to P2 left later than without `keep`, and how many are still in it. */
  readonly delay: { readonly left: number; readonly median: number; readonly mean: number; readonly waiting: number }
}

const KEV_DAYS = 90

type LevelByHold = readonly Level[]

interface State {
  readonly levels: LevelByHold
  readonly blind: LevelByHold
  readonly kevSince: string | null
  score: number | null
  held: HeldSince
  plain: HeldSince
  level: Level | null
  changes: number
  /** The day on which the CVE would have left P0 to P2 without `keep`. */
  plainLeft: string | null
}

export function measureLevels(
  cves: readonly Replayed[],
  weeks: readonly Week[],
  modelDay: string,
  variant: Variant,
): LevelsReport {
  const states = new Map(
    cves.flatMap((cve) => (cve.facts.isRejected ? [] : [[cve.cveId, toState(cve.facts)] as const])),
  )
  const tally = createTally(modelDay)
  for (const week of weeks) {
    for (const [cveId, score] of week.scores) {
      const state = states.get(cveId)
      if (state) state.score = score
    }
    tally.startWeek(week.day)
    for (const state of states.values()) replayWeek(state, week.day, variant, tally)
  }
  return tally.report(variant.name, states.values())
}

function toState(facts: DecisionFacts): State {
  const blind = {
    ...facts,
    kev: null,
    euKev: null,
    activeReports: [],
    cisaExploitation: null,
    hasPublicExploit: facts.exploit !== null,
  }
  return {
    levels: listLevels(facts),
    blind: listLevels(blind),
    kevSince: facts.kev?.since ?? null,
    score: null,
    held: HOLDS_NONE,
    plain: HOLDS_NONE,
    level: null,
    changes: 0,
    plainLeft: null,
  }
}

/** First the level of a CVE without a score, then by the number of thresholds that it holds. */
function listLevels(facts: DecisionFacts): LevelByHold {
  return [null, 0, ...REFERENCE_THRESHOLDS].map((epss) => findLevelOf(facts, epss) ?? 'P4')
}

const pick = (levels: LevelByHold, state: State, held: HeldSince) =>
  levels[state.score === null ? 0 : held.length + 1] ?? 'P4'
const isUrgent = (level: Level) => level <= 'P1'
const isUpToP2 = (level: Level) => level <= 'P2'
const countDays = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 86_400_000

function countAddition(kev: KevCounts, isCaught: boolean, isBefore: boolean): void {
  kev.added += 1
  if (isCaught) kev.caught += 1
  if (isBefore) kev.addedBefore += 1
  if (isBefore && isCaught) kev.caughtBefore += 1
}

type KevCounts = Record<'added' | 'caught' | 'addedBefore' | 'caughtBefore', number>

function createTally(modelDay: string) {
  let day = ''
  let weeks = 0
  const urgent: [number, number] = [0, 0]
  const upToP2: [number, number] = [0, 0]
  const changes = { before: 0, model: 0, since: 0 }
  const rated = { before: 0, since: 0 }
  const weekCounts = { before: 0, since: 0 }
  const kev = { added: 0, caught: 0, addedBefore: 0, caughtBefore: 0 }
  const delays: number[] = []
  let [leftUrgent, previousDay] = [0, '']
  return {
    startWeek(next: string) {
      previousDay = day
      day = next
      weeks += 1
      if (weeks > 1 && !this.isModelWeek()) weekCounts[day < modelDay ? 'before' : 'since'] += 1
    },
    isModelWeek: () => previousDay < modelDay && day >= modelDay && previousDay !== '',
    isLastBefore: () => day < modelDay && countDays(day, modelDay) < 7,
    countLevel(level: Level, old: Level | null) {
      const at = this.isLastBefore() ? 0 : this.isModelWeek() ? 1 : undefined
      if (at === undefined) return
      if (isUrgent(level)) urgent[at] += 1
      if (isUpToP2(level)) upToP2[at] += 1
      if (at === 1 && old !== null && isUrgent(old) && !isUrgent(level)) leftUrgent += 1
    },
    countChange(state: State, old: Level) {
      const period = day < modelDay ? 'before' : 'since'
      if (this.isModelWeek()) changes.model += 1
      else if (old === UNRATED) rated[period] += 1
      else {
        changes[period] += 1
        state.changes += 1
      }
    },
    countKev(state: State, blindLevel: Level) {
      if (state.kevSince === null || state.kevSince <= day || countDays(day, state.kevSince) > KEV_DAYS) return
      countAddition(kev, isUpToP2(blindLevel), day < modelDay)
    },
    countDelay: (since: string) => delays.push(countDays(since, day)),
    report: (name: string, states: Iterable<State>): LevelsReport => ({
      name,
      urgent,
      upToP2,
      leftUrgent,
      changesOfModelWeek: changes.model,
      changesPerWeek: [changes.before / weekCounts.before, changes.since / weekCounts.since],
      ratedPerWeek: [rated.before / weekCounts.before, rated.since / weekCounts.since],
      kev,
      ...summarize([...states], delays),
    }),
    get day() {
      return day
    },
  }
}

function summarize(states: readonly State[], delays: readonly number[]): Pick<LevelsReport, 'restless' | 'delay'> {
  const sorted = delays.toSorted((a, b) => a - b)
  return {
    restless: states.filter((state) => state.changes >= 3).length,
    delay: {
      left: sorted.length,
      median: sorted[Math.floor(sorted.length / 2)] ?? 0,
      mean: sorted.reduce((sum, each) => sum + each, 0) / Math.max(1, sorted.length),
      waiting: states.filter(({ plainLeft }) => plainLeft !== null).length,
    },
  }
}

type Tally = ReturnType<typeof createTally>

function replayWeek(state: State, day: string, variant: Variant, tally: Tally): void {
  if (state.score !== null) {
    const scored = { day, score: state.score, thresholds: variant.thresholds(day) }
    state.held = advanceHold(state.held, scored, variant.keep)
    state.plain = advanceHold(HOLDS_NONE, scored, 1)
  }
  const level = pick(state.levels, state, state.held)
  const old = state.level
  tally.countLevel(level, old)
  if (old !== null && old !== level) tally.countChange(state, old)
  state.level = level
  tally.countKev(state, pick(state.blind, state, state.held))
  followDelay(state, day, level, tally)
}

function followDelay(state: State, day: string, level: Level, tally: Tally): void {
  const wouldBeIn = isUpToP2(pick(state.levels, state, state.plain))
  if (isUpToP2(level)) {
    if (wouldBeIn) state.plainLeft = null
    else state.plainLeft ??= day
  } else if (state.plainLeft !== null) {
    tally.countDelay(state.plainLeft)
    state.plainLeft = null
  }
}
