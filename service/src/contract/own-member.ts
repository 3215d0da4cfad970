// The part of the contract for the signed-in member, and for how far this member has read the change log.
import { Type } from 'typebox'
import { POSITION_PATTERN, type Position, parsePosition } from '../domain/change/position.ts'
import { formatInstant } from '../domain/instant.ts'
import { positionSchema } from './changes.ts'
import { type Member, memberSchema, renderMember } from './members.ts'
import { createIssue } from './request/validation-issue.ts'
import type { ValueType } from './request/value-types.ts'
import { ApiError, invalidParameters } from './response/errors.ts'
import { closedObject, flagSchema, instantSchema, orNull } from './response/schemas.ts'

const MAX_UNREAD = 1000
const EXAMPLE = '263680:0f3a5c1d2b4e6f70'

export function positionType(): ValueType<Position> {
  return {
    schema: Type.String({ pattern: POSITION_PATTERN, examples: [EXAMPLE] }),
    expects: `a position of the change log, such as ${EXAMPLE}: next_since or newest of GET /api/v1/changes`,
    example: EXAMPLE,
    parse: parsePosition,
  }
}

export const ownMemberSchema = closedObject(
  {
    member: Type.Optional(memberSchema),
    seen: Type.Optional(
      closedObject(
        {
          position: positionSchema('The newest position that the member has seen.'),
          seen_at: instantSchema('When the member sent a position last.'),
          last_visit: orNull(
            positionSchema(
              'The position at the end of the visit before this one; null during the first visit. A visit ends after 30 minutes without a call. Send it as since of GET /api/v1/changes.',
            ),
          ),
          last_visit_at: orNull(instantSchema('When the visit before this one ended; null during the first visit.')),
        },
        'How far the member has read the change log.',
        'Seen',
      ),
    ),
    seen_events: Type.Optional(
      closedObject(
        {
          seen_nr: Type.Integer({
            minimum: 0,
            description: 'Number of the newest event that the member has seen; 0 before the first.',
          }),
          newest_nr: Type.Integer({
            minimum: 0,
            description: 'Number of the newest event of the account; 0 before the first.',
          }),
          unread: Type.Integer({
            minimum: 0,
            maximum: MAX_UNREAD,
            description:
              'Number of later events, without muted ones and those of watches that are snoozed now. Exact, unless has_more_unread is true.',
          }),
          has_more_unread: flagSchema(`Whether there are more than ${MAX_UNREAD}; they are not counted further.`),
        },
        "How far the member has read the account's events.",
        'SeenEvents',
      ),
    ),
  },
  'The signed-in member. Empty for a key, and for a session that was opened with one; without seen until the member sent a position.',
)

interface OwnMember extends Member {
  readonly seenPosition: string | null
  readonly seenAt: Date | null
  readonly lastVisit: string | null
  readonly lastVisitAt: Date | null
  readonly eventsSeen: number | null
  readonly eventsNewest: number
  readonly eventsUnread: number
}

export function renderOwnMember(own: OwnMember | undefined) {
  if (!own) return {}
  const { seenPosition, seenAt, lastVisit, lastVisitAt } = own
  return {
    member: renderMember(own),
    ...(seenPosition !== null &&
      seenAt !== null && {
        seen: {
          position: seenPosition,
          seen_at: formatInstant(seenAt),
          last_visit: lastVisit,
          last_visit_at: lastVisitAt && formatInstant(lastVisitAt),
        },
      }),
    seen_events: {
      seen_nr: own.eventsSeen ?? 0,
      newest_nr: own.eventsNewest,
      unread: Math.min(own.eventsUnread, MAX_UNREAD),
      has_more_unread: own.eventsUnread > MAX_UNREAD,
    },
  }
}

export function memberOnly(): ApiError {
  return new ApiError(
    'FORBIDDEN',
    'Only a member who is signed in to the console has a position. A key belongs to the account: store next_since where your program keeps its state.',
    { details: { reason: 'member' } },
  )
}

/** Creates the error for a position that would hide changes that have not been made yet. */
export function positionAhead(position: string): ApiError {
  return invalidParameters([
    createIssue(
      'position',
      position,
      'a position that the change log has reached, such as newest of GET /api/v1/changes',
    ),
  ])
}

/** Creates the error for a number that no event has yet. */
export function eventsAheadOfInbox(events: number, newest: number): ApiError {
  return invalidParameters([
    createIssue('events', events, `at most ${newest}, the number of the newest event: newest_nr of GET /api/v1/events`),
  ])
}
