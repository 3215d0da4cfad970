// Lays out a series of EPSS scores as a chart: a line for consecutive days, a bridge over days without a score, and a
// mark where the model changed. Scores from two models cannot be compared, so no line joins them.
import type { EpssSeries } from 'vis-sdk'
import { DAY_MS } from '../../../text/days.ts'
import { createTimeAxis, type TimeAxis } from './time-axis.ts'

type Score = EpssSeries['series'][number]

/** A score in the chart. Both coordinates are fractions of the chart from 0 to 1; `y` is 0 at the top. */
export interface ChartPoint {
  readonly x: number
  readonly y: number
  readonly score: Score
}

interface ModelMark {
  /** Letter next to the line, explained in the list below the chart. */
  readonly letter: string
  readonly x: number
  readonly text: string
}

export interface EpssChart {
  readonly axis: TimeAxis
  /** Score at the top of the chart. */
  readonly top: number
  readonly points: readonly ChartPoint[]
  /** Scores on consecutive days. A line with one point is drawn as a dot. */
  readonly lines: readonly (readonly ChartPoint[])[]
  /** The scores immediately before and after days without a score. */
  readonly bridges: readonly (readonly [ChartPoint, ChartPoint])[]
  readonly marks: readonly ModelMark[]
}

export function buildEpssChart({ from, to, series, model_changes }: EpssSeries): EpssChart {
  const axis = createTimeAxis([from, to])
  const top = chooseTop(Math.max(0, ...series.map(({ score }) => score)))
  const points = series.map((score) => ({ x: axis.place(score.date), y: 1 - score.score / top, score }))
  const changes = model_changes.filter(({ date }) => date >= from && date <= to)
  const changeDays = changes.map(({ date }) => date)
  const lines: ChartPoint[][] = []
  const bridges: [ChartPoint, ChartPoint][] = []
  for (const [index, point] of points.entries()) {
    const previous = points[index - 1]
    const hasSameModel = previous !== undefined && !changeDays.some((day) => isBetween(previous, day, point))
    if (previous && hasSameModel && isNextDay(previous, point)) lines.at(-1)?.push(point)
    else lines.push([point])
    if (previous && hasSameModel && !isNextDay(previous, point)) bridges.push([previous, point])
  }
  return { axis, top, points, lines, bridges, marks: changes.map((change, index) => toMark(change, index, axis)) }
}

/**
 * Possible ends of the scale. Most scores are below 1 %, so a scale that always ended at 100 % would show a flat line.
 */
const TOPS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1] as const

function chooseTop(highest: number): number {
  return TOPS.find((top) => top >= highest) ?? 1
}

function isNextDay({ score: one }: ChartPoint, { score: other }: ChartPoint): boolean {
  return Date.parse(other.date) - Date.parse(one.date) <= DAY_MS
}

/** Returns whether a model that starts on this day applies to the second score but not to the first. */
function isBetween({ score: one }: ChartPoint, day: string, { score: other }: ChartPoint): boolean {
  return one.date < day && day <= other.date
}

const FIRST_LETTER = 'A'.codePointAt(0) ?? 0

function toMark({ date, model, previous }: EpssSeries['model_changes'][number], index: number, axis: TimeAxis) {
  return {
    letter: String.fromCodePoint(FIRST_LETTER + index),
    x: axis.place(date),
    text: `${date}: ${describeModel(model)} replaced ${describeModel(previous)}`,
  }
}

/** Early EPSS releases do not name their model. */
function describeModel(model: string | null): string {
  return model === null ? 'a model without a name' : `model ${model}`
}

/** Formats a tick label without superfluous zeros: `0 %`, `0.05 %`, `50 %`. */
export function formatShare(share: number): string {
  return `${Number((share * 100).toPrecision(3))} %`
}

/**
 * Returns the point nearest to a horizontal position between 0 (left) and 1 (right), or undefined if there are no
 * points.
 */
export function findNearest(points: readonly ChartPoint[], x: number): ChartPoint | undefined {
  return points.toSorted((a, b) => Math.abs(a.x - x) - Math.abs(b.x - x))[0]
}

/** A range includes both of its days. */
function countDays(ranges: EpssSeries['missing_days']): number {
  return ranges.reduce((sum, { from, to }) => sum + (Date.parse(to) - Date.parse(from)) / DAY_MS + 1, 0)
}

/** Summarizes the chart in one or two sentences. */
export function summarizeSeries({ from, to, series, missing_days }: EpssSeries, format: (score: number) => string) {
  const [first, last] = [series[0], series.at(-1)]
  if (!first || !last) return `There is no EPSS score from ${from} to ${to}.`
  const scores = series.map(({ score }) => score)
  const range = `between ${format(Math.min(...scores))} and ${format(Math.max(...scores))}`
  const missing = countDays(missing_days)
  const gaps = missing === 0 ? '' : ` ${missing} ${missing === 1 ? 'day has' : 'days have'} no score.`
  return `EPSS from ${first.date} to ${last.date}: ${range}, at last ${format(last.score)}.${gaps}`
}
