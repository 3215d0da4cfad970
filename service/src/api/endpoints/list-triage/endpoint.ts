import { Type } from 'typebox'
import { readOwnTriage, type TriageEntry, type TriageFilter } from '../../../accounts/own-triage.ts'
import { afterParameter } from '../../../contract/cursor.ts'
import { list, optional, withDefault } from '../../../contract/request/parameters.ts'
import { cveId, integer, text, withExample, word } from '../../../contract/request/value-types.ts'
import { paginationSchema } from '../../../contract/response/page.ts'
import { closedObject } from '../../../contract/response/schemas.ts'
import { type JudgedEntry, renderEntry, triageEntrySchema, triageScopeType } from '../../../contract/triage/entries.ts'
import { TRIAGE_EFFECTS, TRIAGE_STATES, type TriageEffect } from '../../../domain/triage/words.ts'
import { actForTriage, judgeEntries } from '../../self-service/triage.ts'
import { defineEndpoint, requireCaller, type Services } from '../../services.ts'
import example from './example.json' with { type: 'json' }

const DEFAULT_LIMIT = 50
const MAX_LIMIT = 500
const MAX_PRODUCT_LENGTH = 128

export const listTriage = defineEndpoint({
  name: 'list-triage',
  method: 'GET',
  path: '/api/v1/triage',
  tag: 'Triage',
  summary: 'List triage entries',
  description:
    'What the account decided about CVEs, the newest entry first: the state, its scope and reason, who set it, and whether it hides findings now. Removed entries are not listed. Needs a key with the scope triage. Free of charge.',
  access: 'key',
  scope: 'triage',
  credits: 0,
  consumesRate: true,
  console: { minRole: 'viewer', cost: 'read' },
  work: 'account',
  cacheControl: 'no-store',
  response: {
    name: 'TriageList',
    schema: closedObject(
      {
        triage_entries: Type.Array(triageEntrySchema, { description: 'The entries.' }),
        pagination: paginationSchema,
      },
      'A page of the triage entries of the account.',
    ),
  },
  example,
  errors: [],
  parameters: {
    query: {
      ids: list(cveId(), 'Only entries of these CVEs.', { maxItems: 100 }),
      state: list(word(TRIAGE_STATES), 'Only entries with one of these states.'),
      effect: list(
        word(TRIAGE_EFFECTS),
        'Only entries with one of these effects: reopened lists what to look at again.',
      ),
      scope: optional(triageScopeType(), 'Only entries with this scope, whatever their versions.'),
      product: optional(
        withExample(text({ maxLength: MAX_PRODUCT_LENGTH }), 'lodash'),
        'Only entries whose scope contains this text.',
      ),
      limit: withDefault(integer({ minimum: 1, maximum: MAX_LIMIT }), DEFAULT_LIMIT, 'Maximum number of entries.'),
      after: afterParameter(),
    },
  },
  answer: async ({ query: { ids, state, effect, scope, product, limit, after } }, services) => {
    // The cursor is bound to the account, so one account's cursor is invalid in another.
    const filters = { account: requireCaller(services).accountId, ids, state, effect, scope: scope?.scope, product }
    const position = { endpoint: 'list-triage', filters }
    const before = services.cursors.decode(position, after)?.key
    const filter = { cveIds: ids, states: state, scope: scope?.scope, product: product || undefined }
    const found = await readJudged(services, { ...filter, before, count: limit + 1 }, effect)
    const page = found.slice(0, limit)
    const last = page.at(-1)
    const hasMore = found.length > limit && last !== undefined
    return {
      data: {
        triage_entries: page.map(renderEntry),
        pagination: {
          limit,
          hasMore,
          ...(hasMore && {
            nextCursor: services.cursors.encode(position, {
              value: null,
              key: last.entry.id,
              totalEstimate: 0,
              asOf: null,
            }),
          }),
        },
      },
    }
  },
})

const CHUNK = 1000

/**
 * Reads entries until enough have one of the effects. Effects depend on the catalog, which may be in another database,
 * so the accounts database cannot filter by them.
 */
async function readJudged(
  services: Services,
  filter: TriageFilter,
  effects: readonly TriageEffect[] | undefined,
): Promise<readonly JudgedEntry<TriageEntry>[]> {
  const found: JudgedEntry<TriageEntry>[] = []
  const count = effects === undefined ? filter.count : CHUNK
  for (let { before } = filter; ; ) {
    const read = await actForTriage(services, (accounts, credential) =>
      readOwnTriage(accounts, credential, { ...filter, before, count }),
    )
    const judged = await judgeEntries(read, services)
    found.push(...judged.filter(({ effect }) => effects === undefined || effects.includes(effect)))
    before = read.at(-1)?.id
    if (read.length < count || found.length >= filter.count) return found
  }
}
