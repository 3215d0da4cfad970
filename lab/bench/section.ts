// Types and helpers of the benchmark's sections.
import type { SectionResult, SideResult } from './figures.ts'
import type { Load, LoadClient } from './load/client.ts'
import { computeMedians, measureInTurns, type Pace, type Side, type Turns } from './load/measure-in-turns.ts'
import type { BenchSetup } from './setup.ts'

export interface Bench {
  readonly setup: BenchSetup
  readonly client: LoadClient
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

/** Number of concurrent callers, unless a section says otherwise. */
export const CALLER_COUNT = 64
/** Number of accounts that call, unless a section says otherwise. */
export const FEW_ACCOUNTS = 10
export const MANY_ACCOUNTS = 1000

interface HttpSide {
  readonly name: string
  /** Server processes. Each of them gets its own callers. */
  readonly servers: readonly { readonly pid: number; readonly port: number }[]
  readonly requests: readonly string[]
  readonly callers?: number
  readonly mayRefuse?: boolean
}

/** Measures sides that are called over HTTP, and further sides, in turns. */
export async function measureSides(
  { client, pace, setup }: Bench,
  httpSides: readonly HttpSide[],
  furtherSides: readonly Side[] = [],
): Promise<Turns> {
  const loads: Load[] = []
  const sides: Side[] = []
  for (const { name, servers, requests, callers = CALLER_COUNT, mayRefuse = false } of httpSides) {
    const own = await Promise.all(servers.map(({ port }) => client.prepare(port, callers, requests)))
    loads.push(...own)
    sides.push({ name, mayRefuse, pids: servers.map(({ pid }) => pid), run: (ms) => runLoads(own, ms) })
  }
  const turns = await measureInTurns([...sides, ...furtherSides], pace, setup.sharedCpu)
  for (const load of loads) load.close()
  return turns
}

async function runLoads(loads: readonly Load[], ms: number) {
  const results = await Promise.all(loads.map((load) => load.run(ms)))
  return {
    calls: results.reduce((sum, { calls }) => sum + calls, 0),
    failures: results.reduce((sum, { failures }) => sum + failures, 0),
    seconds: Math.max(...results.map(({ seconds }) => seconds)),
  }
}

export function summariseSides(comparison: string, turns: Turns): readonly SideResult[] {
  return [...turns.keys()].map((side) => ({ comparison, side, ...computeMedians(turns, side) }))
}
