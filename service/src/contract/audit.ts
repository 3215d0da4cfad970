// The part of the contract for the audit log: its filters, and an entry.
import { Type } from 'typebox'
import { list, optional } from './request/parameters.ts'
import { date, type ValueType, word } from './request/value-types.ts'
import { closedObject, instantSchema, textSchema } from './response/schemas.ts'

const ACTOR = /^(?:operator|(?:key|member):[1-9]\d{0,17})$/

/** What an entry is about: the part of its action before the dot. */
const KINDS = {
  account: 'account, plan and origins',
  key: 'keys',
  member: 'members',
  session: 'sessions',
  view: 'shared views',
  triage: 'decisions about CVEs',
} as const

type Kind = keyof typeof KINDS

// The cast is safe: Object.keys returns the keys of the table.
const KIND_NAMES = Object.keys(KINDS) as readonly Kind[]

function actorType(): ValueType<string> {
  return {
    schema: Type.String({ pattern: ACTOR.source, examples: ['key:12', 'operator'] }),
    expects: 'key:<id>, member:<id> or operator, such as key:12',
    example: 'key:12',
    parse: (sent) => (ACTOR.test(sent) ? sent : undefined),
  }
}

export const AUDIT_FILTERS = {
  actor: optional(actorType(), 'Changes by this key or member, or by operators of the service.'),
  kind: list(word(KIND_NAMES, { anyCase: true, labels: KINDS }), 'Changes of any of these kinds.', {
    example: ['key', 'member'],
  }),
  from: optional(date(), 'Changes on or after this day (UTC).'),
  to: optional(date(), 'Changes on or before this day (UTC).'),
}

interface SentFilter {
  readonly actor: string | undefined
  readonly kind: readonly Kind[] | undefined
  readonly from: Date | undefined
  readonly to: Date | undefined
}

const MS_PER_DAY = 86_400_000

export function toAuditFilter({ actor, kind, from, to }: SentFilter) {
  return { actor, kinds: kind, from, to: to && new Date(to.getTime() + MS_PER_DAY) }
}

export const auditEntrySchema = closedObject(
  {
    id: textSchema('Id of the entry. Later entries have larger ids.'),
    time: instantSchema('When the change was made.'),
    actor: Type.String({
      description: 'Who made the change: key:<id>, member:<id> or operator.',
      examples: ['key:12', 'operator'],
    }),
    action: Type.String({
      description: 'What was changed.',
      examples: ['key.issue', 'key.rotate', 'key.revoke', 'key.grant', 'account.origins'],
    }),
    key_id: Type.Optional(textSchema('Id of the key that was changed.')),
    member_id: Type.Optional(textSchema('Id of the member who was changed.')),
    details: Type.Object(
      {},
      { additionalProperties: true, description: 'Facts about the change. They depend on the action.' },
    ),
  },
  'A change of the account.',
  'AuditEntry',
)
