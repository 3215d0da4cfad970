import { readOwnMember, markSeen as storeSeen } from '../../../accounts/people/own-member.ts'
import {
  eventsAheadOfInbox,
  memberOnly,
  ownMemberSchema,
  positionAhead,
  positionType,
  renderOwnMember,
} from '../../../contract/own-member.ts'
import { optionalField } from '../../../contract/request/body.ts'
import { integer, withExample } from '../../../contract/request/value-types.ts'
import { formatPosition, isAfter } from '../../../domain/change/position.ts'
import { actForCaller } from '../../self-service/act.ts'
import { defineEndpoint } from '../../services.ts'
import example from './example.json' with { type: 'json' }
import { isInLog } from './query.ts'

export const markSeen = defineEndpoint({
  name: 'mark-seen',
  method: 'POST',
  path: '/api/v1/members/me/seen',
  tag: 'Account',
  summary: 'Mark changes and events as seen',
  description:
    'Stores how far the signed-in member has read the change log, the events of the account, or both. Positions move only forward: an earlier one changes nothing, and no other member, session or key can move it. 403 for a key, which has no member. Free of charge.',
  access: 'key',
  credits: 0,
  consumesRate: true,
  console: { minRole: 'viewer', cost: 'read' },
  work: 'account',
  cacheControl: 'no-store',
  response: { name: 'SeenMember', schema: ownMemberSchema },
  example,
  errors: ['FORBIDDEN'],
  body: {
    position: optionalField(positionType(), 'The newest position of the change log that the member has seen.'),
    events: optionalField(
      withExample(integer({ minimum: 0 }), 412),
      'Number of the newest event that the member has seen: newest_nr of GET /api/v1/events.',
    ),
  },
  rules: [
    {
      parameters: ['position', 'events'],
      check: ({ body: { position, events } }) =>
        position === undefined && events === undefined ? 'or events is required: what the member has seen' : undefined,
    },
  ],
  answer: async ({ body: { position, events } }, services) => {
    const text = position && formatPosition(position)
    // This node may not have polled the newest change yet.
    if (
      position &&
      text &&
      isAfter(position, services.changes.bounds().newest) &&
      !(await isInLog(services.checks, position))
    )
      throw positionAhead(text)
    if (events !== undefined) {
      const { eventsNewest } = (await actForCaller(services, readOwnMember)) ?? { eventsNewest: events }
      if (events > eventsNewest) throw eventsAheadOfInbox(events, eventsNewest)
    }
    const own = await actForCaller(services, (accounts, credential) =>
      storeSeen(accounts, credential, { position: text, events }),
    )
    if (!own) throw memberOnly()
    return { data: renderOwnMember(own) }
  },
})
