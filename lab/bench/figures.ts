// Goals and limits of the benchmark, and the types of its results.
import type { Ratio, Turn } from './load/measure-in-turns.ts'

export interface Figure {
  readonly name: string
  /** Goal of the figure: a minimum for throughput, a maximum for costs and durations. */
  readonly goal: { readonly kind: 'min' | 'max'; readonly value: number }
  /** Whether the figure is a ratio to the throughput of F, which a slow client limits. */
  readonly needsFastClient?: true
}

const atLeast = (name: string, value: number): Figure => ({ name, goal: { kind: 'min', value } })
const atMost = (name: string, value: number): Figure => ({ name, goal: { kind: 'max', value } })

export const FIGURES = {
  warmTotalCpu: atMost('get-cve, warm: CPU of process, PostgreSQL and Redis against F + M', 1.9),
  warmTotalCpuManyAccounts: atMost('the same with 1,000 active accounts', 1.9),
  warmCpu: atMost('get-cve, warm, 64 callers: CPU of the process against F', 2.4),
  warmThroughput: { ...atLeast('get-cve, warm, 64 callers: throughput against F', 0.4), needsFastClient: true },
  warmCpu256: atMost('get-cve, warm, 256 callers: CPU of the process against F', 2),
  warmThroughput256: { ...atLeast('get-cve, warm, 256 callers: throughput against F', 0.5), needsFastClient: true },
  gzip: atLeast('get-cve: throughput of gzip against identity, hot records', 0.7),
  coldCpu: atMost('get-cve, cold: CPU of process, PostgreSQL and Redis against F + P + M', 1.25),
  batch: atLeast('batch of 50, from memory: throughput against P', 0.7),
  batchFromDatabase: atLeast('batch of 50, from the database: throughput against P', 0.7),
  manyAccounts: atLeast('get-cve: throughput with 1,000,000 accounts against 1,000', 0.95),
  twoProcesses: atLeast('calls per CPU-second: two processes against one, 64 callers each', 0.85),
  searchAddedMs: atMost('search mix: time added to the SQL statement at the median, in ms', 2),
  searchP99: atMost('search mix: p99 latency against P’s best plan', 2),
  tenfoldP50: atMost('search: p50 with ten times the data against the usual data', 1.3),
  tenfoldP95: atMost('search: p95 with ten times the data against the usual data', 4),
  tenfoldWorstMs: atMost('search: slowest with ten times the data, in ms', 500),
  fullLoad: atMost('full load of the real data by the feeds, against C', 3),
  memory: atMost('memory of the process after calls of all kinds, in MB', 512),
} satisfies Record<string, Figure>

export type FigureName = keyof typeof FIGURES

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

/** A run fails if a figure is worse than the recorded value by more than this factor. */
const TOLERANCE = 1.25

/** Returns the worst value with which a run passes, from the value that was recorded by the last `--write`. */
export function computeLimit(figure: FigureName, recorded: number): number {
  return FIGURES[figure].goal.kind === 'min' ? recorded / TOLERANCE : recorded * TOLERANCE
}

/** Returns whether a result is worse than its limit. A figure without a recorded value has no limit yet. */
export function isRegression({ figure, ratio }: Measured, recorded: number | undefined): boolean {
  if (recorded === undefined) return false
  const limit = computeLimit(figure, recorded)
  return FIGURES[figure].goal.kind === 'min' ? ratio.value < limit : ratio.value > limit
}

/** Wraps a single value, such as a memory size, in the type for ratios of two measurements. */
export const toRatio = (value: number): Ratio => ({ value, min: value, max: value })
