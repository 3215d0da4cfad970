import { Type } from 'typebox'
import { kevEntrySchema } from '../../../contract/kev.ts'
import { paginationSchema } from '../../../contract/page.ts'
import { optional, type ValuesOf, withDefault } from '../../../contract/parameters.ts'
import { date, flag, integer, text } from '../../../contract/value-types.ts'
import { afterParameter, type Place, type Query, renderPagination } from '../../cursor.ts'
import { defineEndpoint, type Services } from '../../services.ts'
import example from './example.json' with { type: 'json' }
import { type KevFilters, readKevPage } from './query.ts'

const query = {
  vendor: optional(text({ maxLength: 256 }), "Part of the vendor's name, in any letter case."),
  product: optional(text({ maxLength: 256 }), "Part of the product's name, in any letter case."),
  ransomware: optional(flag(), 'Whether ransomware campaigns are known to use it.'),
  due_date_after: optional(date(), 'Due on this day or later.'),
  due_date_before: optional(date(), 'Due on this day or earlier.'),
  limit: withDefault(integer({ minimum: 1, maximum: 500 }), 50, 'Page size.'),
  after: afterParameter(),
}

type Asked = ValuesOf<typeof query>

export const listKev = defineEndpoint({
  name: 'list-kev',
  method: 'GET',
  path: '/api/v1/kev',
  summary: "CISA's catalogue of known exploited vulnerabilities",
  description: 'Newest additions first. Entries that CISA has removed are gone.',
  access: 'key',
  credits: 1,
  consumesRate: true,
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
      of: ['due_date_after', 'due_date_before'],
      broken: ({ query: { due_date_after: from, due_date_before: to } }) =>
        from && to && from > to ? 'must not be later than due_date_before' : undefined,
    },
  ],
  known: (input, services) => {
    placeOf(input.query, services)
    return undefined
  },
  answer: async (input, services) => {
    const { db, cursors } = services
    const { limit } = input.query
    const filters = filtersOf(input.query)
    const page = await readKevPage(db, { filters, limit, place: placeOf(input.query, services) })
    const { last, totalEstimate } = page
    const nextCursor = last && cursors.seal(queryOf(filters), { ...last, totalEstimate, asOf: null })
    const pagination = JSON.stringify(renderPagination({ limit, nextCursor, totalEstimate }))
    return {
      json: `{"kev_entries":[${page.entries.join(',')}],"pagination":${pagination}}`,
      etagOf: `${page.version} ${pagination}`,
    }
  },
})

function filtersOf({ vendor, product, ransomware, due_date_after, due_date_before }: Asked): KevFilters {
  return {
    vendor: vendor?.toLowerCase(),
    product: product?.toLowerCase(),
    ransomware,
    dueAfter: due_date_after && dayOf(due_date_after),
    dueBefore: due_date_before && dayOf(due_date_before),
  }
}

const dayOf = (date: Date) => date.toISOString().slice(0, 10)

const queryOf = (filters: KevFilters): Query => ({ endpoint: 'list-kev', filters: { ...filters } })

/** Throws for a cursor that is not of this query, before anything is charged. */
function placeOf(asked: Asked, { cursors }: Services): Place | undefined {
  return cursors.open(queryOf(filtersOf(asked)), asked.after)
}
