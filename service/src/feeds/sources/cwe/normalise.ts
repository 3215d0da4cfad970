import { Type } from 'typebox'
import type { Rejected } from '../../feed.ts'
import { shapeOf } from '../../schema-check.ts'

export interface WeaknessRow {
  /** As `CWE-79`. */
  readonly cweId: string
  readonly kind: 'weakness' | 'category' | 'view'
  readonly name: string
  /** Categories and views have none. */
  readonly abstraction: string | null
  readonly status: string
  readonly isDeprecated: boolean
  readonly description: string
}

const CWE_ID = /^CWE-[1-9]\d{0,5}$/
/** Twenty times the longest of today, so that nothing but nonsense is rejected. */
const MAX_NAME_CHARACTERS = 2500
const MAX_DESCRIPTION_CHARACTERS = 25_000
const WITHDRAWN = new Set(['deprecated', 'obsolete'])

const ENTRY = shapeOf(
  Type.Object({
    id: Type.String(),
    kind: Type.Enum(['weakness', 'category', 'view']),
    name: Type.String({ minLength: 1, maxLength: MAX_NAME_CHARACTERS }),
    abstraction: Type.String({ maxLength: 50 }),
    status: Type.String({ minLength: 1, maxLength: 50 }),
    description: Type.String({ maxLength: MAX_DESCRIPTION_CHARACTERS }),
  }),
)

/** An entry as either form has it: values by the column names of the CSV. */
export type RawWeakness = Readonly<Record<string, string>>

export function normaliseWeakness(raw: RawWeakness): WeaknessRow | Rejected {
  // The two forms break lines at other places, and the same words are to be the same.
  const entry: unknown = Object.fromEntries(Object.entries(raw).map(([name, value]) => [name, folded(value)]))
  const rejected = raw['id'] || 'an entry without an id'
  if (!ENTRY.fits(entry)) return { rejected, reason: ENTRY.fault(entry) }
  if (!CWE_ID.test(entry.id)) return { rejected, reason: 'not a CWE id' }
  return {
    cweId: entry.id,
    kind: entry.kind,
    name: entry.name,
    abstraction: entry.abstraction || null,
    status: entry.status,
    isDeprecated: WITHDRAWN.has(entry.status.toLowerCase()),
    description: entry.description,
  }
}

function folded(text: string): string {
  // PostgreSQL's text has no room for NUL.
  return text.replaceAll('\0', '').replaceAll(/\s+/gu, ' ').trim()
}
