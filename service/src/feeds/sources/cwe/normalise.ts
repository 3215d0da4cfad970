import { Type } from 'typebox'
import type { Rejected } from '../../feed.ts'
import { compileSchema } from '../../schema-check.ts'

export interface WeaknessRow {
  /** CWE id such as `CWE-79`. */
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

/**
 * Values of a CWE entry by the column names of the CSV table. The XML parser and the CSV parser both return these
 * names.
 */
export type RawWeakness = Readonly<Record<string, string>>

export function normaliseWeakness(raw: RawWeakness): WeaknessRow | Rejected {
  // The XML file and the CSV table break lines at different places. Whitespace is collapsed, so that equal texts
  // compare as equal.
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
  // NUL characters are removed, because PostgreSQL's type text does not allow them.
  return text.replaceAll('\0', '').replaceAll(/\s+/gu, ' ').trim()
}
