import { type DayScore, fromUnits } from '../../../domain/epss-series/codec.ts'
import { type DayRange, FIRST_EPSS_DAY, joinDays, listDays } from '../../../domain/epss-series/days.ts'
import { computeLev, findNoLevReason } from '../../../domain/epss-series/lev.ts'
import type { EpssDay } from '../../../domain/epss-series/mover-windows.ts'
import { formatDay } from '../../../domain/instant.ts'
import type { Window } from './window.ts'

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

export function renderSeries(cveId: string, { from, to }: Window, stored: StoredSeries, now: Date) {
  const models = new Map(stored.days.map(({ day, model }) => [day, model]))
  const series = stored.scores.map(({ date, score, percentile }) => ({
    date,
    score: fromUnits(score),
    percentile: percentile === null ? null : fromUnits(percentile),
    model: models.get(date) ?? null,
  }))
  const noLevReason = findNoLevReason(series, stored.isExploited)
  return {
    cve_id: cveId,
    from,
    to,
    series,
    model_changes: listModelChanges(stored),
    missing_days: listMissingDays({ from, to }, models, stored.newest ?? formatDay(now)),
    first_scored: stored.firstScored,
    lev: noLevReason === null ? computeLev(series) : null,
    no_lev_reason: noLevReason,
  }
}

function listModelChanges({ days, previous }: StoredSeries) {
  const all = previous ? [previous, ...days] : days
  return all.flatMap(({ day, model }, index) => {
    const before = all[index - 1]
    return before && before.model !== model ? [{ date: day, model, previous: before.model }] : []
  })
}

/** Days before FIRST's first file and days after the newest release do not count as missing. */
function listMissingDays(
  { from, to }: Window,
  held: ReadonlyMap<string, unknown>,
  newest: string,
): readonly DayRange[] {
  const first = from > FIRST_EPSS_DAY ? from : FIRST_EPSS_DAY
  return joinDays(listDays(first, to < newest ? to : newest).filter((day) => !held.has(day)))
}
