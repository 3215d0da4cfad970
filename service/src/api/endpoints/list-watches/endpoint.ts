import { Type } from 'typebox'
import { readViewRights } from '../../../accounts/own-views.ts'
import { readOwnInbox } from '../../../accounts/watches/own-events.ts'
import { readOwnWatches } from '../../../accounts/watches/own-watches.ts'
import { afterParameter } from '../../../contract/cursor.ts'
import { optional, withDefault } from '../../../contract/request/parameters.ts'
import { flag, integer, withExample } from '../../../contract/request/value-types.ts'
import { paginationSchema } from '../../../contract/response/page.ts'
import { closedObject } from '../../../contract/response/schemas.ts'
import { viewRightsSchema } from '../../../contract/views.ts'
import { evaluatedSchema, teamFilterType, watchSchema } from '../../../contract/watches/watch.ts'
import { WATCH_LIMITS } from '../../../domain/account/plan.ts'
import { actForWatch, countMatching, renderEvaluated, renderWatch } from '../../self-service/watches.ts'
import { defineEndpoint, requireCaller } from '../../services.ts'
import example from './example.json' with { type: 'json' }

const MAX_LIMIT = 200
/** Each count reads the columns in memory once. */
const MAX_COUNTED = 25

export const listWatches = defineEndpoint({
  name: 'list-watches',
  method: 'GET',
  path: '/api/v1/watches',
  tag: 'Watches',
  summary: 'List watches',
  description:
    'The watches of the account, newest first: what each watches and tells, its state, its newest event and its events of the last seven days. evaluated says how far they were judged. Needs a key with the scope watch. Free of charge.',
  access: 'key',
  scope: 'watch',
  credits: 0,
  consumesRate: true,
  console: { minRole: 'viewer', cost: 'read' },
  work: 'search',
  cacheControl: 'no-store',
  response: {
    name: 'WatchList',
    schema: closedObject(
      {
        watches: Type.Array(watchSchema, { description: 'The watches.' }),
        pagination: paginationSchema,
        max_watches: Type.Integer({ minimum: 0, description: 'Number of watches that the plan allows.' }),
        max_feeds: Type.Integer({ minimum: 0, description: 'Number of feeds that the plan allows.' }),
        rights: viewRightsSchema,
        evaluated: evaluatedSchema,
      },
      'A page of the watches of the account.',
    ),
  },
  example,
  errors: [],
  parameters: {
    query: {
      team: optional(withExample(teamFilterType(), 'network'), 'Only watches of this team.'),
      counts: withDefault(
        flag(),
        false,
        `Whether to count the CVEs that match each watch now (matching_now). limit is then at most ${MAX_COUNTED}.`,
      ),
      limit: withDefault(
        withExample(integer({ minimum: 1, maximum: MAX_LIMIT }), MAX_COUNTED),
        MAX_COUNTED,
        'Maximum number of watches.',
      ),
      after: afterParameter(),
    },
  },
  rules: [
    {
      parameters: ['limit', 'counts'],
      check: ({ query: { limit, counts } }) =>
        counts && limit > MAX_COUNTED ? `must be at most ${MAX_COUNTED} together with counts=true` : undefined,
    },
  ],
  answer: async ({ query: { team, counts, limit, after } }, services) => {
    const { accountId, plan } = requireCaller(services)
    // The cursor is bound to the account, so one account's cursor is invalid in another.
    const position = { endpoint: 'list-watches', filters: { account: accountId, team } }
    const before = services.cursors.decode(position, after)?.key
    const { readsSaved, savesOwn, shares } = await actForWatch(services, readViewRights)
    const found = await actForWatch(services, (accounts, credential) =>
      readOwnWatches(accounts, credential, { team: team || undefined, before, count: limit + 1 }),
    )
    const inbox = await actForWatch(services, readOwnInbox)
    const page = found.slice(0, limit)
    const last = page.at(-1)
    const hasMore = found.length > limit && last !== undefined
    const watches = []
    for (const watch of page)
      watches.push(renderWatch(watch, services.now, counts ? await countMatching(watch.query, services) : undefined))
    return {
      data: {
        watches,
        pagination: {
          limit,
          hasMore,
          ...(hasMore && {
            nextCursor: services.cursors.encode(position, { value: null, key: last.id, totalEstimate: 0, asOf: null }),
          }),
        },
        max_watches: WATCH_LIMITS[plan].watches,
        max_feeds: WATCH_LIMITS[plan].feeds,
        rights: { reads_saved: readsSaved, saves_own: savesOwn, saves_shared: shares },
        evaluated: await renderEvaluated(inbox, services.db),
      },
    }
  },
})
