// What every part of the benchmark is given.
import type { SectionResult, SideSeen } from './figures.ts'
import { type Crowd, openCrowd } from './load/crowd.ts'
import { type Pace, type Side, type Turns, typical } from './load/turns.ts'
import type { World } from './world.ts'

export interface Bench {
  readonly world: World
  readonly pace: Pace
  /** Hot records: so many fit into the cache of a process. */
  readonly ids: readonly string[]
  /** More than fit. */
  readonly manyIds: readonly string[]
  /** As upstream publishes them: the real ones, or made up. */
  readonly files: string
  readonly isQuick: boolean
}

export type Section = (bench: Bench) => Promise<SectionResult>

/** As many callers at once as the figures ask for. */
export const CALLERS = 64

export async function crowdOf(...ports: readonly number[]): Promise<Crowd> {
  return openCrowd(ports, CALLERS)
}

/** Calls over HTTP, to one process or several. */
export function httpSide(name: string, pids: readonly number[], crowd: Crowd, requests: readonly string[]): Side {
  return { name, pids, run: (ms) => crowd.ask(requests, ms) }
}

export function sidesOf(comparison: string, turns: Turns): readonly SideSeen[] {
  return [...turns.keys()].map((side) => ({ comparison, side, ...typical(turns, side) }))
}
