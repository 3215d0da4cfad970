// The vocabulary of triage states: what an account decided about a CVE (decision E51).
import type { Plan } from '../account/plan.ts'

/** VEX's four statuses, and `accepted` for a risk that the account knows and lives with. */
export const TRIAGE_STATES = ['not_affected', 'affected', 'fixed', 'under_investigation', 'accepted'] as const

export type TriageState = (typeof TRIAGE_STATES)[number]

export const TRIAGE_STATE_MEANINGS = {
  not_affected: 'The vulnerability cannot be used here. Needs a justification or an impact_statement.',
  affected: 'It can be used here.',
  fixed: 'What runs here contains the fix.',
  under_investigation: 'Somebody is looking into it.',
  accepted: 'It can be used here, and the account has decided to live with that.',
} as const satisfies Record<TriageState, string>

/** States that hide findings within their scope. */
const SUPPRESSING: readonly TriageState[] = ['not_affected', 'fixed', 'accepted']

export const canSuppress = (state: TriageState): boolean => SUPPRESSING.includes(state)

/** The justifications of OpenVEX 0.2.0. */
export const JUSTIFICATIONS = [
  'component_not_present',
  'vulnerable_code_not_present',
  'vulnerable_code_not_in_execute_path',
  'vulnerable_code_cannot_be_controlled_by_adversary',
  'inline_mitigations_already_exist',
] as const

export type Justification = (typeof JUSTIFICATIONS)[number]

/** What reopens a state before its end. */
export const REOPENERS = ['exploited', 'priority_raised'] as const

export type Reopener = (typeof REOPENERS)[number]

export const REOPENER_MEANINGS = {
  exploited:
    'The CVE was not known to be exploited when the state was set, and is now: a KEV catalog lists it, or a source reports exploitation.',
  priority_raised: 'The priority level of the CVE is more urgent than when the state was set.',
} as const satisfies Record<Reopener, string>

/** What a state does to the findings of POST /match and POST /sbom. */
export const TRIAGE_EFFECTS = ['suppresses', 'shown', 'reopened', 'ended'] as const

export type TriageEffect = (typeof TRIAGE_EFFECTS)[number]

export const TRIAGE_EFFECT_MEANINGS = {
  suppresses:
    'Findings within the scope are hidden, counted and listed apart, except those that a scope of affected or under_investigation contains; a scope that is a part of that one hides them all the same. In the scope of a watch, its events about the CVE are muted.',
  shown: 'Nothing is hidden: the scope is *, or the state is affected or under_investigation.',
  reopened: 'Nothing is hidden any more; reopened_by has the reason.',
  ended: 'Nothing is hidden any more, because the day of until is over.',
} as const satisfies Record<TriageEffect, string>

export const MAX_STATEMENT_LENGTH = 2000
export const MAX_BULK_CHANGES = 500

/** Entries that an account may have at one time. An account may change twice as many within a UTC day. */
export const MAX_TRIAGE_ENTRIES = {
  free: 1000,
  pro: 5000,
  business: 10_000,
  enterprise: 20_000,
} as const satisfies Record<Plan, number>
