// The lines of the EPSS score behind the timeline. The record has a point only where the score moved, so the line stays at
// a score until the day before the next point. It breaks where days have no score, and where the model changed: scores
// of two models cannot be compared.
import type { Cve } from 'vis-sdk'
import { shiftDay } from '../../../text/months.ts'
import type { Period } from './layout.ts'

export type EpssMovements = NonNullable<NonNullable<Cve['timeline']>['epss_movements']>
type Point = EpssMovements['points'][number]

/** Returns the lines within a period. */
export function listEpssLines(movements: EpssMovements, period: Period): readonly (readonly Point[])[] {
  return joinPoints(movements)
    .map((line) => clip(line, period))
    .filter((line) => line.length > 1)
}

function joinPoints({ points, missing_days, model_changes }: EpssMovements): readonly (readonly Point[])[] {
  const afterGap = new Set(missing_days.map(({ to }) => shiftDay(to, 1)))
  const newModel = new Set(model_changes.map(({ date }) => date))
  const lines: Point[][] = []
  for (const [index, point] of points.entries()) {
    const [previous, line] = [points[index - 1], lines.at(-1)]
    const dayBefore = shiftDay(point.date, -1)
    if (!previous || !line || afterGap.has(point.date)) {
      lines.push([point])
      continue
    }
    if (dayBefore > previous.date) line.push({ date: dayBefore, score: previous.score })
    if (newModel.has(point.date)) lines.push([point])
    else line.push(point)
  }
  return lines
}

/** A line that begins before the period or ends after it reaches the edge of the drawing. */
function clip(line: readonly Point[], { from, to }: Period): readonly Point[] {
  const inside = line.filter(({ date }) => date >= from && date <= to)
  const before = line.findLast(({ date }) => date < from)
  const after = line.find(({ date }) => date > to)
  const [first, last] = [inside[0] ?? after, inside.at(-1) ?? before]
  return [
    ...(before && first && first.date !== from ? [{ date: from, score: before.score }] : []),
    ...inside,
    ...(after && last && last.date !== to ? [{ date: to, score: last.score }] : []),
  ]
}
