import { snoozeOwnWatch } from '../../../accounts/watches/own-watches.ts'
import { optionalField } from '../../../contract/request/body.ts'
import { required } from '../../../contract/request/parameters.ts'
import { createIssue } from '../../../contract/request/validation-issue.ts'
import { moment, withExample } from '../../../contract/request/value-types.ts'
import { invalidParameters } from '../../../contract/response/errors.ts'
import { oneWatchSchema, watchIdType } from '../../../contract/watches/watch.ts'
import { addDays } from '../../../domain/epss-series/days.ts'
import { formatDay } from '../../../domain/instant.ts'
import { actForWatch, describeWatch, readOwnWatch, requireWatch } from '../../self-service/watches.ts'
import { defineEndpoint } from '../../services.ts'
import example from './example.json' with { type: 'json' }

const MAX_DAYS = 366

export const snoozeWatch = defineEndpoint({
  name: 'snooze-watch',
  method: 'POST',
  path: '/api/v1/watches/{watch-id}/snooze',
  tag: 'Watches',
  summary: 'Snooze a watch',
  description:
    'Silences a watch until a time: its events are still recorded and listed, but do not count as unread until then. Without until, a snooze ends now. Needs a key with the scope watch, or an admin. Free of charge.',
  access: 'key',
  scope: 'watch',
  credits: 0,
  consumesRate: true,
  console: { minRole: 'viewer', cost: 'read' },
  work: 'search',
  cacheControl: 'no-store',
  response: { name: 'SnoozedWatch', schema: oneWatchSchema('The watch after the change.') },
  example,
  errors: ['NOT_FOUND', 'CONFLICT', 'QUERY_TIMEOUT'],
  parameters: { path: { 'watch-id': required(watchIdType(), 'Id of the watch.') } },
  body: {
    until: optionalField(
      withExample(moment(), '2027-01-31'),
      `End of the snooze, at most ${MAX_DAYS} days from now. A day is snoozed to its end (UTC).`,
    ),
  },
  answer: async ({ path, body }, services) => {
    const id = path['watch-id']
    const until = body.until?.last ?? null
    if (until !== null) assertPossible(until, services.now)
    const change = await actForWatch(services, (accounts, credential) =>
      snoozeOwnWatch(accounts, credential, { id, until }),
    )
    requireWatch(change, id)
    return { data: await describeWatch(await readOwnWatch(services, id), services) }
  },
})

function assertPossible(until: Date, now: Date): void {
  const lastDay = addDays(formatDay(now), MAX_DAYS)
  if (until > now && formatDay(until) <= lastDay) return
  throw invalidParameters([createIssue('until', until.toISOString(), `a time in the future, up to ${lastDay}`)])
}
