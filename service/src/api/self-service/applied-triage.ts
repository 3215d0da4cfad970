// The account's triage states for a call that compares components.
import { CallRefusedError } from '../../accounts/keys/credential.ts'
import { readOwnTriage, type TriageEntry } from '../../accounts/own-triage.ts'
import type { TriageUse } from '../../contract/triage/applied.ts'
import { ALL } from '../../domain/triage/scope.ts'
import { canSuppress, MAX_TRIAGE_ENTRIES, TRIAGE_STATES } from '../../domain/triage/words.ts'
import type { AppliedTriage } from '../../matching/answer/triage-report.ts'
import type { AccountState } from '../../matching/triage/account-states.ts'
import { requireCaller, type Services } from '../services.ts'

/** A call that does not ask for triage reads nothing, so its answer never depends on what the account has stored. */
export async function readAppliedTriage(
  services: Services,
  use: TriageUse | undefined,
): Promise<AppliedTriage | undefined> {
  if (use !== 'apply') return undefined
  const { credential } = requireCaller(services)
  const filter = { states: TRIAGE_STATES.filter(canSuppress), count: MAX_TRIAGE_ENTRIES.enterprise }
  try {
    const entries = await readOwnTriage(services.accounts, credential, filter)
    return { isApplied: true, states: entries.filter(({ scope }) => scope !== ALL).map(toState) }
  } catch (error) {
    if (error instanceof CallRefusedError && error.problem === 'forbidden') return { isApplied: false, states: [] }
    throw error
  }
}

function toState(entry: TriageEntry): AccountState {
  const { cveId, scope, versions, state, until, unless, level, isExploited, actor } = entry
  const known = { level, isExploited }
  return { cveId, scope, versions, state, until, unless, known, actor, reason: describe(entry) }
}

function describe({ state, justification, impactStatement, actionStatement, note }: TriageEntry): string {
  return impactStatement ?? actionStatement ?? note ?? justification ?? `The state is ${state}.`
}
