// A series of EPSS scores in as few points as its movements need.
import { fromUnits, toUnits } from './codec.ts'
import { addDays, type DayRange, joinDays, listDays } from './days.ts'
import { type DatedScore, listModelChanges, type StoredSeries } from './stored-series.ts'

/** Smaller movements cannot be seen in a chart from 0 to 100 %. */
export const MIN_MOVEMENT = 0.01
const MIN_MOVEMENT_UNITS = toUnits(MIN_MOVEMENT)

/** How the EPSS score of a CVE moved within a window of days. */
export interface EpssMovements extends DayRange {
  readonly points: readonly { readonly date: string; readonly score: number }[]
  /** Days between the first and the last point without a score. */
  readonly missing_days: readonly DayRange[]
  readonly model_changes: ReturnType<typeof listModelChanges>
}

/**
 * Keeps the first and the last score, those around days without one, the first of each EPSS model, and those that differ
 * from the last kept one by MIN_MOVEMENT or more.
 */
export function listMovements({ from, to }: DayRange, stored: StoredSeries): EpssMovements {
  const { scores, days } = stored
  const models = new Map(days.map(({ day, model }) => [day, model]))
  const kept: DatedScore[] = []
  const missing: DayRange[] = []
  for (const [index, score] of scores.entries()) {
    const [previous, next] = [scores[index - 1], scores[index + 1]]
    const gap = previous && findGap(previous.date, score.date)
    if (gap) missing.push(...gap)
    const last = kept.at(-1)
    if (
      !previous ||
      !next ||
      !last ||
      gap ||
      findGap(score.date, next.date) ||
      models.get(previous.date) !== models.get(score.date) ||
      Math.abs(score.score - last.score) >= MIN_MOVEMENT_UNITS
    )
      kept.push(score)
  }
  const points = kept.map(({ date, score }) => ({ date, score: fromUnits(score) }))
  return { from, to, points, missing_days: missing, model_changes: listModelChanges(stored) }
}

/** Returns the days between two scores, or undefined if the second one is of the next day. */
function findGap(from: string, to: string): readonly DayRange[] | undefined {
  const first = addDays(from, 1)
  return first === to ? undefined : joinDays(listDays(first, addDays(to, -1)))
}
