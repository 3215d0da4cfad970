// Schemas for changes to the catalog, built from the tables of types, causes and members in domain/change.
import { type TSchema, Type } from 'typebox'
import { CHANGE_CAUSES, DIFF_MEMBERS, OTHER_FIELDS } from '../domain/change/change.ts'
import { POSITION_PATTERN, type Position, parsePosition } from '../domain/change/position.ts'
import { CHANGE_TYPES, type ChangeType } from '../domain/change/types.ts'
import { describeTable } from './describe-table.ts'
import { CVE_FIELD_NAMES } from './record/cve-fields.ts'
import { moment, type ValueType } from './request/value-types.ts'
import { closedObject, countSchema, daySchema, flagSchema, instantSchema, orNull } from './response/schemas.ts'

// The cast is safe: Object.keys returns the keys of CHANGE_TYPES.
export const CHANGE_TYPE_NAMES = (Object.keys(CHANGE_TYPES) as ChangeType[]).toSorted()

export const positionSchema = (description: string) =>
  Type.String({ pattern: POSITION_PATTERN, description, examples: ['263680:0f3a5c1d2b4e6f70'] })

/** A position in the change log, a time, or one of the words that stand for a position. */
export type Since = Position | { readonly time: Date } | 'start' | 'now'

const WORDS = ['start', 'now'] as const

const POSITION_TEXT = '\\d{1,18}:[0-9a-f]{16}'
const TIME_TEXT = '\\d{4}-\\d\\d-\\d\\d(T\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?(Z|[+-]\\d\\d:\\d\\d)?)?'
const time = moment()

const advise = (text: string) =>
  /^\d{1,18}$/.test(text) ? 'send next_since of the last answer as it was' : time.hint?.(text)

/** A position, a time, which is read as its first second (decision C9), or a word. */
export function sinceType(words: readonly ('start' | 'now')[] = WORDS): ValueType<Since> {
  return {
    schema: Type.String({ maxLength: 64, pattern: `^(${words.join('|')}|${POSITION_TEXT}|${TIME_TEXT})$` }),
    expects: `${words.join(', ')}, a position of the change log such as 263680:0f3a5c1d2b4e6f70, or a time: ${time.expects}`,
    example: '2026-08-21T20:00:00Z',
    parse: (text) => {
      const position = words.find((word) => word === text) ?? parsePosition(text)
      const parsed = position === undefined ? time.parse(text) : undefined
      return parsed ? { time: parsed.first } : position
    },
    hint: advise,
  }
}

/** The end of a part of the log. */
export function untilType(): ValueType<Position | 'now'> {
  return {
    schema: Type.String({ maxLength: 64, pattern: `^(now|${POSITION_TEXT})$` }),
    expects: 'now or a position of the change log, such as 263680:0f3a5c1d2b4e6f70',
    example: 'now',
    parse: (text) => (text === 'now' ? text : parsePosition(text)),
    hint: advise,
  }
}

export const changeTypeSchema = () =>
  Type.Enum([...CHANGE_TYPE_NAMES], { description: describeTable(CHANGE_TYPES), title: 'ChangeType' })

const valueSchema: TSchema = Type.Unknown({ description: 'A number, a text, true, false, a list of texts, or null.' })

export const changeDiffSchema = closedObject(
  Object.fromEntries(
    Object.entries(DIFF_MEMBERS).map(([name, meaning]) => [
      name,
      Type.Optional(closedObject({ old: valueSchema, new: valueSchema }, meaning, 'OldAndNew')),
    ]),
  ),
  'The old and the new value of the small members that differ. Other members that differ are named in fields only.',
  'ChangeDiff',
)

const describeOtherFields = () =>
  Object.entries(OTHER_FIELDS)
    .map(([name, meaning]) => `${name}: ${meaning}`)
    .join('; ')

const causeSchema = () =>
  Type.Enum(Object.keys(CHANGE_CAUSES), { description: `Why it changed. ${describeTable(CHANGE_CAUSES)}` })

export const changeSchema = closedObject(
  {
    seq: Type.Integer({
      minimum: 1,
      description: 'Number of the change. Numbers rise in the order of publication and have gaps.',
    }),
    at: orNull(
      daySchema(
        'Day on which it happened according to upstream: when CISA or ENISA listed or removed the CVE, the newest ACSC notice was published, FIRST released the EPSS score, or the CVE or advisory was published. The first of these that applies counts; null if none does.',
      ),
    ),
    recorded_at: instantSchema(
      'Time at which this service published the change. since compares with this time, never with at.',
    ),
    cve_id: orNull(
      Type.String({
        pattern: '^CVE-\\d{4}-\\d{4,19}$',
        description:
          'The CVE; null for a change of all CVEs, and of an advisory without a CVE, which diff names (advisory.id).',
      }),
    ),
    types: Type.Array(changeTypeSchema(), {
      description: 'The types of the change, sorted; empty if an earlier version of the service logged it.',
    }),
    cause: causeSchema(),
    fields: Type.Array(Type.Enum([...CVE_FIELD_NAMES, ...Object.keys(OTHER_FIELDS)]), {
      description: `The members of the record that differ; ${describeOtherFields()}. Empty for a CVE that was added or removed.`,
    }),
    diff: changeDiffSchema,
  },
  'One change of a CVE by one publication, or of a whole data set.',
  'Change',
)

/** Members of a response that lists changes from one position to another. */
export const rangeMembers = {
  next_since: positionSchema(
    'Send it as since of the next call. Store it together with what you did with this answer.',
  ),
  has_more: flagSchema('Whether further changes can be read at once.'),
  newest: positionSchema('Position of the newest change in the log.'),
  oldest: positionSchema('Position of the oldest change in the log.'),
}

export const changeCountsSchema = closedObject(
  Object.fromEntries(
    Object.entries(CHANGE_TYPES).map(([name, meaning]) => [name, Type.Optional(countSchema(meaning))]),
  ),
  'Number of changes of each type; types without a change are absent. A change can have several types.',
)

export const causeCountsSchema = closedObject(
  Object.fromEntries(Object.entries(CHANGE_CAUSES).map(([name, meaning]) => [name, countSchema(meaning)])),
  'Number of changes of each cause.',
)
