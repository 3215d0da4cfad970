// Weeks of seven days that end today, one week earlier, and so on, and the counts in them.
import type { StatsSeries } from 'vis-sdk'
import { shiftDay } from '../../../text/months.ts'

export interface Week {
  readonly from: string
  readonly to: string
}

const DAYS = 7

/** Lists the weeks up to a day, oldest first. */
export function listWeeks(lastDay: string, count: number): readonly Week[] {
  return Array.from({ length: count }, (_, index) => {
    const to = shiftDay(lastDay, -DAYS * (count - 1 - index))
    return { from: shiftDay(to, 1 - DAYS), to }
  })
}

type Bucket = StatsSeries['buckets'][number]

/** Adds up the counts of a week's days; null if one of them is not known. */
export function countWeek(buckets: readonly Bucket[], week: Week): number | null {
  return addCounts(buckets.filter(({ from }) => isIn(from, week)).map(({ count }) => count))
}

/** The same for one value of the split, such as `P0`. */
export function countWeekValue(buckets: readonly Bucket[], week: Week, value: string): number | null {
  const own = buckets.filter(({ from }) => isIn(from, week))
  return addCounts(own.map(({ values = [] }) => values.find((each) => each.value === value)?.count ?? null))
}

/** Returns the level at the end of a week's last day that is known; null if none is. */
export function readLevel(buckets: readonly Bucket[], week: Week): number | null {
  return buckets.find(({ from }) => from === week.to)?.count ?? null
}

export const isIn = (day: string, { from, to }: Week) => day >= from && day <= to

function addCounts(counts: readonly (number | null)[]): number | null {
  return counts.reduce<number | null>(
    (total, count) => (total === null || count === null ? null : total + count),
    counts.length === 0 ? null : 0,
  )
}
