// Lays out a part of the timeline: where each mark is, and which labels fit without covering each other.
import { DAY_MS, toDay } from '../../../text/days.ts'
import { type Lane, labelMark, type Mark } from './lanes.ts'

/** A period; both days are included. */
export interface Period {
  readonly from: string
  readonly to: string
}

export interface PlacedMark {
  readonly mark: Mark
  /** Position as a fraction of the width. */
  readonly x: number
  /** Whether there is space for the number of events above the mark. */
  readonly hasCount: boolean
  /** Undefined if there is no space for a label. */
  readonly label: { readonly text: string; readonly side: 'left' | 'right' | 'above' } | undefined
}

const MIN_DAYS = 14
const MARGIN = 0.08

/** Extends a period on both sides, so that marks are not at the edge, and to two weeks at least. */
function pad(from: string, to: string): Period {
  const [start, end] = [Date.parse(from), Date.parse(to)]
  const missing = Math.max(0, MIN_DAYS * DAY_MS - (end - start)) / 2
  const margin = Math.max((end - start) * MARGIN, 2 * DAY_MS) + missing
  return { from: toDay(new Date(start - margin)), to: toDay(new Date(end + margin)) }
}

/** Events that are farther apart than this belong to different weeks. */
const MAX_PAUSE_DAYS = 45

/**
 * Returns the weeks with the most marks, the earlier ones if two have as many; undefined if these are less than half of
 * all marks, because such weeks say little.
 */
export function findBusyPeriod(marks: readonly Mark[]): Period | undefined {
  const groups: Mark[][] = []
  for (const mark of marks) {
    const last = groups.at(-1)?.at(-1)
    if (last && Date.parse(mark.day) - Date.parse(last.day) <= MAX_PAUSE_DAYS * DAY_MS) groups.at(-1)?.push(mark)
    else groups.push([mark])
  }
  const [busiest = []] = groups.toSorted((a, b) => b.length - a.length)
  const [first, last] = [busiest[0], busiest.at(-1)]
  return first && last && busiest.length * 2 >= marks.length ? pad(first.day, last.day) : undefined
}

export function findWholePeriod(marks: readonly Mark[], today: string): Period {
  const days = [...marks.map(({ day }) => day), today].sort()
  const { from } = pad(days[0] ?? today, today)
  return { from, to: days.at(-1) ?? today }
}

/** Moves a period to a day without changing its length. */
export function centerOn(day: string, { from, to }: Period): Period {
  const half = (Date.parse(to) - Date.parse(from)) / 2
  const center = Date.parse(day)
  return { from: toDay(new Date(center - half)), to: toDay(new Date(center + half)) }
}

export function place(day: string, { from, to }: Period): number {
  const start = Date.parse(from)
  return (Date.parse(day) - start) / (Date.parse(to) - start)
}

export function isWithin(day: string, { from, to }: Period): boolean {
  return from <= day && day <= to
}

/** Average width of a character of 12 px text, and space beside a mark. */
const CHARACTER_PX = 6.4
const MARK_PX = 14
/** Half the width of a number of up to three digits and its sign. */
const COUNT_PX = 14

/** `width` is that of the drawing in pixels. */
export function placeMarks(marks: readonly Mark[], period: Period, width: number): readonly PlacedMark[] {
  const placed: PlacedMark[] = []
  /** Right end of what is already drawn in each lane. */
  const ends = new Map<Lane, number>()
  const endsAbove = new Map<Lane, number>()
  const shown = marks.filter(({ day }) => isWithin(day, period))
  for (const mark of shown) {
    const x = place(mark.day, period)
    const at = x * width
    const next = shown.find(({ lane, day }) => lane === mark.lane && day > mark.day)
    const text = labelMark(mark)
    const length = text.length * CHARACTER_PX + MARK_PX
    const limit = next === undefined ? width : place(next.day, period) * width - MARK_PX / 2
    const isRight = at + length <= limit
    const isLeft = !isRight && at - length >= (ends.get(mark.lane) ?? 0)
    const half = length / 2
    const isAbove = at - half >= (endsAbove.get(mark.lane) ?? 0) && at + half <= width
    const side = isRight ? 'right' : isLeft ? 'left' : isAbove ? 'above' : undefined
    const hasCount = !side && mark.events.length > 1 && at - COUNT_PX >= (endsAbove.get(mark.lane) ?? 0)
    placed.push({ mark, x, hasCount, label: side && { text, side } })
    ends.set(mark.lane, isRight ? at + length : at + MARK_PX)
    if (side === 'above') endsAbove.set(mark.lane, at + half)
    if (hasCount) endsAbove.set(mark.lane, at + COUNT_PX)
  }
  return placed
}

/** Space that the day of a mark needs below the chart. */
const TICK_PX = 56

/** Returns the days that can be named below the chart without covering each other. */
export function chooseTicks(
  marks: readonly PlacedMark[],
  width: number,
): readonly { readonly day: string; readonly x: number }[] {
  const ticks: { day: string; x: number }[] = []
  for (const { mark, x } of marks) {
    const last = ticks.at(-1)
    if (last?.day === mark.day || (last && (x - last.x) * width < TICK_PX)) continue
    ticks.push({ day: mark.day, x })
  }
  return ticks
}
