import type { RawBuilder } from 'kysely'
import type { ChangeCause } from '../../domain/change/change.ts'
import { type ChangeType, TYPES_ON_REQUEST } from '../../domain/change/types.ts'
import { type Level, listRanks } from '../../domain/priority/policy.ts'

export interface ChangeFilter {
  /** Undefined accepts every type except TYPES_ON_REQUEST. */
  readonly types: readonly ChangeType[] | undefined
  /** Minimum rank of the CVE. Undefined accepts every change, even one without a CVE. */
  readonly minRank: number | undefined
  readonly cause: 'data' | 'all'
  /** Conditions on the current row of the CVE in catalog.cve, which only the database can evaluate. */
  readonly conditions: readonly RawBuilder<unknown>[]
}

export const EVERY_CHANGE: ChangeFilter = { types: undefined, minRank: undefined, cause: 'all', conditions: [] }

export interface FilteredRow {
  readonly types: readonly string[]
  readonly cause: ChangeCause
  /** Rank according to the priority policy; null for a rejected or removed CVE, or for a change without a CVE. */
  readonly rank: number | null
}

export function createFilter(
  query: {
    readonly types: readonly ChangeType[] | undefined
    readonly min_level: Level | undefined
    readonly cause: 'data' | 'all'
  },
  conditions: ChangeFilter['conditions'],
): ChangeFilter {
  const { types, min_level, cause } = query
  return { types, cause, minRank: min_level && listRanks(min_level).min, conditions }
}

/** Ignores the conditions on the record: it can accept a row that the database does not, never the reverse. */
export function matchesFilter({ types, minRank, cause }: ChangeFilter, row: FilteredRow): boolean {
  return (
    (cause === 'all' || row.cause === 'data') &&
    (types === undefined ? !hasAny(row, TYPES_ON_REQUEST) : hasAny(row, types)) &&
    (minRank === undefined || (row.rank !== null && row.rank >= minRank))
  )
}

const hasAny = (row: FilteredRow, types: readonly ChangeType[]) => types.some((type) => row.types.includes(type))
