import { fromUnits } from '../../../domain/epss-series/codec.ts'
import type { DayRange } from '../../../domain/epss-series/days.ts'
import { computeLev, findNoLevReason } from '../../../domain/epss-series/lev.ts'
import { listMissingDays, listModelChanges, type StoredSeries } from '../../../domain/epss-series/stored-series.ts'
import { formatDay } from '../../../domain/instant.ts'

export function renderSeries(cveId: string, { from, to }: DayRange, stored: StoredSeries, now: Date) {
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
