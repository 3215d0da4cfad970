// The account's own states, as they apply to hits (decision E51).
import type { Component } from '../../domain/component/component.ts'
import { findLevelOfRank, isExploitedRank } from '../../domain/priority/policy.ts'
import { judgeState, keepsVisible, type Urgency } from '../../domain/triage/effect.ts'
import { compileScope, isPartOf, readNamed, toScopeKey } from '../../domain/triage/scope.ts'
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

/**
 * Prefers a state that hides the hit to one that is open again. The hit stays visible if the account has also said
 * `affected` or `under_investigation` about it, unless the hiding state's scope is a part of that scope.
 */
export function createStateFinder(states: readonly AccountState[], now: Date): FindState {
  const byCve = Map.groupBy(states, ({ cveId }) => cveId)
  // An account can have 20,000 states, and reading their scopes takes a second; a call has hits of few of these CVEs.
  const compiled = new Map<string, ReadonlyMap<string, readonly CompiledState[]>>()
  const compile = (cveId: string) => {
    const found = compiled.get(cveId) ?? compileStates(byCve.get(cveId) ?? [])
    compiled.set(cveId, found)
    return found
  }
  return (subject, component) => {
    if (!subject.isCve || !byCve.has(subject.id)) return undefined
    const named = compile(subject.id).get(toScopeKey(component)) ?? []
    const inScope = named.filter(({ isInScope }) => isInScope(component)).map(({ state }) => state)
    const visible = inScope.filter((state) => keepsVisible(state, now))
    let reopened: FoundState | undefined
    for (const state of inScope) {
      const { effect, reopenedBy } = judgeState(state, toUrgency(subject), now)
      if (effect === 'suppresses' && visible.every((other) => isPartOf(state, other))) return { state, reopenedBy }
      if (effect === 'reopened') reopened ??= { state, reopenedBy }
    }
    return reopened
  }
}

interface CompiledState {
  readonly state: AccountState
  readonly isInScope: ReturnType<typeof compileScope>
}

/** Returns the states by the name of the component that they are about. */
function compileStates(states: readonly AccountState[]): ReadonlyMap<string, readonly CompiledState[]> {
  const named = states.flatMap((state) => {
    const component = readNamed(state.scope)
    return component === undefined ? [] : [{ key: toScopeKey(component), state, isInScope: compileScope(state) }]
  })
  return Map.groupBy(named, ({ key }) => key)
}
