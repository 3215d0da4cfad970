import { Type } from 'typebox'
import { afterParameter, type CursorPosition, type CursorScope, renderPagination } from '../../../contract/cursor.ts'
import { kevEntrySchema } from '../../../contract/record/kev.ts'
import { optional, type ValuesOf, withDefault } from '../../../contract/request/parameters.ts'
import { date, flag, integer, text, withExample } from '../../../contract/request/value-types.ts'
import { paginationSchema } from '../../../contract/response/page.ts'
import { formatDay } from '../../../domain/instant.ts'
import { RANSOMWARE_LABELS } from '../../../search/filters/exploitation.ts'
import { defineEndpoint, type Services } from '../../services.ts'
import example from './example.json' with { type: 'json' }
import { type KevFilters, readKevPage } from './query.ts'

const query = {
  vendor: optional(
    withExample(text({ maxLength: 256 }), 'Microsoft'),
    "Part of the vendor's name. Upper and lower case are the same.",
  ),
  product: optional(
    withExample(text({ maxLength: 256 }), 'Exchange'),
    "Part of the product's name. Upper and lower case are the same.",
  ),
  ransomware: optional(
    flag(RANSOMWARE_LABELS),
    'Whether the vulnerability is known to be used in ransomware campaigns.',
  ),
  due_date_after: optional(date(), 'Due on or after this date.'),
  due_date_before: optional(date(), 'Due on or before this date.'),
  limit: withDefault(integer({ minimum: 1, maximum: 500 }), 50, 'Maximum entries per page.'),
  after: afterParameter(),
}

type Query = ValuesOf<typeof query>

export const listKev = defineEndpoint({
  name: 'list-kev',
  method: 'GET',
  path: '/api/v1/kev',
  tag: 'KEV',
  summary: 'List known exploited vulnerabilities',
  description:
    "Entries of CISA's catalog of known exploited vulnerabilities (KEV), newest additions first. Entries that CISA has removed are not listed.",
  access: 'key',
  credits: 1,
  consumesRate: true,
  console: { minRole: 'viewer', cost: 'read' },
  work: 'search',
  cacheControl: 'private, max-age=60',
  response: {
    name: 'KevList',
    schema: Type.Object(
      { kev_entries: Type.Array(kevEntrySchema), pagination: paginationSchema },
      { additionalProperties: false },
    ),
  },
  example,
  errors: [],
  parameters: { query },
  rules: [
    {
      parameters: ['due_date_after', 'due_date_before'],
      check: ({ query: { due_date_after: from, due_date_before: to } }) =>
        from && to && from > to ? 'must not be later than due_date_before' : undefined,
    },
  ],
  // Rejects an invalid cursor before credits are charged.
  answerWithoutCharge: (input, services) => {
    decodePosition(input.query, services)
    return undefined
  },
  answer: async (input, services) => {
    const { db, cursors } = services
    const { limit } = input.query
    const filters = buildFilters(input.query)
    const page = await readKevPage(db, { filters, limit, after: decodePosition(input.query, services) })
    const { last, totalEstimate } = page
    const nextCursor = last && cursors.encode(buildScope(filters), { ...last, totalEstimate, asOf: null })
    const pagination = JSON.stringify(renderPagination({ limit, nextCursor, totalEstimate }))
    return {
      json: `{"kev_entries":[${page.entries.join(',')}],"pagination":${pagination}}`,
      etagSource: `${page.version} ${pagination}`,
    }
  },
})

function buildFilters({ vendor, product, ransomware, due_date_after, due_date_before }: Query): KevFilters {
  return {
    vendor: vendor?.toLowerCase(),
    product: product?.toLowerCase(),
    ransomware,
    dueAfter: due_date_after && formatDay(due_date_after),
    dueBefore: due_date_before && formatDay(due_date_before),
  }
}

const buildScope = (filters: KevFilters): CursorScope => ({ endpoint: 'list-kev', filters: { ...filters } })

function decodePosition(query: Query, { cursors }: Services): CursorPosition | undefined {
  return cursors.decode(buildScope(buildFilters(query)), query.after)
}
