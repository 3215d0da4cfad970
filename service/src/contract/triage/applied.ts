// What POST /match and POST /sbom say about the account's triage states.
import { Type } from 'typebox'
import { REOPENER_MEANINGS, REOPENERS } from '../../domain/triage/words.ts'
import { closedObject, countSchema, flagSchema, orNull, textSchema } from '../response/schemas.ts'

export const TRIAGE_USES = ['apply', 'ignore'] as const

export type TriageUse = (typeof TRIAGE_USES)[number]

export const TRIAGE_USE_DESCRIPTION =
  'Whether the triage states of the account hide hits: apply hides those within the scope of a state not_affected, fixed or accepted, until it ends or is open again, and adds data.triage with their number. A key needs the scope triage; without it, nothing is hidden and data.triage says so. Default: ignore.'

export const MAX_REOPENED = 100

export const appliedTriageSchema = closedObject(
  {
    applied: flagSchema('Whether the states were applied.'),
    not_applied_because: Type.Optional(textSchema('Why not. Absent if they were.')),
    entries_total: countSchema('Number of states that could hide a hit, whether or not one did.'),
    suppressed_total: countSchema('Number of hits that a state hides.'),
    suppressed_by: Type.Array(
      closedObject(
        {
          actor: Type.String({ description: 'Who set the states: key:<id> or member:<id>.', examples: ['member:3'] }),
          count: countSchema('Number of hits that they hide.'),
        },
        'Whose states hide hits.',
        'SuppressedBy',
      ),
      { description: 'Whose states hide hits, most hits first.' },
    ),
    reopened_total: countSchema('Number of states that are open again and so hide nothing.'),
    reopened: Type.Array(
      closedObject(
        {
          cve_id: Type.String({ pattern: '^CVE-\\d{4}-\\d{4,19}$', description: 'The CVE.' }),
          scope: textSchema('The scope of the state.'),
          version_range: orNull(textSchema('The versions of the scope; null for all.')),
          set_by: textSchema('Who set the state.'),
          reopened_by: Type.Array(Type.Enum([...REOPENERS]), {
            description: Object.entries(REOPENER_MEANINGS)
              .map(([word, meaning]) => `${word}: ${meaning}`)
              .join(' '),
          }),
        },
        'A state that is open again.',
        'ReopenedState',
      ),
      { maxItems: MAX_REOPENED, description: `The first ${MAX_REOPENED} states that are open again.` },
    ),
  },
  "What the account's triage states hid. Only with triage=apply.",
  'AppliedTriage',
)
