// The `priority` filter of /cves and /cves/recent, which expresses priority levels as ranges of cve.priority.
import { type RawBuilder, sql } from 'kysely'
import { list } from '../../../contract/request/parameters.ts'
import { word } from '../../../contract/request/value-types.ts'
import { LEVELS, type Level, listRanks, POLICIES, POLICY_VERSION } from '../../../domain/priority/policy.ts'

const LABELS = Object.fromEntries(POLICIES[POLICY_VERSION].levels.map(({ level, title }) => [level, title]))

export const priorityParameter = () =>
  list(
    word(LEVELS, { anyCase: true, labels: LABELS }),
    'Priority level is any of these: P0 (act now) to P4 (routine), or unrated (nothing is known yet). Rejected CVEs have no level.',
    { example: ['P0', 'P1'] },
  )

/** Builds an SQL condition that is true if the CVE has one of the levels, and false if it has no level. */
export function hasLevel(levels: readonly Level[]): RawBuilder<boolean> {
  const ranges = levels.map(listRanks).map(({ min, max }) => sql`cve.priority between ${min} and ${max}`)
  return sql<boolean>`(${sql.join(ranges, sql` or `)})`
}

/**
 * Builds an SQL condition that is true if the rank is between the lowest and the highest rank of the given levels,
 * which includes any levels in between. An index scan can follow only a single range.
 */
export function isAroundLevels(levels: readonly Level[]): RawBuilder<boolean> {
  const ranges = levels.map(listRanks)
  const [min, max] = [Math.min(...ranges.map(({ min }) => min)), Math.max(...ranges.map(({ max }) => max))]
  return sql<boolean>`cve.priority between ${min} and ${max}`
}
