import { Type } from 'typebox'
import { unknownNamesSchema } from '../../../contract/name-suggestions.ts'
import { optionalField } from '../../../contract/request/body.ts'
import { integer, withExample } from '../../../contract/request/value-types.ts'
import { closedObject } from '../../../contract/response/schemas.ts'
import { previewSchema } from '../../../contract/watches/preview.ts'
import { watchFields } from '../../../contract/watches/watch.ts'
import { DEFAULT_WATCH_KINDS } from '../../../domain/watch/kinds.ts'
import { findUnknownNames } from '../../../search/names/find-unknown-names.ts'
import { requirePublished } from '../../cve-record/published.ts'
import { watchQueryField } from '../../self-service/watch-body.ts'
import { previewWatch as preview } from '../../self-service/watch-past.ts'
import { assertSourceAllowed, readStoredFilters, sortKinds } from '../../self-service/watches.ts'
import { defineEndpoint } from '../../services.ts'
import example from './example.json' with { type: 'json' }

const MAX_DAYS = 30

export const previewWatch = defineEndpoint({
  name: 'preview-watch',
  method: 'POST',
  path: '/api/v1/watches/preview',
  tag: 'Watches',
  summary: 'Preview a watch',
  description:
    'What a watch with this query would have told in the last days: counts by day and word of on, and up to 20 examples, judged by the same rules as events. Whole days are judged, the newest first, for at most four seconds; examined_since and is_complete say how far. Needs a key with the scope watch.',
  access: 'key',
  scope: 'watch',
  credits: 1,
  consumesRate: true,
  console: { minRole: 'viewer', cost: 'read' },
  work: 'search',
  cacheControl: 'no-store',
  response: {
    name: 'PreviewedWatch',
    schema: closedObject(
      { preview: previewSchema, did_you_mean: Type.Optional(unknownNamesSchema) },
      'The preview of a watch.',
    ),
  },
  example,
  errors: ['FORBIDDEN', 'NOT_READY', 'QUERY_TIMEOUT'],
  body: {
    query: watchQueryField,
    on: watchFields.on,
    days: optionalField(
      withExample(integer({ minimum: 1, maximum: MAX_DAYS }), MAX_DAYS),
      `Number of days back from now; default ${MAX_DAYS}.`,
    ),
  },
  rules: [
    {
      parameters: ['query'],
      check: ({ body: { query } }) => (query === undefined ? 'is required: an object with filters' : undefined),
    },
  ],
  answer: async ({ body: { query = '', on, days = MAX_DAYS } }, services) => {
    assertSourceAllowed(query, services)
    await requirePublished(services)
    const { db, now, signal } = services
    const filters = readStoredFilters(query, now)
    const kinds = sortKinds(on ?? DEFAULT_WATCH_KINDS)
    const previewed = await preview(db, { query, filters, on: kinds, days, now, signal })
    const unknown = await findUnknownNames(db, filters, previewed.expected_total > 0)
    return { data: { preview: previewed, ...(unknown.length > 0 && { did_you_mean: unknown }) } }
  },
})
