// The part of the contract for watches: value types, body fields and schemas.
import { Type } from 'typebox'
import { DEFAULT_WATCH_KINDS, WATCH_KIND_NAMES, WATCH_KINDS } from '../../domain/watch/kinds.ts'
import { positionSchema } from '../changes.ts'
import { describeTable } from '../describe-table.ts'
import { unknownNamesSchema } from '../name-suggestions.ts'
import { optionalField, optionalList } from '../request/body.ts'
import { flag, integer, text, type ValueType, withExample } from '../request/value-types.ts'
import { closedObject, countSchema, flagSchema, instantSchema, orNull, textSchema } from '../response/schemas.ts'
import { viewNameType } from '../views.ts'
import { kindsSchema, kindType } from '../watch-kinds.ts'

const ID = /^[1-9]\d{0,17}$/
const MAX_TEAM_LENGTH = 60
const CONTROL_CHARACTERS = /\p{Cc}/u

const idSchema = (description: string) => Type.String({ pattern: ID.source, description, examples: ['7'] })

export function watchIdType(): ValueType<string> {
  return {
    schema: Type.String({ pattern: ID.source, examples: ['7'] }),
    expects: 'the id of a watch, such as 7; GET /api/v1/watches lists the ids',
    example: '7',
    parse: (sent) => (ID.test(sent) ? sent : undefined),
  }
}

/** An empty text is no team. */
function teamType(): ValueType<string> {
  return {
    schema: Type.String({ maxLength: MAX_TEAM_LENGTH, examples: ['network'] }),
    expects: `the name of a team: at most ${MAX_TEAM_LENGTH} characters in one line`,
    example: 'network',
    parse: (sent) => {
      const team = sent.trim()
      return Array.from(team).length <= MAX_TEAM_LENGTH && !CONTROL_CHARACTERS.test(team) ? team : undefined
    },
  }
}

/** An empty name is not sent. */
export const teamFilterType = () => text({ maxLength: MAX_TEAM_LENGTH })

export const watchFields = {
  name: optionalField(
    viewNameType(),
    'Name of the watch, and of its view. No two shared views of an account have the same name.',
  ),
  team: optionalField(
    teamType(),
    'For whom the events are, in your own words, such as network. An empty text removes it.',
  ),
  on: optionalList(
    kindType(),
    `What the watch tells. Default of a new watch: ${DEFAULT_WATCH_KINDS.join(', ')}. ${describeTable(WATCH_KINDS)}`,
    { maxItems: WATCH_KIND_NAMES.length },
  ),
}

export const pausedField = optionalField(
  flag(),
  'true: the watch tells nothing until it is resumed, and nothing of that time is told later. false: resumes it.',
)

const WATCH_STATES = {
  active: 'It is judged with each publication.',
  snoozed: 'It is judged and its events are recorded, but they do not count as unread until snoozed_until.',
  paused: 'It is not judged: somebody paused it, or the plan of the account allows fewer watches.',
} as const

const stateSchema = () => Type.Enum(Object.keys(WATCH_STATES), { description: describeTable(WATCH_STATES) })

const lastEventSchema = closedObject(
  {
    nr: Type.Integer({ minimum: 1, description: 'Number of the event.' }),
    cve_id: orNull(
      Type.String({ pattern: '^CVE-\\d{4}-\\d{4,19}$', description: 'The CVE; null if the event is about none.' }),
    ),
    on: kindsSchema('What happened; empty for an event about no single CVE.'),
    told_at: instantSchema('When the event was recorded in the inbox.'),
  },
  'The newest event of the watch; null if there is none.',
  'LastEvent',
)

export const MAX_EVENTS_PER_WEEK = 50

export const watchSchema = closedObject(
  {
    id: idSchema('Id of the watch, and of its view.'),
    name: textSchema('Name of the watch, and of its view.'),
    team: orNull(textSchema('For whom the events are; null if nobody said.')),
    query: Type.String({
      description:
        'What is watched: the filters of GET /api/v1/cves as a query string, as a view has them. A relative day such as today-7d is the one of the change (UTC).',
      examples: ['priority=P0,P1&product_vendor=fortinet'],
    }),
    search: Type.String({
      description:
        'The same query with the days of now (UTC, see meta.timestamp): send it as the query string of GET /api/v1/cves.',
      examples: ['priority=P0,P1&product_vendor=fortinet'],
    }),
    on: kindsSchema('What the watch tells.'),
    state: stateSchema(),
    snoozed_until: orNull(instantSchema('End of the snooze; null without one.')),
    matching_now: Type.Optional(
      orNull(
        countSchema(
          'Number of CVEs in the search now; exact. Null if they could not be counted in time. Absent in lists, unless counts=true.',
        ),
      ),
    ),
    last_event: orNull(lastEventSchema),
    daily_events: Type.Array(countSchema('Number of events of a UTC day.'), {
      minItems: 7,
      maxItems: 7,
      description: 'Events of the last seven UTC days, today last.',
    }),
    warning: Type.Optional(
      textSchema(`Advice, if the watch had more than ${MAX_EVENTS_PER_WEEK} events within the last seven days.`),
    ),
    feed: flagSchema('Whether the watch has a feed. Its address was shown once.'),
    member_id: orNull(
      textSchema('Id of the member who saved the view; null if a key saved it, and if the member has left.'),
    ),
    revision: Type.Integer({
      minimum: 1,
      description:
        'Grows with each change. Send it with a change, so that you do not overwrite what you have not seen.',
    }),
    created_at: instantSchema('When the view was saved.'),
    changed_at: instantSchema('When the watch or its view was changed last.'),
  },
  'A shared view that tells what happens to the CVEs in its search.',
  'Watch',
)

/** The data of an answer about one watch. */
export const oneWatchSchema = (description: string) =>
  closedObject({ watch: watchSchema, did_you_mean: Type.Optional(unknownNamesSchema) }, description)

export const evaluatedSchema = closedObject(
  {
    position: orNull(
      positionSchema('Watches were judged up to this position of the change log; null if none was yet.'),
    ),
    newest: positionSchema('The newest position of the change log. Equal positions: every change was judged.'),
  },
  'How far watches were judged. As long as the positions differ, silence means nothing yet.',
  'Evaluated',
)

export const watchRevision = () => withExample(integer({ minimum: 1 }), 1)
