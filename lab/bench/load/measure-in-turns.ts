// Measures the sides of a comparison, such as the service and a baseline, in turns (A B A B …), so that disturbances of
// the machine affect all sides equally.
import { setTimeout as sleep } from 'node:timers/promises'
import { readCpuSeconds, readOwnCpuSeconds } from '../../../service/test/support/load/cpu.ts'
import { median } from '../../../service/test/support/load/percentile.ts'

export interface Side {
  readonly name: string
  /** Process ids of one side of the comparison, without PostgreSQL and Redis. */
  readonly pids: readonly number[]
  /** If true, refused calls are reported. Otherwise a refused call ends the benchmark, because refusals are cheap. */
  readonly mayRefuse?: boolean
  run(ms: number): Promise<{ readonly calls: number; readonly seconds: number; readonly failures?: number }>
}

/** Processor time in seconds of PostgreSQL and Redis, which all sides of the comparison share. */
export interface SharedCpu {
  readonly postgres: () => Promise<number>
  readonly redis: () => Promise<number>
}

/** Processor time per call in microseconds. */
interface Cost {
  /** Processor time of the side's own processes, without PostgreSQL and Redis. */
  readonly own: number
  readonly postgres: number
  readonly redis: number
}

export interface Turn extends Cost {
  readonly perSecond: number
  /** Processor time per call in microseconds of the client that sends the calls; 0 for a side that calls itself. */
  readonly client: number
  /** Share of the calls that were not answered with a status below 400. */
  readonly refused: number
}

/**
 * Pause after each turn. wrk leaves one call per caller unanswered at the end; in the pause, the server finishes these
 * calls, so that their processor time does not count for the next side.
 */
const SETTLE_MS = 150

/** Total processor time of a call: the side's processes, PostgreSQL and Redis. */
export const sumCost = ({ own, postgres, redis }: Cost): number => own + postgres + redis

export type Turns = ReadonlyMap<string, readonly Turn[]>

export interface Pace {
  readonly turns: number
  readonly sliceMs: number
  readonly warmUpTurns: number
}

/**
 * Runs all sides of a comparison in turns. The first turns are a warm-up and are not counted, because V8 still compiles
 * the code and caches are empty; refused calls in the warm-up are ignored. The warm-up also alternates between the
 * sides, because a server closes a connection on which no request was sent.
 */
export async function measureInTurns(
  sides: readonly Side[],
  { turns, sliceMs, warmUpTurns }: Pace,
  shared: SharedCpu,
): Promise<Turns> {
  const rounds: (readonly [string, Turn])[] = []
  for (let round = 0; round < warmUpTurns + turns; round += 1) {
    const isWarmUp = round < warmUpTurns
    for (const side of sides) rounds.push([side.name, await measureTurn(side, sliceMs, shared, isWarmUp)])
  }
  const counted = rounds.slice(warmUpTurns * sides.length)
  const byName = Map.groupBy(counted, ([name]) => name)
  return new Map([...byName].map(([name, entries]) => [name, entries.map(([, turn]) => turn)]))
}

async function measureTurn(side: Side, ms: number, shared: SharedCpu, isWarmUp: boolean): Promise<Turn> {
  const before = await readCpu(side, shared)
  const { calls, seconds, failures = 0 } = await side.run(ms)
  await sleep(SETTLE_MS)
  const after = await readCpu(side, shared)
  if (failures > 0 && !side.mayRefuse && !isWarmUp)
    throw new Error(`${side.name}: ${failures} of ${calls} calls failed`)
  const perCall = (name: keyof Cpu) => ((after[name] - before[name]) / calls) * 1e6
  return {
    perSecond: calls / seconds,
    own: perCall('own'),
    postgres: perCall('postgres'),
    redis: perCall('redis'),
    client: perCall('client'),
    refused: failures / calls,
  }
}

type Cpu = Cost & Pick<Turn, 'client'>

async function readCpu({ pids }: Side, { postgres, redis }: SharedCpu): Promise<Cpu> {
  return {
    client: readOwnCpuSeconds(),
    postgres: await postgres(),
    redis: await redis(),
    own: pids.reduce((total, pid) => total + readCpuSeconds(pid), 0),
  }
}

/** Returns the median of each measured value over all turns of one side of a comparison. */
export function computeMedians(turns: Turns, name: string): Turn {
  const computeMedian = (member: keyof Turn) => median((turns.get(name) ?? []).map((turn) => turn[member]))
  return {
    perSecond: computeMedian('perSecond'),
    own: computeMedian('own'),
    postgres: computeMedian('postgres'),
    redis: computeMedian('redis'),
    client: computeMedian('client'),
    refused: computeMedian('refused'),
  }
}

/** Ratio of two sides of a comparison: median, minimum and maximum of the ratios of all rounds. */
export interface Ratio {
  readonly value: number
  readonly min: number
  readonly max: number
}

/** Computes one ratio per round. A round contains one turn of each compared side, close to each other in time. */
export function computeRatio(turns: Turns, compare: (round: (name: string) => Turn) => number): Ratio {
  const rounds = Math.min(...[...turns.values()].map(({ length }) => length))
  const values = Array.from({ length: rounds }, (_, round) => compare((name) => getTurn(turns, name, round)))
  return computeSpread(values)
}

export const computeSpread = (values: readonly number[]): Ratio => ({
  value: median(values),
  min: Math.min(...values),
  max: Math.max(...values),
})

function getTurn(turns: Turns, name: string, round: number): Turn {
  const turn = turns.get(name)?.[round]
  if (!turn) throw new Error(`The side ${name} has no turn ${round}.`)
  return turn
}
