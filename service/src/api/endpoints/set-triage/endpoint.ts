import { closedObject } from '../../../contract/response/schemas.ts'
import { checkState, renderEntry, stateFields, triageEntrySchema } from '../../../contract/triage/entries.ts'
import { changeOneEntry, judgeEntries, toChanges } from '../../self-service/triage.ts'
import { defineEndpoint } from '../../services.ts'
import example from './example.json' with { type: 'json' }

export const setTriage = defineEndpoint({
  name: 'set-triage',
  method: 'POST',
  path: '/api/v1/triage',
  tag: 'Triage',
  summary: 'Set the triage state of a CVE in a scope',
  description:
    'Sets a new entry, or replaces the revision that the call names. If another call changed the entry meanwhile, the answer is 409 with the entry as it is now in details.current, and nothing is changed. The CVE may be one that has no record yet. Needs a key with the scope triage. Free of charge.',
  access: 'key',
  scope: 'triage',
  credits: 0,
  consumesRate: true,
  console: { minRole: 'admin', cost: 'read' },
  work: 'account',
  cacheControl: 'no-store',
  response: {
    name: 'SetTriage',
    schema: closedObject({ triage_entry: triageEntrySchema }, 'The entry after the change.'),
  },
  example,
  errors: ['CONFLICT', 'NOT_FOUND'],
  body: stateFields,
  rules: [
    { parameters: ['state', 'scope'], check: ({ body }) => checkState(body) && `does not fit: ${checkState(body)}` },
  ],
  answer: async ({ body }, services) => {
    const [change] = await toChanges([body], services.db)
    if (change === undefined) throw new Error('the body became no change')
    const entry = await changeOneEntry(services, 'set', change)
    const [judged] = await judgeEntries(entry === undefined ? [] : [entry], services)
    if (judged === undefined) throw new Error('the change of an entry returned no entry')
    return { data: { triage_entry: renderEntry(judged) } }
  },
})
