import { Type } from 'typebox'
import type { ChangedTriage } from '../../../accounts/own-triage.ts'
import { objects } from '../../../contract/request/body.ts'
import { closedObject, countSchema } from '../../../contract/response/schemas.ts'
import {
  checkEntry,
  checkState,
  entryFields,
  type JudgedEntry,
  renderEntry,
  stateFields,
  triageEntrySchema,
} from '../../../contract/triage/entries.ts'
import { MAX_BULK_CHANGES } from '../../../domain/triage/words.ts'
import { changeTriage, judgeEntries, toChanges, toRemoval } from '../../self-service/triage.ts'
import { defineEndpoint } from '../../services.ts'
import example from './example.json' with { type: 'json' }

const BODY_LIMIT = 1024 * 1024

const OUTCOMES = {
  done: 'The change was made.',
  conflict: 'The entry has another revision; triage_entry is the present one, absent if there is none.',
  unknown: 'There is no entry to remove.',
  no_watch: 'The account does not have the watch that the scope names.',
  limit: 'The account has as many entries as its plan allows.',
  daily_limit: 'The account has made as many changes today (UTC) as its plan allows.',
} as const

export const bulkTriage = defineEndpoint({
  name: 'bulk-triage',
  method: 'POST',
  path: '/api/v1/triage/bulk',
  tag: 'Triage',
  summary: 'Set and remove up to 500 triage entries',
  description: `Makes up to ${MAX_BULK_CHANGES} changes, first those of set, then those of remove. Each is judged alone, so that one entry that a colleague changed does not hold up the others: results has one outcome per change, in the same order. A body with an invalid member changes nothing. Needs a key with the scope triage. Free of charge.`,
  access: 'key',
  scope: 'triage',
  credits: 0,
  consumesRate: true,
  console: { minRole: 'admin', cost: 'read' },
  work: 'account',
  cacheControl: 'no-store',
  response: {
    name: 'TriageChanges',
    schema: closedObject(
      {
        done_total: countSchema('Number of changes that were made.'),
        results: Type.Array(
          closedObject(
            {
              index: countSchema('Position of the change in set; after those, in remove.'),
              outcome: Type.Enum(Object.keys(OUTCOMES), {
                description: Object.entries(OUTCOMES)
                  .map(([word, meaning]) => `${word}: ${meaning}`)
                  .join(' '),
              }),
              triage_entry: Type.Optional(triageEntrySchema),
            },
            'The outcome of a change. triage_entry is the entry after the call; absent if there is none.',
            'TriageChange',
          ),
          { description: 'The outcomes, in the order of the changes.' },
        ),
      },
      'The outcomes of changes.',
    ),
  },
  example,
  errors: [],
  body: {
    set: objects(stateFields, {
      description: 'Entries to set, as in POST /api/v1/triage.',
      minItems: 0,
      maxItems: MAX_BULK_CHANGES,
    }),
    remove: objects(entryFields, {
      description: 'Entries to remove, as in POST /api/v1/triage/remove.',
      minItems: 0,
      maxItems: MAX_BULK_CHANGES,
    }),
  },
  bodyLimit: BODY_LIMIT,
  rules: [
    {
      parameters: ['set', 'remove'],
      check: ({ body: { set, remove } }) => {
        const count = set.length + remove.length
        if (count === 0 || count > MAX_BULK_CHANGES)
          return `and remove must have 1 to ${MAX_BULK_CHANGES} changes together; ${count} were sent`
        return findFault('set', set, checkState) ?? findFault('remove', remove, checkEntry)
      },
    },
  ],
  answer: async ({ body: { set, remove } }, services) => {
    const changes = [...(await toChanges(set, services.db)), ...remove.map(toRemoval)]
    const cause = set.length === 0 ? 'remove' : 'set'
    const made = await changeTriage(services, cause, changes)
    const entries = made.flatMap(({ entry }) => (entry === undefined ? [] : [entry]))
    const judged = new Map<unknown, JudgedEntry>(
      (await judgeEntries(entries, services)).map((each) => [each.entry, each]),
    )
    return {
      data: {
        done_total: made.filter(({ outcome }) => outcome === 'done').length,
        results: made.map(({ outcome, entry }, index) => {
          const found = judged.get(entry)
          return {
            index,
            outcome: OUTCOME_WORDS[outcome],
            ...(found && { triage_entry: renderEntry(found) }),
          }
        }),
      },
    }
  },
})

const OUTCOME_WORDS: Readonly<Record<ChangedTriage['outcome'], keyof typeof OUTCOMES>> = {
  done: 'done',
  conflict: 'conflict',
  unknown: 'unknown',
  'no watch': 'no_watch',
  limit: 'limit',
  'too many': 'daily_limit',
}

/** Returns the end of the error message about the first change whose members do not fit each other. */
function findFault<Change>(
  name: string,
  changes: readonly Change[],
  check: (change: Change) => string | undefined,
): string | undefined {
  for (const [index, change] of changes.entries()) {
    const fault = check(change)
    if (fault !== undefined) return `must have members that fit each other; ${name}[${index}]: ${fault}`
  }
  return undefined
}
