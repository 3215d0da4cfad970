// Goals of the benchmark, and the types of its results.
import type { Ratio, Turn } from './load/measure-in-turns.ts'

export interface Figure {
  readonly name: string
  /** Goal of the figure: a minimum for throughput, a maximum for costs and durations. */
  readonly goal: { readonly kind: 'min' | 'max'; readonly value: number }
  /**
   * Value recorded in docs/performance.md if the goal has never been reached, otherwise the goal. A run whose result is
   * more than twice as bad as this value fails.
   */
  readonly reached: number
}

const atLeast = (name: string, value: number, reached = value): Figure => ({
  name,
  reached,
  goal: { kind: 'min', value },
})
const atMost = (name: string, value: number, reached = value): Figure => ({
  name,
  reached,
  goal: { kind: 'max', value },
})

export const FIGURES = {
  warmThroughput: atLeast('get-cve, warm: throughput against F', 0.75, 0.26),
  warmCpu: atMost('get-cve, warm: CPU of the process against F', 1.5, 3.5),
  coldCpu: atMost('get-cve, cold: total CPU against F + P + M', 1.25),
  batch: atLeast('batch of 50: throughput against P', 0.7),
  searchMedian: atMost('search mix: median latency against P’s best plan', 1.3, 1.7),
  searchP99: atMost('search mix: p99 latency against P’s best plan', 2),
  tenfoldP50: atMost('search: p50 with ten times the data against the usual data', 1.3, 1.6),
  tenfoldP95: atMost('search: p95 with ten times the data against the usual data', 4),
  tenfoldWorstMs: atMost('search: slowest with ten times the data, in ms', 500, 550),
  manyAccounts: atLeast('get-cve with 1,000,000 accounts against 10', 0.95),
  gzip: atLeast('get-cve: gzip against identity, hot records', 0.7),
  twoProcesses: atLeast('calls per CPU-second: two processes against one', 0.9, 0.68),
  fullLoad: atMost('full load of the real data by the feeds, against C', 3),
  memory: atMost('memory of the process after calls of all kinds, in MB', 512),
} satisfies Record<string, Figure>

type FigureName = keyof typeof FIGURES

export interface Measured {
  readonly figure: FigureName
  readonly ratio: Ratio
}

/**
 * Median results of one side of a benchmark comparison, such as the service or a baseline, for the second table of the
 * benchmark report.
 */
export interface SideResult extends Turn {
  readonly comparison: string
  readonly side: string
}

export interface SectionResult {
  readonly measured: readonly Measured[]
  readonly sides?: readonly SideResult[]
  /** Further lines of the benchmark report. */
  readonly notes?: readonly string[]
}

export function meetsGoal({ figure, ratio }: Measured): boolean {
  const { kind, value } = FIGURES[figure].goal
  return kind === 'min' ? ratio.value >= value : ratio.value <= value
}

/**
 * Whether a result is more than twice as bad as the recorded value. Smaller differences do not count, because they may
 * come from a busy machine.
 */
export function isRegression({ figure, ratio }: Measured): boolean {
  const { goal, reached } = FIGURES[figure]
  return goal.kind === 'min' ? ratio.value < reached / 2 : ratio.value > reached * 2
}

/** Wraps a single value, such as a memory size, in the type for ratios of two measurements. */
export const toRatio = (value: number): Ratio => ({ value, min: value, max: value })
