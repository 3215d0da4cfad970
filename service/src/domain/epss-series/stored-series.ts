// The EPSS scores of a CVE within a window of days, as they are stored, and what follows from them.
import type { DayScore } from './codec.ts'
import { type DayRange, FIRST_EPSS_DAY, joinDays, listDays } from './days.ts'
import type { EpssDay } from './mover-windows.ts'

export interface DatedScore extends DayScore {
  readonly date: string
}

/** What the database holds about a CVE within a window of days. All lists start with the oldest day. */
export interface StoredSeries {
  readonly scores: readonly DatedScore[]
  /** The days in the window for which the service has a release. */
  readonly days: readonly EpssDay[]
  /** The last day before the window for which the service has a release. */
  readonly previous: EpssDay | null
  readonly firstScored: string | null
  /** The newest day for which the service has a release. */
  readonly newest: string | null
  readonly isExploited: boolean
}

export function listModelChanges({ days, previous }: StoredSeries) {
  const all = previous ? [previous, ...days] : days
  return all.flatMap(({ day, model }, index) => {
    const before = all[index - 1]
    return before && before.model !== model ? [{ date: day, model, previous: before.model }] : []
  })
}

/** Days before FIRST's first file and days after the newest release do not count as missing. */
export function listMissingDays(
  { from, to }: DayRange,
  held: ReadonlyMap<string, unknown>,
  newest: string,
): readonly DayRange[] {
  const first = from > FIRST_EPSS_DAY ? from : FIRST_EPSS_DAY
  return joinDays(listDays(first, to < newest ? to : newest).filter((day) => !held.has(day)))
}
