// The columns in memory in one table: how each is read from the database, and which value a filter's test gets.
import { type RawBuilder, sql } from 'kysely'
import { type ColumnName, type ColumnValues, FLAG_NAMES, type Flags } from '../column-values.ts'
import type { RawValue } from './coded-column.ts'

export type ColumnDefinition =
  /** Values that hardly repeat. */
  | { readonly kind: 'number'; readonly select: RawBuilder<unknown> }
  /** Values that repeat. */
  | { readonly kind: 'coded'; readonly select: RawBuilder<unknown>; readonly decode: (raw: RawValue) => unknown }

const number = (select: RawBuilder<unknown>) => ({ kind: 'number', select }) as const
const coded = (select: RawBuilder<unknown>, decode = (raw: RawValue): unknown => raw) =>
  ({ kind: 'coded', select, decode }) as const

const FLAGS_AS_BITS = sql.join(
  FLAG_NAMES.map((name, bit) => sql`cve.${sql.id(name)}::integer * ${sql.lit(2 ** bit)}`),
  sql` + `,
)

function decodeFlags(raw: RawValue): Flags {
  const flags = FLAG_NAMES.map((name, bit) => [name, (Number(raw) & (2 ** bit)) !== 0])
  // The cast is safe: the object has every name.
  return Object.fromEntries(flags) as Flags
}

/** Microseconds are kept as fractions of a millisecond. */
const toMilliseconds = (column: RawBuilder<unknown>) => sql`(extract(epoch from ${column}) * 1000)::float8`

/** The statement must give catalog.cve, catalog.epss and catalog.kev their names as aliases. */
export const DEFINITIONS = {
  published: number(toMilliseconds(sql`cve.published`)),
  modified: number(toMilliseconds(sql`cve.modified`)),
  epss: number(sql`epss.score`),
  percentile: number(sql`epss.percentile`),
  score: coded(sql`cve.score`),
  score_version: coded(sql`cve.score_version`),
  priority: coded(sql`cve.priority`),
  ssvc: coded(sql`cve.ssvc`),
  disagreements: coded(sql`cve.disagreements`),
  maturity: coded(sql`cve.maturity`),
  evidence_count: coded(sql`cve.evidence_count`),
  cpe_count: coded(sql`cve.cpe_count`),
  status: coded(sql`cve.status`),
  assigner: coded(sql`cve.assigner`),
  attack_vector: coded(sql`cve.attack_vector`),
  year: coded(sql`to_char(cve.published at time zone 'utc', 'YYYY')`),
  kev_added: coded(sql`to_char(kev.date_added, 'YYYY-MM-DD')`),
  cwes: coded(sql`cve.cwes`),
  techniques: coded(sql`cve.techniques`),
  sources: coded(sql`cve.sources`),
  flags: coded(FLAGS_AS_BITS, decodeFlags),
} as const satisfies Readonly<Record<ColumnName, ColumnDefinition>>

// The cast is safe: Object.keys returns the keys of DEFINITIONS.
export const COLUMN_NAMES = Object.keys(DEFINITIONS) as readonly (keyof ColumnValues)[]
