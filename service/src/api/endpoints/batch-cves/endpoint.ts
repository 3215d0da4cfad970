import { Type } from 'typebox'
import { cveIdSchema } from '../../../contract/record/cve-fields.ts'
import { type BodyOf, optionalField, optionalList, requiredList } from '../../../contract/request/body.ts'
import { list, optional, type ValuesOf } from '../../../contract/request/parameters.ts'
import { cveId } from '../../../contract/request/value-types.ts'
import { countSchema, instantSchema } from '../../../contract/response/schemas.ts'
import { type CveId, type CveKey, toCveId, toCveKey } from '../../../domain/cve-id.ts'
import { formatInstant } from '../../../domain/instant.ts'
import { assemble, assembleAll } from '../../../record/assemble.ts'
import type { BatchRecord } from '../../../record/cache/batch-cache.ts'
import { cveSchema } from '../../../record/record-schema.ts'
import { describeInclude, estimateBytes, fieldType, includeType, select } from '../../../record/selection-parameters.ts'
import { levelType } from '../../../search/filters/values/severity.ts'
import { sortType } from '../../../search/sort.ts'
import { defineEndpoint, type Services } from '../../services.ts'
import example from './example.json' with { type: 'json' }
import { type BatchQuery, DEFAULT_SELECTION, isDefaultBatch, readBatch, readDefaultBatch } from './query.ts'

const CREDITS = 35
/** In the console, a batch counts as one read per 10 ids. */
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
  description: 'The price is the same for 1 to 50 ids. All records belong to the same state of the data.',
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
  answer: async (input, services) => {
    const requested = [...new Set(input.body.cve_ids)]
    const severity = input.query.severity ?? input.body.severity
    const query = {
      keys: requested.map(toCveKey).filter((key) => key !== undefined),
      selection: select('batch', input.body),
      sort: input.query.sort ?? input.body.sort,
      severity,
    }
    const found = isDefaultBatch(query) ? await findDefault(query.keys, services) : await findSelected(query, services)
    const members = {
      ...partitionIds(requested, found, severity !== undefined),
      total_requested: input.body.cve_ids.length,
      credits_charged: services.isFree ? 0 : CREDITS,
      enriched_percentage: computeEnrichedPercentage(found),
      timestamp: JSON.stringify(formatInstant(services.now)),
    }
    const rest = Object.entries(members).map(([name, text]) => `"${name}":${text}`)
    return { json: ['{"cves":{', ...found.records, `},${rest.join(',')}}`] }
  },
})

/** The CVEs in a batch that exist. */
interface Found {
  /** The members of `cves` as chunks of JSON text. */
  readonly records: readonly string[]
  readonly keys: readonly string[]
  readonly enriched: number
  /** CVEs that the `severity` filter excludes from the response. */
  readonly filteredOut: readonly string[]
}

/**
 * Finds the records for a batch that has none of fields, include, sort and severity, in memory or else in the database.
 */
async function findDefault(keys: readonly CveKey[], { db, batchRecords }: Services): Promise<Found> {
  const records = batchRecords.get(keys) ?? (await readDefault(keys, { db, batchRecords }))
  return {
    records: records.flatMap(({ key, text }, index) => [`${index === 0 ? '' : ','}${formatName(key)}`, text]),
    keys: records.map(({ key }) => key),
    enriched: records.filter(({ isEnriched }) => isEnriched).length,
    filteredOut: [],
  }
}

async function readDefault(
  keys: readonly CveKey[],
  { db, batchRecords }: Pick<Services, 'db' | 'batchRecords'>,
): Promise<readonly BatchRecord[]> {
  const { rows, position } = await readDefaultBatch(db, keys)
  const records = rows.map((row) => ({
    key: row.cve_key,
    text: assemble(row, DEFAULT_SELECTION),
    isEnriched: row.is_enriched,
  }))
  batchRecords.keep(records, position)
  return records
}

async function findSelected(query: BatchQuery, { db }: Services): Promise<Found> {
  const rows = await readBatch(db, query)
  const shown = rows.filter(({ passes_filter }) => passes_filter)
  return {
    records: assembleAll(shown, query.selection, ({ cve_key }) => formatName(cve_key)),
    keys: shown.map(({ cve_key }) => cve_key),
    enriched: shown.filter(({ is_enriched }) => is_enriched).length,
    filteredOut: rows.filter(({ passes_filter }) => !passes_filter).map(({ cve_key }) => cve_key),
  }
}

/**
 * Formats the name of a member of `cves`. The object is assembled as text, because the API promises a member order that
 * a JavaScript object does not guarantee.
 */
const formatName = (key: string) => `"${toCveId(key)}":`

function requireOneLocation(name: 'sort' | 'severity') {
  return {
    parameters: [name] as const,
    check: ({ query, body }: Input) =>
      query[name] !== undefined && body[name] !== undefined
        ? 'must stand in the query or in the body, not both'
        : undefined,
  }
}

/** Counts every distinct id in the batch once: in `cves`, in `not_found` or in `filtered_out`. */
function partitionIds(requested: readonly CveId[], { keys, filteredOut }: Found, isFiltered: boolean) {
  const excluded = new Set(filteredOut.map(toCveId))
  const existing = new Set([...keys.map(toCveId), ...excluded])
  return {
    not_found: JSON.stringify(requested.filter((id) => !existing.has(id))),
    ...(isFiltered ? { filtered_out: JSON.stringify(requested.filter((id) => excluded.has(id))) } : {}),
    count: keys.length,
  }
}

function computeEnrichedPercentage({ keys, enriched }: Found): number {
  return keys.length === 0 ? 0 : Math.round((enriched / keys.length) * 10_000) / 100
}
