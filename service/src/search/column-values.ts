// The values of a CVE that filters and facets read without SQL: from the columns in memory (search/columns), or from any
// other row that has them. Each filter has a test on one of these values beside its SQL condition.
import type { CveKey } from '../domain/cve-id.ts'

/** Null if the CVE has no such value. Times are milliseconds since 1970, days are text such as 2026-08-22. */
export interface ColumnValues {
  readonly published: number | null
  readonly modified: number | null
  readonly epss: number | null
  readonly percentile: number | null
  readonly score: number | null
  readonly score_version: number | null
  readonly priority: number | null
  readonly ssvc: number | null
  readonly disagreements: number
  readonly maturity: number
  readonly evidence_count: number
  readonly cpe_count: number
  readonly status: string
  readonly assigner: string | null
  readonly attack_vector: string | null
  /** Year of publication. */
  readonly year: string | null
  /** Day of the addition to CISA's KEV catalog. */
  readonly kev_added: string | null
  readonly cwes: readonly string[]
  readonly techniques: readonly string[]
  readonly sources: readonly string[]
  readonly flags: Flags
}

/** Columns of catalog.cve of the type boolean, in the order of their bits in the column `flags`. */
export const FLAG_NAMES = [
  'has_exploit',
  'in_kev',
  'in_eu_kev',
  'has_notice',
  'has_reference',
  'has_patch',
  'has_fix',
  'is_ransomware',
] as const

type FlagName = (typeof FLAG_NAMES)[number]
export type Flags = Readonly<Record<FlagName, boolean>>

export type ColumnName = keyof ColumnValues

/** The names of a vulnerable product of a CVE. */
export type NameColumn = 'vendor' | 'product'

/** Whether the index of names has a vendor or a product with this name. */
export type IsKnownName = (column: NameColumn, name: string) => boolean

/** How a filter judges a CVE without SQL. If several filters judge names, one product of the CVE must meet them all. */
export type ValueTest =
  | {
      readonly column: ColumnName
      /** Must accept exactly the values for which the filter's SQL condition is true. */
      readonly accepts: (stored: never) => boolean
    }
  | { readonly column: NameColumn; readonly createNameTest: (isKnown: IsKnownName) => (stored: string) => boolean }

/**
 * How a filter judges the facts of a CVE (search/watch), which a watch has for the time before a change, too. Beside the
 * values of the columns, a filter can read the key, the changes with which the CVE became urgent, or the words.
 */
export type FactTest =
  | ValueTest
  | { readonly acceptsKey: (key: CveKey) => boolean }
  /** The times are milliseconds since 1970. */
  | { readonly acceptsUrgentTimes: (times: readonly number[]) => boolean }
  /** A search for words, which only the database can judge. */
  | { readonly words: string }

/** Every CVE that a filter finds has at least one of these texts. A watch is looked up by them. */
export interface Equality {
  readonly of: 'key' | NameColumn | 'cwes' | 'techniques' | 'assigner'
  readonly texts: readonly string[]
}

export function testColumn<const C extends ColumnName>(
  column: C,
  accepts: (stored: ColumnValues[C]) => boolean,
): ValueTest {
  return { column, accepts }
}

type NumberColumn = {
  readonly [C in ColumnName]: ColumnValues[C] extends number | null ? C : never
}[ColumnName]

/** A missing value has no bounds, so no CVE without a value is accepted (decision C7). */
export function testNumber(column: NumberColumn, accepts: (stored: number) => boolean): ValueTest {
  return testColumn(column, (stored: number | null) => stored !== null && accepts(stored))
}

export function testFlag(name: FlagName, isRequired: boolean): ValueTest {
  return testColumn('flags', (flags) => flags[name] === isRequired)
}

export function testAmong<const C extends ColumnName>(column: C, values: readonly ColumnValues[C][]): ValueTest {
  const accepted = new Set(values)
  return testColumn(column, (stored) => accepted.has(stored))
}

export function testName(
  column: NameColumn,
  createNameTest: (isKnown: IsKnownName) => (stored: string) => boolean,
): ValueTest {
  return { column, createNameTest }
}
