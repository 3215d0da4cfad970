// The account's triage states for a call that compares components.
import { CallRefusedError } from '../../accounts/keys/credential.ts'
import { readScopedStates, type ScopedState } from '../../accounts/own-triage.ts'
import type { TriageUse } from '../../contract/triage/applied.ts'
import { MAX_TRIAGE_ENTRIES, TRIAGE_STATES } from '../../domain/triage/words.ts'
import type { AppliedTriage } from '../../matching/answer/triage-report.ts'
import type { AccountState } from '../../matching/triage/account-states.ts'
import { requireCaller, type Services } from '../services.ts'

/** As for the entries of suppress. */
const MAX_REASON_LENGTH = 500

/** A call that does not ask for triage reads nothing, so its answer never depends on what the account has stored. */
export async function readAppliedTriage(
  services: Services,
  use: TriageUse | undefined,
): Promise<AppliedTriage | undefined> {
  if (use !== 'apply') return undefined
  const { credential } = requireCaller(services)
  const filter = {
    states: TRIAGE_STATES,
    count: MAX_TRIAGE_ENTRIES.enterprise,
    reasonLength: MAX_REASON_LENGTH,
  }
  try {
    const entries = await readScopedStates(services.accounts, credential, filter)
    return { isApplied: true, states: entries.map(toState) }
  } catch (error) {
    if (error instanceof CallRefusedError && error.problem === 'forbidden') return { isApplied: false, states: [] }
    throw error
  }
}

function toState({ level, isExploited, reason, ...entry }: ScopedState): AccountState {
  return { ...entry, known: { level, isExploited }, reason: reason ?? `The state is ${entry.state}.` }
}
