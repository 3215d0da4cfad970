import { Type } from 'typebox'
import { type EventPage, readOwnEvents, readOwnInbox } from '../../../accounts/watches/own-events.ts'
import { list, optional, type ValuesOf, withDefault } from '../../../contract/request/parameters.ts'
import { flag, integer, withExample } from '../../../contract/request/value-types.ts'
import { closedObject } from '../../../contract/response/schemas.ts'
import { kindType } from '../../../contract/watch-kinds.ts'
import { eventsAhead, eventsGone } from '../../../contract/watches/errors.ts'
import { eventBeforeType, eventRangeMembers, eventSchema, eventSinceType } from '../../../contract/watches/event.ts'
import { evaluatedSchema, teamFilterType, watchIdType } from '../../../contract/watches/watch.ts'
import { renderEvent } from '../../self-service/events.ts'
import { actForWatch, renderEvaluated } from '../../self-service/watches.ts'
import { defineEndpoint, requireCaller, type Services } from '../../services.ts'
import example from './example.json' with { type: 'json' }

const MAX_WAIT_SECONDS = 25
const MAX_LIMIT = 200
const BYTES_PER_EVENT = 2048

const query = {
  since: optional(
    eventSinceType(),
    'Where the list begins, oldest event first: next_since of the last answer; start: the oldest event that is kept; now: no events, only where to continue. Required, unless before is sent.',
  ),
  before: optional(
    eventBeforeType(),
    'Reads backwards, newest event first: now for the newest ones, then next_before of the last answer.',
  ),
  watch: optional(watchIdType(), 'Only events of this watch. Events of a removed watch can still be listed.'),
  on: list(
    kindType(),
    'Only events with one of these words in on. Events about no single CVE (recalculated, gap) are always listed.',
    { example: ['entered', 'exploited'] },
  ),
  team: optional(withExample(teamFilterType(), 'network'), 'Only events of watches that have this team now.'),
  muted: optional(flag(), 'true: only events that were muted when they were recorded; false: only the others.'),
  limit: withDefault(withExample(integer({ minimum: 1, maximum: MAX_LIMIT }), 50), 50, 'Maximum number of events.'),
  wait: withDefault(
    withExample(integer({ minimum: 0, maximum: MAX_WAIT_SECONDS }), 25),
    0,
    'Seconds to wait for an event if there is none. Only a number waits: continue with next_since.',
  ),
}

type Query = ValuesOf<typeof query>

export const listEvents = defineEndpoint({
  name: 'list-events',
  method: 'GET',
  path: '/api/v1/events',
  tag: 'Watches',
  summary: 'List events',
  description:
    'What the watches of the account told, each event exactly once, in the order of its number nr. A program stores next_since and continues with it; with wait, the call is answered as soon as there is an event. A person reads backwards with before=now. 410: later events are no longer kept, or the number is not known. Needs a key with the scope watch. Free of charge.',
  access: 'key',
  scope: 'watch',
  credits: 0,
  consumesRate: true,
  console: { minRole: 'viewer', cost: 'read' },
  work: 'account',
  cacheControl: 'no-store',
  response: {
    name: 'EventList',
    schema: closedObject(
      {
        watch_events: Type.Array(eventSchema, {
          description: 'The events: oldest first with since, newest first with before.',
        }),
        ...eventRangeMembers,
        evaluated: evaluatedSchema,
      },
      'A part of the events of the account.',
    ),
  },
  example,
  errors: ['GONE'],
  parameters: { query },
  rules: [
    {
      parameters: ['since', 'before'],
      check: ({ query: { since, before } }) =>
        (since === undefined) === (before === undefined)
          ? 'or before is required, and only one of them: since=start for a program, before=now for the newest events'
          : undefined,
    },
  ],
  estimateBytes: ({ query: { limit } }) => limit * BYTES_PER_EVENT,
  wait: ({ query: sent }, services, signal) =>
    typeof sent.since === 'number'
      ? services.inbox.wait(
          { credential: requireCaller(services).credential, filter: toFilter(sent), after: sent.since },
          { ms: sent.wait * 1000, signal },
        )
      : undefined,
  answer: async ({ query: sent }, services) => {
    const { page, shown, hasMore } = await readPage(sent, services)
    const last = shown.at(-1)?.nr
    const isBackwards = sent.before !== undefined
    const forwards = hasMore && last !== undefined ? last : page.newest
    return {
      data: {
        watch_events: shown.map((row) => renderEvent(row, services.publicUrl)),
        next_since: String(isBackwards ? page.newest : forwards),
        next_before: isBackwards && hasMore && last !== undefined ? String(last) : null,
        has_more: hasMore,
        newest_nr: page.newest,
        oldest_nr: page.oldest,
        evaluated: await renderEvaluated(page, services.db),
      },
    }
  },
})

const toFilter = ({ watch, team, on, muted }: Query) => ({
  watchId: watch,
  team: team || undefined,
  kinds: on,
  isMuted: muted,
})

async function readPage(sent: Query, services: Services) {
  const { since, before, limit } = sent
  if (since === 'now') {
    const page = { ...(await actForWatch(services, readOwnInbox)), rows: [] } satisfies EventPage
    return { page, shown: page.rows, hasMore: false }
  }
  const filter = toFilter(sent)
  const count = limit + 1
  const range =
    before === undefined
      ? { after: typeof since === 'number' ? since : 0, count }
      : { before: before === 'now' ? Number.MAX_SAFE_INTEGER : before, count }
  const page = await actForWatch(services, (accounts, credential) => readOwnEvents(accounts, credential, filter, range))
  if (typeof since === 'number') assertKept(since, page)
  return { page, shown: page.rows.slice(0, limit), hasMore: page.rows.length > limit }
}

function assertKept(since: number, { oldest, newest }: EventPage): void {
  const details = { oldest_nr: oldest, newest_nr: newest }
  if (since > newest) throw eventsAhead(since, details)
  if (since < oldest - 1) throw eventsGone(since, details)
}
