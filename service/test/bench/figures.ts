// What is to hold, and what was measured of it.
import type { Ratio, Turn } from './load/turns.ts'

export interface Figure {
  readonly name: string
  /** `at least` for throughput, `at most` for costs and times. */
  readonly bound: { readonly at: 'least' | 'most'; readonly value: number }
  /** Where that is out of reach so far: what was reached, which must not get lost (see docs/performance.md). */
  readonly reached: number
}

const least = (name: string, value: number, reached = value): Figure => ({
  name,
  reached,
  bound: { at: 'least', value },
})
const most = (name: string, value: number, reached = value): Figure => ({ name, reached, bound: { at: 'most', value } })

export const FIGURES = {
  warmThroughput: least('get-cve, warm: throughput against F', 0.75, 0.26),
  warmCpu: most('get-cve, warm: CPU of the process against F', 1.5, 3.5),
  coldCpu: most('get-cve, cold: CPU of all against F + P + M', 1.25),
  batch: least('batch of 50: throughput against P', 0.7),
  searchMedian: most('search mix: median latency against P’s best plan', 1.3, 1.7),
  searchP99: most('search mix: p99 latency against P’s best plan', 2),
  tenfoldP50: most('search on ten times the data: p50', 1.3, 1.6),
  tenfoldP95: most('search on ten times the data: p95', 4),
  tenfoldWorstMs: most('search on ten times the data: slowest, in ms', 500, 550),
  manyAccounts: least('get-cve with 1,000,000 accounts against 10', 0.95),
  gzip: least('get-cve: gzip against identity, hot records', 0.7),
  twoProcesses: least('calls per CPU-second: two processes against one', 0.9, 0.68),
  fullLoad: most('full load of the data, feeds only, against C', 3),
  memory: most('memory of the process after the whole mix, in MB', 512),
} satisfies Record<string, Figure>

type FigureName = keyof typeof FIGURES

export interface Measured {
  readonly figure: FigureName
  readonly ratio: Ratio
}

/** What one side of a comparison did, for the second table. */
export interface SideSeen extends Turn {
  readonly comparison: string
  readonly side: string
}

export interface SectionResult {
  readonly measured: readonly Measured[]
  readonly sides?: readonly SideSeen[]
  /** Sentences for the report. */
  readonly remarks?: readonly string[]
}

export function holds({ figure, ratio }: Measured): boolean {
  const { at, value } = FIGURES[figure].bound
  return at === 'least' ? ratio.value >= value : ratio.value <= value
}

/** A noisy machine must not look like a fault: only what is worse than half of what was reached is one. */
export function isFarOff({ figure, ratio }: Measured): boolean {
  const { bound, reached } = FIGURES[figure]
  return bound.at === 'least' ? ratio.value < reached / 2 : ratio.value > reached * 2
}

/** A figure that is no comparison. */
export const single = (value: number): Ratio => ({ value, least: value, greatest: value })
