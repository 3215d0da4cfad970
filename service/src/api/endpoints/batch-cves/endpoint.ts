import { Type } from 'typebox'
import { type BodyOf, optionalField, optionalList, requiredList } from '../../../contract/body.ts'
import { cveIdSchema } from '../../../contract/cve-fields.ts'
import { list, optional, type ValuesOf } from '../../../contract/parameters.ts'
import { countSchema, instantSchema } from '../../../contract/schemas.ts'
import { cveId } from '../../../contract/value-types.ts'
import { type CveId, toCveId, toCveKey } from '../../../domain/cve-id.ts'
import { formatInstant } from '../../../domain/instant.ts'
import { assembleAll } from '../../../record/assemble.ts'
import type { Selection } from '../../../record/selection.ts'
import { cveSchema } from '../../cve-record/schema.ts'
import { describeInclude, estimateBytes, fieldType, includeType, select } from '../../cve-record/selection.ts'
import { levelType } from '../../cve-record/severity.ts'
import { sortType } from '../../cve-record/sort.ts'
import { defineEndpoint } from '../../services.ts'
import example from './example.json' with { type: 'json' }
import { type BatchRow, readBatch } from './query.ts'

const CREDITS = 35
/** A batch through the console counts as one read for each 10 ids. */
const IDS_PER_CONSOLE_READ = 10
const SORT =
  'Order of the members of cves. Default: the order of cve_ids. Send it in the body or in the query, not both.'
const SEVERITY =
  'Return only CVEs of these severity levels; filtered_out lists the other ids. Send it in the body or in the query, not both.'

const query = {
  sort: optional(sortType(), SORT),
  severity: list(levelType(), SEVERITY, { example: ['critical', 'high'] }),
}
const body = {
  cve_ids: requiredList(cveId(), { description: 'CVE ids. Duplicate ids are ignored.', minItems: 1, maxItems: 50 }),
  fields: optionalList(fieldType('batch'), 'Return only these members. An add-on must be included and selected.'),
  include: optionalList(includeType('batch'), describeInclude('batch')),
  sort: optionalField(sortType(), SORT),
  severity: optionalList(levelType(), SEVERITY),
}

interface Input {
  readonly query: ValuesOf<typeof query>
  readonly body: BodyOf<typeof body>
}

const ids = (description: string) => Type.Array(cveIdSchema(), { description })

export const batchCves = defineEndpoint({
  name: 'batch-cves',
  method: 'POST',
  path: '/api/v1/cve/batch',
  tag: 'CVEs',
  summary: 'Get up to 50 CVEs',
  description: 'The price is the same for 1 to 50 ids. All records are read at the same moment.',
  access: 'key',
  credits: CREDITS,
  consumesRate: true,
  console: {
    minRole: 'viewer',
    cost: 'read',
    countReads: ({ body }) => Math.ceil(body.cve_ids.length / IDS_PER_CONSOLE_READ),
  },
  work: 'batch',
  cacheControl: 'no-store',
  response: {
    name: 'CveBatch',
    schema: Type.Object(
      {
        cves: Type.Record(Type.String({ pattern: '^CVE-' }), cveSchema('batch'), {
          description: 'The records by CVE id.',
        }),
        not_found: ids('Requested ids that have no record, in the order of cve_ids.'),
        filtered_out: Type.Optional(ids('Requested ids of another severity. Absent without the parameter severity.')),
        count: countSchema('Number of records in cves.'),
        total_requested: countSchema('Number of items in cve_ids as sent, including duplicates.'),
        credits_charged: Type.Enum([CREDITS, 0], {
          description: 'Credits charged for this request; 0 in the web console, where reads are free.',
        }),
        enriched_percentage: Type.Number({
          minimum: 0,
          maximum: 100,
          description: 'Share of the records in cves that are enriched, in percent with two decimals.',
        }),
        timestamp: instantSchema('The time of the response, in UTC and whole seconds.'),
      },
      { additionalProperties: false },
    ),
  },
  example,
  errors: [],
  parameters: { query },
  body,
  rules: [requireOneLocation('sort'), requireOneLocation('severity')],
  estimateBytes: ({ body }) => estimateBytes(select('batch', body), body.cve_ids.length),
  answer: async (input, { db, now, isFree }) => {
    const requested = [...new Set(input.body.cve_ids)]
    const selection = select('batch', input.body)
    const severity = input.query.severity ?? input.body.severity
    const rows = await readBatch(db, {
      keys: requested.map(toCveKey).filter((key) => key !== undefined),
      selection,
      sort: input.query.sort ?? input.body.sort,
      severity,
    })
    const members = {
      ...partitionIds(requested, rows, severity !== undefined),
      total_requested: input.body.cve_ids.length,
      credits_charged: isFree ? 0 : CREDITS,
      enriched_percentage: computeEnrichedPercentage(rows),
      timestamp: JSON.stringify(formatInstant(now)),
    }
    const rest = Object.entries(members).map(([name, text]) => `"${name}":${text}`)
    return { json: ['{"cves":{', ...renderRecords(rows, selection), `},${rest.join(',')}}`] }
  },
})

function requireOneLocation(name: 'sort' | 'severity') {
  return {
    parameters: [name] as const,
    check: ({ query, body }: Input) =>
      query[name] !== undefined && body[name] !== undefined
        ? 'must stand in the query or in the body, not both'
        : undefined,
  }
}

/**
 * Builds the JSON text of the members of `cves` directly, because the API promises an order of the members that a
 * JavaScript object does not guarantee.
 */
function renderRecords(rows: readonly BatchRow[], selection: Selection): string[] {
  const records = rows.filter(({ passes_filter }) => passes_filter)
  return assembleAll(records, selection, ({ cve_key }) => `"${toCveId(cve_key)}":`)
}

/** Counts every distinct id of the batch once: in `cves`, in `not_found` or in `filtered_out`. */
function partitionIds(requested: readonly CveId[], rows: readonly BatchRow[], isFiltered: boolean) {
  const found = new Map(rows.map((row) => [toCveId(row.cve_key), row.passes_filter]))
  const filteredOut = requested.filter((id) => found.get(id) === false)
  return {
    not_found: JSON.stringify(requested.filter((id) => !found.has(id))),
    ...(isFiltered ? { filtered_out: JSON.stringify(filteredOut) } : {}),
    count: found.size - filteredOut.length,
  }
}

function computeEnrichedPercentage(rows: readonly BatchRow[]): number {
  const records = rows.filter(({ passes_filter }) => passes_filter)
  if (records.length === 0) return 0
  return Math.round((records.filter(({ is_enriched }) => is_enriched).length / records.length) * 10_000) / 100
}
