// Lays out days on a horizontal axis from the first to the last day, with ticks at the start of years or months, or
// every ten days.
import { DAY_MS } from '../../../text/days.ts'

interface AxisTick {
  readonly at: number
  readonly label: string
}

export interface TimeAxis {
  /** Returns the position of a day as a fraction of the axis, from 0 to 1. */
  place(day: string): number
  readonly ticks: readonly AxisTick[]
}

/** Free space before the first and after the last day, as a fraction of the period. */
const MARGIN = 0.03
const MAX_TICKS = 4

export function createTimeAxis(days: readonly string[]): TimeAxis {
  const times = days.map((day) => Date.parse(day))
  const [first, last] = [Math.min(...times), Math.max(...times)]
  // A single day or a short period is centered in an axis of at least 30 days.
  const missing = Math.max(0, 30 * DAY_MS - (last - first))
  const margin = Math.max(last - first, 30 * DAY_MS) * MARGIN
  const [from, to] = [first - missing / 2 - margin, last + missing / 2 + margin]
  const place = (time: number) => (time - from) / (to - from)
  return {
    place: (day) => place(Date.parse(day)),
    ticks: listTicks(from, to).map(({ time, label }) => ({ at: place(time), label })),
  }
}

interface Tick {
  readonly time: number
  readonly label: string
}

function listTicks(from: number, to: number): readonly Tick[] {
  const months = listMonths(from, to)
  const years = months
    .filter(({ label }) => label.endsWith('-01'))
    .map(({ time, label }) => ({ time, label: label.slice(0, 4) }))
  return thinOut(years.length >= 3 ? years : months.length >= 2 ? months : listDays(from, to))
}

/** Lists every tenth day of a period that is too short for months. */
function listDays(from: number, to: number): readonly Tick[] {
  const first = Math.ceil(from / DAY_MS) * DAY_MS
  const count = Math.ceil((to - first) / (10 * DAY_MS))
  return Array.from({ length: count }, (_, index) => {
    const time = first + index * 10 * DAY_MS
    return { time, label: new Date(time).toISOString().slice(0, 10) }
  })
}

function listMonths(from: number, to: number): readonly Tick[] {
  const ticks: Tick[] = []
  const start = new Date(from)
  for (let month = start.getUTCMonth() + 1; ; month += 1) {
    const time = Date.UTC(start.getUTCFullYear(), month, 1)
    if (time >= to) return ticks
    ticks.push({ time, label: new Date(time).toISOString().slice(0, 7) })
  }
}

/** Keeps every second, third … tick, so that the labels do not overlap on a narrow screen. */
function thinOut(ticks: readonly Tick[]): readonly Tick[] {
  const step = Math.ceil(ticks.length / MAX_TICKS)
  return ticks.filter((_, index) => index % step === 0)
}
