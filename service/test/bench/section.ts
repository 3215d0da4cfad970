// Types and helpers of the benchmark's sections.
import type { SectionResult, SideResult } from './figures.ts'
import { type CallerPool, openCallerPool } from './load/caller-pool.ts'
import { computeMedians, type Pace, type Side, type Turns } from './load/measure-in-turns.ts'
import type { BenchSetup } from './setup.ts'

export interface Bench {
  readonly setup: BenchSetup
  readonly pace: Pace
  /** Ids of frequently read CVEs, few enough to fit into the record cache of a process. */
  readonly ids: readonly string[]
  /** Ids of more CVEs than fit into the record cache of a process. */
  readonly manyIds: readonly string[]
  /** Folder of the upstream files, real or generated. */
  readonly files: string
  readonly isQuick: boolean
}

export type Section = (bench: Bench) => Promise<SectionResult>

/** Number of concurrent callers. */
export const CALLER_COUNT = 64

export async function openCallers(...ports: readonly number[]): Promise<CallerPool> {
  return openCallerPool(ports, CALLER_COUNT)
}

/** Creates a side of a comparison that sends HTTP requests to one or more processes. */
export function createHttpSide(
  name: string,
  pids: readonly number[],
  callers: CallerPool,
  requests: readonly string[],
): Side {
  return { name, pids, run: (ms) => callers.run(requests, ms) }
}

export function summariseSides(comparison: string, turns: Turns): readonly SideResult[] {
  return [...turns.keys()].map((side) => ({ comparison, side, ...computeMedians(turns, side) }))
}
