// Numbers of hits by priority level, the most urgent level first. CVEs and advisories without a level come last.
import { findLevelOfRank, LEVELS } from '../../domain/priority/policy.ts'

export type LevelCounts = readonly number[]

export const NO_HITS: LevelCounts = [...LEVELS, null].map(() => 0)

/** Number of levels that count as urgent: P0, P1 and P2. */
export const URGENT_LEVELS = LEVELS.indexOf('P2') + 1

export function toLevelIndex(rank: number | null): number {
  const level = findLevelOfRank(rank)
  return level === null ? LEVELS.length : LEVELS.indexOf(level)
}

export function countLevels(ranks: readonly (number | null)[]): LevelCounts {
  const counts = [...NO_HITS]
  for (const each of ranks) {
    const index = toLevelIndex(each)
    counts[index] = (counts[index] ?? 0) + 1
  }
  return counts
}

/** Negative if `a` has fewer hits at the most urgent of the first `levels` levels at which the two differ. */
export function compareCounts(a: LevelCounts, b: LevelCounts, levels = a.length): number {
  for (let index = 0; index < levels; index += 1) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}
