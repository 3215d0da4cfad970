// Usage totals by day, endpoint and key.
import type { UsageBreakdown } from 'vis-sdk'

/** Number of groups in the chart. The others are combined, because more colors would be hard to distinguish. */
const MAX_GROUPS = 4

export type UsageRow = UsageBreakdown['rows'][number]

export interface Amount {
  readonly calls: number
  readonly credits: number
}

export interface GroupAmount extends Amount {
  readonly group: string
}

export interface DayBar {
  readonly day: string
  readonly credits: number
  readonly calls: number
  /** Credits of each group in the chart, in the order of the groups. */
  readonly parts: readonly number[]
}

export interface Chart {
  /** Names of the groups with the most credits, largest first. */
  readonly groups: readonly string[]
  /** Number of other groups, which are combined in the last part of each bar. */
  readonly otherGroups: number
  readonly bars: readonly DayBar[]
}

export type GetGroup = (row: UsageRow) => string

/** Returns the totals of each group, most credits first. */
export function sumByGroup(rows: readonly UsageRow[], getGroup: GetGroup): readonly GroupAmount[] {
  const sums = new Map<string, Amount>()
  for (const row of rows) {
    const { calls, credits } = sums.get(getGroup(row)) ?? { calls: 0, credits: 0 }
    sums.set(getGroup(row), { calls: calls + row.calls, credits: credits + row.credits })
  }
  return [...sums]
    .map(([group, amount]) => ({ group, ...amount }))
    .toSorted((a, b) => b.credits - a.credits || b.calls - a.calls || a.group.localeCompare(b.group, 'en'))
}

/** Returns the credits for each day on which calls were charged. */
export function sumByDay(rows: readonly UsageRow[]): ReadonlyMap<string, number> {
  return new Map(sumByGroup(rows, ({ day }) => day ?? '').map(({ group, credits }) => [group, credits]))
}

/** Returns one bar per day. Groups without credits, such as free console reads, are not part of the chart. */
export function toChart(rows: readonly UsageRow[], days: readonly string[], getGroup: GetGroup): Chart {
  const charged = sumByGroup(rows, getGroup).filter(({ credits }) => credits > 0)
  const groups = charged.slice(0, MAX_GROUPS).map(({ group }) => group)
  const otherGroups = charged.length - groups.length
  const partCount = groups.length + (otherGroups > 0 ? 1 : 0)
  const bars = days.map((day) => {
    const parts = Array.from({ length: partCount }, () => 0)
    const ofDay = rows.filter((row) => row.day === day)
    for (const row of ofDay) {
      const index = groups.indexOf(getGroup(row))
      const part = index === -1 ? groups.length : index
      if (row.credits > 0) parts[part] = (parts[part] ?? 0) + row.credits
    }
    const [credits, calls] = [sum(ofDay.map((row) => row.credits)), sum(ofDay.map((row) => row.calls))]
    return { day, parts, credits, calls }
  })
  return { groups, otherGroups, bars }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

/** Returns the end of an axis: the next number above a value that is 1, 2 or 5 followed by zeros, at least 2. */
export function toAxisEnd(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 2)))
  return [1, 2, 5, 10].map((factor) => factor * power).find((end) => end >= Math.max(value, 2)) ?? value
}
