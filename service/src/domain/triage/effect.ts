// Decides whether a state still hides findings.
import { isMoreUrgent, type Level } from '../priority/policy.ts'
import { ALL } from './scope.ts'
import { canSuppress, type Reopener, type TriageEffect, type TriageState } from './words.ts'

/** What is known about a CVE; `level` is null without one, such as for a CVE that has no record. */
export interface Urgency {
  readonly level: Level | null
  readonly isExploited: boolean
}

export interface JudgedState {
  readonly scope: string
  readonly state: TriageState
  /** The last day on which the state applies, as YYYY-MM-DD. */
  readonly until: string | null
  readonly unless: readonly Reopener[]
  /** What was known when the state was set. */
  readonly known: Urgency
}

interface Judgement {
  readonly effect: TriageEffect
  /** Empty unless the effect is `reopened`. */
  readonly reopenedBy: readonly Reopener[]
}

export function judgeState(entry: JudgedState, current: Urgency, now: Date): Judgement {
  const judged = (effect: TriageEffect): Judgement => ({ effect, reopenedBy: [] })
  if (entry.scope === ALL || !canSuppress(entry.state)) return judged('shown')
  if (hasEnded(entry.until, now)) return judged('ended')
  const reopenedBy = entry.unless.filter((each) => REOPENS[each](entry.known, current))
  return reopenedBy.length > 0 ? { effect: 'reopened', reopenedBy } : judged('suppresses')
}

const REOPENS: Readonly<Record<Reopener, (known: Urgency, current: Urgency) => boolean>> = {
  exploited: (known, current) => current.isExploited && !known.isExploited,
  priority_raised: (known, current) => current.level !== null && isMoreUrgent(current.level, known.level),
}

/** Returns whether the state says that a finding within its scope is to be seen. */
export function keepsVisible({ state, until }: Pick<JudgedState, 'state' | 'until'>, now: Date): boolean {
  return !canSuppress(state) && !hasEnded(until, now)
}

function hasEnded(until: string | null, now: Date): boolean {
  return until !== null && until < now.toISOString().slice(0, 10)
}
