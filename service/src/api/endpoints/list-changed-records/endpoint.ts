import { Type } from 'typebox'
import { changeSchema, rangeMembers, sinceType } from '../../../contract/changes.ts'
import { type CveRow, cveIdSchema } from '../../../contract/record/cve-fields.ts'
import { required, withDefault } from '../../../contract/request/parameters.ts'
import { integer, withExample } from '../../../contract/request/value-types.ts'
import { notReady } from '../../../contract/response/errors.ts'
import { closedObject, flagSchema } from '../../../contract/response/schemas.ts'
import { readSnapshot } from '../../../database/read-snapshot.ts'
import { START } from '../../../domain/change/position.ts'
import { type CveKey, toCveId } from '../../../domain/cve-id.ts'
import { assembleWhole } from '../../../record/assemble.ts'
import { EVERY_CHANGE } from '../../../record/change-log/filter.ts'
import { toPosition } from '../../../record/change-log/position-text.ts'
import { readPage } from '../../../record/change-log/read-log.ts'
import { renderChange, renderRange } from '../../../record/change-log/render.ts'
import { loadRecords } from '../../../record/load.ts'
import { cveSchema } from '../../../record/record-schema.ts'
import { WITH_ALL_ADD_ONS } from '../../../record/selection.ts'
import { estimateBytes } from '../../../record/selection-parameters.ts'
import { defineEndpoint } from '../../services.ts'
import example from './example.json' with { type: 'json' }
import { foldRows } from './fold.ts'

/** Maximum number of rows that are folded. Most CVEs have one row in a page. */
const MAX_ROWS = 500
/** In the console, a call counts as one read per 10 records, like a batch. */
const RECORDS_PER_CONSOLE_READ = 10

export const listChangedRecords = defineEndpoint({
  name: 'list-changed-records',
  method: 'GET',
  path: '/api/v1/changes/records',
  tag: 'Changes',
  summary: 'Get the records that changed',
  description:
    'The changes after a position or a time, of every cause, folded to one item per CVE: its whole current record with all add-ons, or gone: true. To keep a copy, replace each record and store next_since in the same transaction; to apply an answer twice is harmless. EPSS scores change daily and have no changes of their own: dataset_changes names each release. 410: the log does not list every change since then; begin again with a full copy.',
  access: 'key',
  credits: 10,
  consumesRate: true,
  console: {
    minRole: 'viewer',
    cost: 'read',
    countReads: ({ query }) => Math.ceil(query.limit / RECORDS_PER_CONSOLE_READ),
  },
  work: 'batch',
  cacheControl: 'private, no-cache',
  response: {
    name: 'ChangedRecordList',
    schema: closedObject(
      {
        records: Type.Array(
          closedObject(
            {
              cve_id: cveIdSchema(),
              gone: flagSchema('Whether the CVE is no longer in the catalog; it has no record then.'),
              record: Type.Optional(cveSchema('single')),
            },
            'A CVE that changed.',
          ),
          { description: 'The changed CVEs, in the order of their first change in this answer.' },
        ),
        dataset_changes: Type.Array(changeSchema, {
          description: 'Changes that concern all CVEs, such as a new EPSS release.',
        }),
        ...rangeMembers,
      },
      'The current records of the CVEs in a part of the change log.',
    ),
  },
  example,
  errors: ['GONE', 'NOT_READY'],
  parameters: {
    query: {
      since: required(
        sinceType(),
        'Where the list begins: next_since of the last answer; a time: what this service published after it (recorded_at); start: the beginning of the log, which is 410 for a catalog with a first load; now: no records, only the newest position.',
      ),
      limit: withDefault(withExample(integer({ minimum: 1, maximum: 100 }), 100), 100, 'Maximum number of records.'),
    },
  },
  estimateBytes: ({ query: { limit } }) => estimateBytes(WITH_ALL_ADD_ONS, limit),
  // A copy of a part of the catalog would look like a whole one.
  answerWithoutCharge: (_, { loading }) => {
    const progress = loading()
    if (progress !== undefined) throw notReady(progress)
    return undefined
  },
  answer: async ({ query: { since, limit } }, { db }) => {
    // Everything is read from one snapshot: a record must never be older than the changes that the position has passed.
    const { page, folded, rows } = await readSnapshot(db, async (snapshot) => {
      const page = await readPage(snapshot, since === 'start' ? START : since, EVERY_CHANGE, MAX_ROWS)
      const folded = foldRows(page.rows, limit)
      return { page, folded, rows: await loadRecords(snapshot, WITH_ALL_ADD_ONS, folded.keys) }
    })
    const isWhole = folded.count === page.rows.length
    const range = renderRange(
      isWhole ? page : { ...page, next: toPosition(page.rows[folded.count - 1]?.position), hasMore: true },
    )
    const rest = { dataset_changes: folded.others.map(renderChange), ...range }
    const records = renderRecords(folded.keys, rows)
    return { json: ['{"records":[', ...records, `],${JSON.stringify(rest).slice(1)}`] }
  },
})

/** Builds the records as chunks of JSON text, because a record can be large. */
function renderRecords(keys: readonly CveKey[], rows: readonly CveRow[]): string[] {
  const found = new Map(rows.map((row) => [row.cve_key, row]))
  return keys.flatMap((key, index) => {
    const separator = index === 0 ? '' : ','
    const row = found.get(key)
    if (!row) return [`${separator}{"cve_id":"${toCveId(key)}","gone":true}`]
    const [first = '', ...others] = assembleWhole(row)
    return [`${separator}${first}`, ...others]
  })
}
