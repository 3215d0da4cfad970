// The part of the contract for events: what watches tell.
import { Type } from 'typebox'
import { LEVELS } from '../../domain/priority/policy.ts'
import { changeDiffSchema, changeTypeSchema, positionSchema } from '../changes.ts'
import { describeTable } from '../describe-table.ts'
import type { ValueType } from '../request/value-types.ts'
import {
  closedObject,
  countSchema,
  daySchema,
  flagSchema,
  instantSchema,
  orNull,
  textSchema,
  wordOrNull,
} from '../response/schemas.ts'
import { kindsSchema } from '../watch-kinds.ts'

/** Where a part of the events begins: after a number, at the oldest one that is kept, or after the newest one. */
export type EventSince = number | 'start' | 'now'

const NUMBER = /^(0|[1-9]\d{0,14})$/
const WORDS = ['start', 'now'] as const

export function eventSinceType(): ValueType<EventSince> {
  return {
    schema: Type.String({ maxLength: 15, pattern: '^(start|now|0|[1-9]\\d{0,14})$', examples: ['start', '412'] }),
    expects: 'start, now, or the number of an event: next_since of the last answer',
    example: 'start',
    parse: (sent) => WORDS.find((word) => word === sent) ?? parseNumber(sent),
    hint: (sent) =>
      sent.includes(':') || sent.includes('-')
        ? 'events have their own numbers: positions and times of the change log belong to GET /api/v1/changes'
        : undefined,
  }
}

/** The end of a part of the events that is read backwards. */
export function eventBeforeType(): ValueType<number | 'now'> {
  return {
    schema: Type.String({ maxLength: 15, pattern: '^(now|[1-9]\\d{0,14})$', examples: ['now', '412'] }),
    expects: 'now, or the number of an event: next_before of the last answer',
    example: 'now',
    parse: (sent) => (sent === 'now' ? sent : parseNumber(sent) || undefined),
  }
}

const parseNumber = (sent: string) => (NUMBER.test(sent) ? Number(sent) : undefined)

const EVENT_TYPES = {
  matched: 'Something happened to a CVE: on says what.',
  recalculated:
    'CVEs entered or left the search by changes that have no events of their own, such as new rules, the first run of a source or a new EPSS model. recalculation has the cause and the numbers.',
  gap: 'The watch could not be judged between two positions of the change log: gap has them. Look at its search.',
} as const

const eventRecordSchema = closedObject(
  {
    severity: orNull(Type.Number({ description: 'Base score; null without one.' })),
    epss_score: orNull(Type.Number({ description: 'EPSS score; null without one.' })),
    in_kev: flagSchema("Whether the CVE is in CISA's KEV."),
    in_eu_kev: flagSchema("Whether the CVE is in ENISA's EU KEV."),
    ransomware: flagSchema('Whether KEV knows of ransomware campaigns.'),
    priority_level: wordOrNull(LEVELS, 'Priority level; null for a rejected CVE.'),
    exploit_maturity: orNull(textSchema('Maturity of the exploits; null without any.')),
    has_fix: flagSchema('Whether a source names a fix.'),
    status: textSchema("Status of NVD's analysis."),
    products: Type.Array(
      closedObject(
        { vendor: textSchema('Vendor, in the spelling of CPE names.'), product: textSchema('Product, likewise.') },
        'A product that the record names.',
        'EventProduct',
      ),
      { description: 'The first of the vulnerable products, sorted by name.' },
    ),
    product_count: countSchema('Number of vulnerable products.'),
  },
  'The record after the change, in short; null if no source lists the CVE any more, and for an event about no single CVE.',
  'EventRecord',
)

const levelCountsSchema = (description: string) =>
  closedObject(
    Object.fromEntries(LEVELS.map((level) => [level, Type.Optional(countSchema(`CVEs of ${level}.`))])),
    description,
  )

const idsSchema = (description: string) =>
  Type.Array(Type.String({ pattern: '^CVE-\\d{4}-\\d{4,19}$' }), { maxItems: 20, description })

const recalculationSchema = closedObject(
  {
    cause: textSchema('Cause of these changes; the causes of GET /api/v1/changes.'),
    entered_count: countSchema('CVEs that entered the search.'),
    left_count: countSchema('CVEs that left the search.'),
    entered_levels: levelCountsSchema('Those that entered, by level; levels without any are absent.'),
    left_levels: levelCountsSchema('Those that left, by level; levels without any are absent.'),
    entered_ids: idsSchema('The first 20 that entered.'),
    left_ids: idsSchema('The first 20 that left.'),
  },
  'What a recalculation moved. Only for the type recalculated.',
  'Recalculation',
)

const gapSchema = closedObject(
  {
    from_position: positionSchema('Changes after this position were not judged.'),
    to_position: positionSchema('Changes after this position are judged again.'),
  },
  'What was not judged. Only for the type gap.',
  'EventGap',
)

export const eventSchema = closedObject(
  {
    id: Type.String({
      format: 'uuid',
      description: 'Id of the event: always the same for the same watch, change and CVE, also after a restore.',
    }),
    nr: Type.Integer({ minimum: 1, description: 'Number of the event in the account, without gaps.' }),
    type: Type.Enum(Object.keys(EVENT_TYPES), { description: describeTable(EVENT_TYPES) }),
    at: orNull(
      daySchema('Day on which it happened according to upstream, as in GET /api/v1/changes; null if none is known.'),
    ),
    recorded_at: instantSchema('When this service published the change; for other types when the event was recorded.'),
    watch: orNull(
      closedObject(
        {
          id: Type.String({ description: 'Id of the watch.', examples: ['7'] }),
          name: orNull(textSchema('Its name now; null if it was removed.')),
          team: orNull(textSchema('Its team now; null without one.')),
        },
        'The watch that tells it; null for an event of the account.',
        'EventWatch',
      ),
    ),
    cve_id: orNull(
      Type.String({
        pattern: '^CVE-\\d{4}-\\d{4,19}$',
        description: 'The CVE; null for an event about no single CVE.',
      }),
    ),
    on: kindsSchema('What happened, of what the watch tells; empty for an event about no single CVE.'),
    entered_by: Type.Array(Type.String(), {
      description:
        'For entered: the filters that did not hold before the change; published for a CVE that is new in the catalog.',
    }),
    types: Type.Array(changeTypeSchema(), { description: 'The types of the change, as in GET /api/v1/changes.' }),
    diff: changeDiffSchema,
    record_after: orNull(eventRecordSchema),
    recalculation: Type.Optional(recalculationSchema),
    gap: Type.Optional(gapSchema),
    summary: textSchema('The event in plain sentences, made from the facts of the change alone.'),
    muted: flagSchema('Whether a triage entry muted the CVE in this watch when the event was recorded.'),
    url: Type.Optional(
      textSchema('Page of the CVE in the console. Absent if this server does not know its own address.'),
    ),
  },
  'What a watch tells about one change.',
  'Event',
)

export const eventRangeMembers = {
  next_since: Type.String({
    description: 'Send it as since of the next call. Store it together with what you did with this answer.',
    examples: ['412'],
  }),
  next_before: orNull(
    Type.String({
      description: 'Send it as before of the next call for older events; null if there are none.',
      examples: ['363'],
    }),
  ),
  has_more: flagSchema('Whether further events can be read at once.'),
  newest_nr: Type.Integer({
    minimum: 0,
    description: 'Number of the newest event of the account; 0 before the first.',
  }),
  oldest_nr: Type.Integer({ minimum: 1, description: 'Number of the oldest event that is kept, or of the next one.' }),
}
