import { Type } from 'typebox'
import { type BodyOf, optionalField, optionalList, requiredList } from '../../../contract/body.ts'
import { cveIdSchema } from '../../../contract/cve-object.ts'
import { list, optional, type ValuesOf } from '../../../contract/parameters.ts'
import { countSchema, instantSchema } from '../../../contract/schemas.ts'
import { cveId } from '../../../contract/value-types.ts'
import { type CveId, cveIdOf, toCveKey } from '../../../domain/cve-id.ts'
import { formatInstant } from '../../../domain/instant.ts'
import { assemble } from '../../cve-record/assemble.ts'
import { cveSchema } from '../../cve-record/schema.ts'
import { fieldItem, includeItem, type Selection, select } from '../../cve-record/selection.ts'
import { levelItem } from '../../cve-record/severity.ts'
import { sortItem } from '../../cve-record/sort.ts'
import { defineEndpoint } from '../../services.ts'
import example from './example.json' with { type: 'json' }
import { type BatchRow, readBatch } from './query.ts'

const CREDITS = 35
const SORT = 'Orders the map; default: as asked for. In the body or in the query.'
const SEVERITY = 'Only these; the others are named in filtered_out. In the body or in the query.'

const query = { sort: optional(sortItem(), SORT), severity: list(levelItem(), SEVERITY) }
const body = {
  cve_ids: requiredList(cveId(), { description: 'Duplicates are folded.', minItems: 1, maxItems: 50 }),
  fields: optionalList(fieldItem(), 'Only these members. An add-on must be included and selected.'),
  include: optionalList(includeItem(), 'Add-ons: acsc, enrichment, attack. (epss and kev are there anyway.)'),
  sort: optionalField(sortItem(), SORT),
  severity: optionalList(levelItem(), SEVERITY),
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
  summary: 'Up to 50 CVEs at once',
  description: 'A flat price for 1 to 50 ids. All records are of one moment.',
  access: 'key',
  credits: CREDITS,
  consumesRate: true,
  cacheControl: 'no-store',
  response: {
    name: 'CveBatch',
    schema: Type.Object(
      {
        cves: Type.Record(Type.String({ pattern: '^CVE-' }), cveSchema('batch'), { description: 'By id.' }),
        not_found: ids('Without a record, as asked for.'),
        filtered_out: Type.Optional(ids('Of another severity; only when severity was asked for.')),
        count: countSchema('Records in cves.'),
        total_requested: countSchema('Items of cve_ids as sent.'),
        credits_charged: Type.Literal(CREDITS),
        enriched_percentage: Type.Number({ minimum: 0, maximum: 100, description: 'Of cves, two decimals.' }),
        timestamp: instantSchema(),
      },
      { additionalProperties: false },
    ),
  },
  example,
  errors: [],
  parameters: { query },
  body,
  rules: [inOnePlace('sort'), inOnePlace('severity')],
  answer: async (input, { db, now }) => {
    const asked = [...new Set(input.body.cve_ids)]
    const selection = select('batch', input.body)
    const severity = input.query.severity ?? input.body.severity
    const rows = await readBatch(db, {
      keys: asked.map(toCveKey).filter((key) => key !== undefined),
      selection,
      sort: input.query.sort ?? input.body.sort,
      severity,
    })
    const members = {
      cves: mapOf(rows, selection),
      ...rest(asked, rows, severity !== undefined),
      total_requested: input.body.cve_ids.length,
      credits_charged: CREDITS,
      enriched_percentage: enrichedPercentage(rows),
      timestamp: JSON.stringify(formatInstant(now)),
    }
    return {
      json: `{${Object.entries(members)
        .map(([name, text]) => `"${name}":${text}`)
        .join(',')}}`,
    }
  },
})

function inOnePlace(name: 'sort' | 'severity') {
  return {
    of: [name] as const,
    broken: ({ query, body }: Input) =>
      query[name] !== undefined && body[name] !== undefined
        ? 'must stand in the query or in the body, not both'
        : undefined,
  }
}

/** Written as text, because the order of its keys is promised. */
function mapOf(rows: readonly BatchRow[], selection: Selection): string {
  const records = rows.filter(({ is_wanted }) => is_wanted)
  return `{${records.map((row) => `"${cveIdOf(row.cve_key)}":${assemble(row, selection)}`).join(',')}}`
}

/** Every distinct id is counted once: in the map, not found, or filtered out. */
function rest(asked: readonly CveId[], rows: readonly BatchRow[], isFiltered: boolean) {
  const found = new Map(rows.map((row) => [cveIdOf(row.cve_key), row.is_wanted]))
  const filteredOut = asked.filter((id) => found.get(id) === false)
  return {
    not_found: JSON.stringify(asked.filter((id) => !found.has(id))),
    ...(isFiltered ? { filtered_out: JSON.stringify(filteredOut) } : {}),
    count: found.size - filteredOut.length,
  }
}

function enrichedPercentage(rows: readonly BatchRow[]): number {
  const records = rows.filter(({ is_wanted }) => is_wanted)
  if (records.length === 0) return 0
  return Math.round((records.filter(({ is_enriched }) => is_enriched).length / records.length) * 10_000) / 100
}
