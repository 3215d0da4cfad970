import { Type } from 'typebox'
import { readOwnTriage, readOwnTriageHistory } from '../../../accounts/own-triage.ts'
import { required } from '../../../contract/request/parameters.ts'
import { cveId } from '../../../contract/request/value-types.ts'
import { closedObject, flagSchema } from '../../../contract/response/schemas.ts'
import {
  renderEntry,
  renderRevision,
  triageEntrySchema,
  triageRevisionSchema,
} from '../../../contract/triage/entries.ts'
import { actForTriage, judgeEntries } from '../../self-service/triage.ts'
import { defineEndpoint } from '../../services.ts'
import example from './example.json' with { type: 'json' }

const MAX_ENTRIES = 500
const MAX_REVISIONS = 500

export const getTriage = defineEndpoint({
  name: 'get-triage',
  method: 'GET',
  path: '/api/v1/triage/cve/{cve-id}',
  tag: 'Triage',
  summary: 'Get the triage of a CVE with its history',
  description:
    'The entries of one CVE in all scopes, and every revision of them, newest first, also of removed entries. A CVE without entries has two empty lists. Needs a key with the scope triage. Free of charge.',
  access: 'key',
  scope: 'triage',
  credits: 0,
  consumesRate: true,
  console: { minRole: 'viewer', cost: 'read' },
  work: 'account',
  cacheControl: 'no-store',
  response: {
    name: 'CveTriage',
    schema: closedObject(
      {
        cve_id: Type.String({ pattern: '^CVE-\\d{4}-\\d{4,19}$', description: 'The CVE.' }),
        triage_entries: Type.Array(triageEntrySchema, {
          maxItems: MAX_ENTRIES,
          description: `The newest ${MAX_ENTRIES} entries.`,
        }),
        revisions: Type.Array(triageRevisionSchema, {
          maxItems: MAX_REVISIONS,
          description: `The newest ${MAX_REVISIONS} revisions of all entries, newest first.`,
        }),
        truncated: flagSchema('Whether there are more entries or revisions than listed.'),
      },
      'The triage of a CVE.',
    ),
  },
  example,
  errors: [],
  parameters: { path: { 'cve-id': required(cveId(), 'Id of the CVE.') } },
  answer: async ({ path }, services) => {
    const id = path['cve-id']
    const [entries, revisions] = await actForTriage(services, (accounts, credential) =>
      Promise.all([
        readOwnTriage(accounts, credential, { cveIds: [id], count: MAX_ENTRIES + 1 }),
        readOwnTriageHistory(accounts, credential, id, MAX_REVISIONS + 1),
      ]),
    )
    const judged = await judgeEntries(entries.slice(0, MAX_ENTRIES), services)
    return {
      data: {
        cve_id: id,
        triage_entries: judged.map(renderEntry),
        revisions: revisions.slice(0, MAX_REVISIONS).map(renderRevision),
        truncated: entries.length > MAX_ENTRIES || revisions.length > MAX_REVISIONS,
      },
    }
  },
})
