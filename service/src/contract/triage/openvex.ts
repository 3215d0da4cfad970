// The part of the contract for OpenVEX documents of triage states.
import { Type } from 'typebox'
import { TRIAGE_STATES } from '../../domain/triage/words.ts'
import { type BodyField, isObject } from '../request/body.ts'
import { createIssue, createMissingIssue } from '../request/validation-issue.ts'
import { ApiError } from '../response/errors.ts'
import { closedObject, countSchema, orNull, textSchema } from '../response/schemas.ts'

export const MAX_VEX_BYTES = 2 * 1024 * 1024
export const MAX_IMPORTED_STATES = 2000
export const MAX_LISTED_PROBLEMS = 100
/** Of texts and scopes in an exported document, which is in memory as a whole. */
export const MAX_EXPORTED_CHARACTERS = 16 * 1024 * 1024

export function tooMuchText(): ApiError {
  return new ApiError(
    'INVALID_PARAMETER',
    `The texts of the triage entries have more than ${MAX_EXPORTED_CHARACTERS.toLocaleString('en')} characters together, which is the limit of one document. GET /api/v1/triage lists the entries page by page.`,
    { details: { limit: MAX_EXPORTED_CHARACTERS } },
  )
}

const DOCUMENT = 'an OpenVEX document: an object with @context and statements'

/** The document is checked by the endpoint, which leaves out what it cannot express instead of refusing everything. */
export const openVexField: BodyField<Record<string, unknown>> = {
  schema: Type.Object(
    {},
    {
      additionalProperties: true,
      description: `The OpenVEX document (0.2.0 or earlier), with statements about at most ${MAX_IMPORTED_STATES} products together.`,
    },
  ),
  isRequired: true,
  read: (name, value) => {
    if (value === undefined) return { issues: [createMissingIssue(name, DOCUMENT)] }
    return isObject(value) ? { value } : { issues: [createIssue(name, null, DOCUMENT)] }
  },
}

const scopeMembers = {
  cve_id: Type.String({ pattern: '^CVE-\\d{4}-\\d{4,19}$', description: 'The CVE.' }),
  scope: textSchema('The scope of the entry.'),
  version_range: orNull(textSchema('Versions of the scope; null for all.')),
}

export const exportedVexSchema = closedObject(
  {
    document: Type.Object({}, { additionalProperties: true, description: 'The OpenVEX document (0.2.0).' }),
    not_expressed_total: countSchema('Number of entries with something that OpenVEX has no member for.'),
    not_expressed: Type.Array(
      closedObject(
        {
          ...scopeMembers,
          lost_members: Type.Array(Type.String(), {
            description:
              'What OpenVEX has no member for. It is in the last line of status_notes, or in the product, where only this service reads it; to other tools, the statement hides no more than the entry does.',
          }),
        },
        'An entry that is not expressed completely.',
        'NotExpressed',
      ),
      { maxItems: MAX_LISTED_PROBLEMS, description: `The first ${MAX_LISTED_PROBLEMS} of them.` },
    ),
  },
  'The triage entries as an OpenVEX document.',
)

export const importedVexSchema = closedObject(
  {
    created_total: countSchema('Number of new entries.'),
    replaced_total: countSchema('Number of entries that were replaced; only with replace.'),
    unchanged_total: countSchema('Number of entries that say the same already.'),
    by_state: closedObject(
      Object.fromEntries(
        TRIAGE_STATES.map((state) => [state, countSchema(`Number of new and replaced entries that are ${state}.`)]),
      ),
      'New and replaced entries by state.',
      'TriageStateCounts',
    ),
    differing_total: countSchema('Number of entries that exist with something else and were kept.'),
    differing: Type.Array(closedObject(scopeMembers, 'An entry that was kept.', 'KeptEntry'), {
      maxItems: MAX_LISTED_PROBLEMS,
      description: `The first ${MAX_LISTED_PROBLEMS} of them. Send replace to replace them.`,
    }),
    problems_total: countSchema('Number of problems with statements.'),
    problems: Type.Array(
      closedObject(
        {
          index: countSchema('Position of the statement in the document.'),
          why: textSchema('What is wrong with it, or what is not kept.'),
          left_out: Type.Boolean({ description: 'Whether the statement, or one of its products, was left out.' }),
        },
        'A problem with a statement.',
        'VexProblem',
      ),
      { maxItems: MAX_LISTED_PROBLEMS, description: `The first ${MAX_LISTED_PROBLEMS} problems.` },
    ),
  },
  'What was imported.',
)
