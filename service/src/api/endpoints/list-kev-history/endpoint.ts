import { Type } from 'typebox'
import { afterParameter, type CursorPosition, type CursorScope, renderPagination } from '../../../contract/cursor.ts'
import { cveIdSchema } from '../../../contract/record/cve-fields.ts'
import { kevChangeSchema, kevPastEntrySchema } from '../../../contract/record/kev.ts'
import { optional, type ValuesOf, withDefault } from '../../../contract/request/parameters.ts'
import { cveId, flag, integer } from '../../../contract/request/value-types.ts'
import { paginationSchema } from '../../../contract/response/page.ts'
import { closedObject, daySchema, instantSchema, orNull } from '../../../contract/response/schemas.ts'
import { toCveId } from '../../../domain/cve-id.ts'
import { defineEndpoint, type Services } from '../../services.ts'
import example from './example.json' with { type: 'json' }
import { type KevHistoryRow, readKevHistory } from './query.ts'

const query = {
  cve_id: optional(cveId(), 'Only the entry of this CVE. A CVE that was never in KEV has an empty list.'),
  removed: optional(
    flag({ true: 'that CISA has removed', false: 'that are listed now' }),
    'true: only entries that CISA has removed. false: only entries that are listed now. Default: both.',
  ),
  limit: withDefault(integer({ minimum: 1, maximum: 500 }), 50, 'Maximum entries per page.'),
  after: afterParameter(),
}

type Query = ValuesOf<typeof query>

/** Most entries have fewer than ten changes, each with the replaced texts. */
const BYTES_PER_ENTRY = 8 * 1024

export const listKevHistory = defineEndpoint({
  name: 'list-kev-history',
  method: 'GET',
  path: '/api/v1/kev/history',
  tag: 'KEV',
  summary: 'List the entries that KEV has or had',
  description:
    "Every entry that CISA's catalog of known exploited vulnerabilities (KEV) has or had, newest additions first: when CISA added and removed it, and what changed in it with the old and new values. CISA announces neither changes nor removals.",
  access: 'key',
  credits: 1,
  consumesRate: true,
  console: { minRole: 'viewer', cost: 'read' },
  work: 'search',
  cacheControl: 'private, max-age=60',
  response: {
    name: 'KevHistory',
    schema: closedObject(
      {
        entries: Type.Array(
          closedObject(
            {
              cve_id: cveIdSchema(),
              added_at: daySchema("Day of the addition by CISA's own date; the last one for an entry that returned."),
              removed_at: orNull(
                instantSchema('Release time of the first catalog without the entry; null while CISA lists the CVE.'),
              ),
              entry: kevPastEntrySchema,
              history: Type.Array(kevChangeSchema, { description: 'What changed after the addition, newest first.' }),
            },
            'An entry that the KEV catalog has or had.',
            'KevHistoryEntry',
          ),
          { description: 'The entries, newest additions first.' },
        ),
        complete_since: orNull(
          instantSchema(
            'Time since which every change is known: the first import of the catalog, or an earlier release that the operator imported with the feed kev-history; null before the first import. Entries that CISA removed earlier are missing.',
          ),
        ),
        pagination: paginationSchema,
      },
      'The history of the KEV catalog.',
    ),
  },
  example,
  errors: [],
  parameters: { query },
  estimateBytes: ({ query: { limit } }) => limit * BYTES_PER_ENTRY,
  // Rejects an invalid cursor before credits are charged.
  answerWithoutCharge: (input, services) => {
    decodePosition(input.query, services)
    return undefined
  },
  answer: async (input, services) => {
    const { limit } = input.query
    const filters = readFilters(input.query)
    const page = await readKevHistory(services.db, { ...filters, limit, after: decodePosition(input.query, services) })
    const { last, totalEstimate } = page
    const nextCursor = last && services.cursors.encode(buildScope(filters), { ...last, totalEstimate, asOf: null })
    return {
      data: {
        entries: page.rows.map(renderEntry),
        complete_since: page.completeSince,
        pagination: renderPagination({ limit, nextCursor, totalEstimate }),
      },
    }
  },
})

const renderEntry = ({ key, added_at, removed_at, entry, history }: KevHistoryRow) => ({
  cve_id: toCveId(key),
  added_at,
  removed_at,
  entry,
  history,
})

type Filters = Pick<Query, 'cve_id' | 'removed'>

const readFilters = ({ cve_id, removed }: Query): Filters => ({ cve_id, removed })

const buildScope = ({ cve_id, removed }: Filters): CursorScope => ({
  endpoint: 'list-kev-history',
  filters: { cve_id, removed },
})

function decodePosition(sent: Query, { cursors }: Services): CursorPosition | undefined {
  return cursors.decode(buildScope(sent), sent.after)
}
