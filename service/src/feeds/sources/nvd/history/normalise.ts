// Reduces a change of NVD's change history to the members that are stored.
import { type Static, Type } from 'typebox'
import { type CveId, parseCanonicalCveId } from '../../../../domain/cve-id.ts'
import { parseDateTime } from '../../../../domain/instant.ts'
import {
  ACTIONS,
  type Action,
  DETAIL_TYPES,
  type Detail,
  type DetailType,
  type StoredChange,
  type Value,
} from '../../../../domain/nvd-history/stored-change.ts'
import { TEXT_LIMITS } from '../../../../domain/source/upstream-limits.ts'
import type { Rejected } from '../../../feed.ts'
import { compileSchema, readText } from '../../../schema-check.ts'

const DetailSchema = Type.Object({
  action: Type.Optional(Type.String()),
  type: Type.String(),
  oldValue: Type.Optional(Type.String()),
  newValue: Type.Optional(Type.String()),
})

const change = compileSchema(
  Type.Object({
    change: Type.Object({
      cveId: Type.String(),
      eventName: Type.String(),
      cveChangeId: Type.String({
        pattern: '^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$',
      }),
      sourceIdentifier: Type.String(),
      created: Type.String(),
      details: Type.Optional(Type.Array(DetailSchema)),
    }),
  }),
)

export interface ChangeRow {
  readonly cveId: CveId
  readonly at: Date
  readonly change: StoredChange
}

export function normaliseChange(raw: unknown, now: Date): ChangeRow | Rejected {
  if (!change.matches(raw))
    return { rejected: readChangeId(raw) ?? 'a change without an id', reason: change.describeMismatch(raw) }
  const { cveId: id, cveChangeId, eventName, sourceIdentifier, created, details = [] } = raw.change
  const cveId = parseCanonicalCveId(id)
  if (cveId === undefined) return { rejected: cveChangeId, reason: `not a CVE id: ${JSON.stringify(id.slice(0, 40))}` }
  const at = parseDateTime(created)
  if (at === undefined)
    return { rejected: cveChangeId, reason: `/change/created is not a time: ${JSON.stringify(created.slice(0, 40))}` }
  // Changes of the same second are undone in the opposite order.
  const time = Math.min(at.getTime() + readMilliseconds(created), now.getTime())
  const kept = details.flatMap((detail) => toDetail(detail))
  return { cveId, at: new Date(time), change: [toKey(cveChangeId), time, eventName, sourceIdentifier, kept] }
}

function readMilliseconds(time: string): number {
  return Number((/\.(\d{1,3})/.exec(time)?.[1] ?? '0').padEnd(3, '0'))
}

export function readChangeId(raw: unknown): string | undefined {
  return readText(raw, 'change', 'cveChangeId')
}

/** 64 of the 128 bits: a CVE has at most a few hundred changes. */
function toKey(id: string): string {
  return Buffer.from(id.replaceAll('-', ''), 'hex').subarray(0, 8).toString('base64url')
}

const CODES = new Map(Object.entries(DETAIL_TYPES).map(([code, name]) => [name as string, code as DetailType]))
const ACTION_CODES = new Map(Object.entries(ACTIONS).map(([code, name]) => [name as string, code as Action]))

function toDetail({ type, action, oldValue, newValue }: Static<typeof DetailSchema>): Detail[] {
  const [code, actionCode] = [CODES.get(type), ACTION_CODES.get(action ?? '') ?? findAction(oldValue, newValue)]
  if (code === undefined || actionCode === undefined) return []
  // Going back, a new description is replaced whatever it says.
  const isReplaced = code === 'D' && newValue !== undefined
  return [[code, actionCode, toValue(oldValue), isReplaced ? 0 : toValue(newValue)]]
}

function findAction(oldValue: string | undefined, newValue: string | undefined): Action | undefined {
  if (oldValue === undefined) return newValue === undefined ? undefined : 'A'
  return newValue === undefined ? 'R' : 'C'
}

/** A cut text is not the value. */
function toValue(text: string | undefined): Value {
  if (text === undefined) return null
  return text.length >= TEXT_LIMITS.article.max ? 0 : text
}
