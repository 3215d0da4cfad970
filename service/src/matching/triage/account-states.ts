// The account's own states, as they apply to hits (decision E51).
import type { Component } from '../../domain/component/component.ts'
import { findLevelOfRank, isExploitedRank } from '../../domain/priority/policy.ts'
import { judgeState, type Urgency } from '../../domain/triage/effect.ts'
import { compileScope, readNamed, toScopeKey } from '../../domain/triage/scope.ts'
import type { Reopener, TriageState } from '../../domain/triage/words.ts'
import type { Subject } from '../read/read-subjects.ts'

/** Sent to another thread, so all values must be cloneable. */
export interface AccountState {
  readonly cveId: string
  readonly scope: string
  readonly versions: string
  readonly state: TriageState
  readonly reason: string
  readonly until: string | null
  readonly unless: readonly Reopener[]
  readonly known: Urgency
  /** `member:<id>` or `key:<id>`. */
  readonly actor: string
}

export function toUrgency({ rank, isInKev }: Pick<Subject, 'rank' | 'isInKev'>): Urgency {
  return { level: findLevelOfRank(rank), isExploited: isInKev || isExploitedRank(rank) }
}

/** A state whose scope contains the component. */
export interface FoundState {
  readonly state: AccountState
  /** Empty if the state hides the hit. */
  readonly reopenedBy: readonly Reopener[]
}

type FindState = (subject: Subject, component: Component) => FoundState | undefined

/** Prefers a state that hides the hit to one that is open again. */
export function createStateFinder(states: readonly AccountState[], now: Date): FindState {
  const byName = Map.groupBy(
    states.flatMap((state) => {
      const named = readNamed(state.scope)
      return named === undefined ? [] : [{ key: toKey(state.cveId, named), state, isInScope: compileScope(state) }]
    }),
    ({ key }) => key,
  )
  return (subject, component) => {
    if (!subject.isCve) return undefined
    let reopened: FoundState | undefined
    for (const { state, isInScope } of byName.get(toKey(subject.id, component)) ?? []) {
      const { effect, reopenedBy } = judgeState(state, toUrgency(subject), now)
      if ((effect !== 'suppresses' && effect !== 'reopened') || !isInScope(component)) continue
      if (effect === 'suppresses') return { state, reopenedBy }
      reopened ??= { state, reopenedBy }
    }
    return reopened
  }
}

const toKey = (id: string, component: Component) => `${id} ${toScopeKey(component)}`
