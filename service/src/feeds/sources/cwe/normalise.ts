import { Type } from 'typebox'
import type { Rejected } from '../../feed.ts'
import { compileSchema } from '../../schema-check.ts'

export interface WeaknessRow {
  readonly cweId: string
  readonly kind: 'weakness' | 'category' | 'view'
  readonly name: string
  /** Abstraction level of a CWE weakness, such as `Base`; null for categories and views. */
  readonly abstraction: string | null
  readonly status: string
  readonly isDeprecated: boolean
  readonly description: string
}

const CWE_ID = /^CWE-[1-9]\d{0,5}$/
const DEPRECATED_STATUSES = new Set(['deprecated', 'obsolete'])

const ENTRY = compileSchema(
  Type.Object({
    id: Type.String(),
    kind: Type.Enum(['weakness', 'category', 'view']),
    name: Type.String({ minLength: 1 }),
    abstraction: Type.String({ maxLength: 50 }),
    status: Type.String({ minLength: 1, maxLength: 50 }),
    description: Type.String(),
  }),
)

/** Column names of the CSV table, which the XML parser uses too. */
export type RawWeakness = Readonly<Record<string, string>>

export function normaliseWeakness(raw: RawWeakness): WeaknessRow | Rejected {
  // The XML file and the CSV table break lines in different places.
  const entry: unknown = Object.fromEntries(Object.entries(raw).map(([name, value]) => [name, cleanText(value)]))
  const rejected = raw['id'] || 'an entry without an id'
  if (!ENTRY.matches(entry)) return { rejected, reason: ENTRY.describeMismatch(entry) }
  if (!CWE_ID.test(entry.id)) return { rejected, reason: 'not a CWE id' }
  return {
    cweId: entry.id,
    kind: entry.kind,
    name: entry.name,
    abstraction: entry.abstraction || null,
    status: entry.status,
    isDeprecated: DEPRECATED_STATUSES.has(entry.status.toLowerCase()),
    description: entry.description,
  }
}

function cleanText(text: string): string {
  // PostgreSQL text cannot contain NUL characters.
  return text.replaceAll('\0', '').replaceAll(/\s+/gu, ' ').trim()
}
