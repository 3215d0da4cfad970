import { Type } from 'typebox'
import { closedObject, orNull, textSchema } from '../../../contract/response/schemas.ts'
import { checkEntry, entryFields } from '../../../contract/triage/entries.ts'
import { changeOneEntry, toRemoval } from '../../self-service/triage.ts'
import { defineEndpoint } from '../../services.ts'
import example from './example.json' with { type: 'json' }

export const removeTriage = defineEndpoint({
  name: 'remove-triage',
  method: 'POST',
  path: '/api/v1/triage/remove',
  tag: 'Triage',
  summary: 'Remove a triage entry',
  description:
    'Withdraws an entry: it hides nothing any more and is not listed. Its revisions stay in the history of the CVE. 409 if another call changed the entry meanwhile, with the entry as it is now in details.current. Needs a key with the scope triage. Free of charge.',
  access: 'key',
  scope: 'triage',
  credits: 0,
  consumesRate: true,
  console: { minRole: 'admin', cost: 'read' },
  work: 'account',
  cacheControl: 'no-store',
  response: {
    name: 'RemovedTriage',
    schema: closedObject(
      {
        removed: closedObject(
          {
            cve_id: Type.String({ pattern: '^CVE-\\d{4}-\\d{4,19}$', description: 'The CVE.' }),
            scope: textSchema('The scope of the entry.'),
            version_range: orNull(textSchema('Versions of the scope; null for all versions.')),
          },
          'The entry that was removed.',
        ),
      },
      'The entry that was removed.',
    ),
  },
  example,
  errors: ['CONFLICT', 'NOT_FOUND'],
  body: entryFields,
  rules: [
    {
      parameters: ['scope', 'version_range'],
      check: ({ body }) => checkEntry(body) && `does not fit: ${checkEntry(body)}`,
    },
  ],
  answer: async ({ body }, services) => {
    const change = toRemoval(body)
    await changeOneEntry(services, 'remove', change)
    const { cveId, scope, versions } = change
    return { data: { removed: { cve_id: cveId, scope, version_range: versions === '' ? null : versions } } }
  },
})
