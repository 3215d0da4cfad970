// Sides that are compared take turns (A B A B …) in one run, so that whatever disturbs the machine disturbs all of them.
import { cpuSeconds } from './cpu.ts'
import { median } from './percentile.ts'

export interface Side {
  readonly name: string
  /** The processes that do the work, PostgreSQL and Redis apart. */
  readonly pids: readonly number[]
  run(ms: number): Promise<{ readonly calls: number; readonly seconds: number; readonly failures?: number }>
}

/** Processor time of what all sides share, in seconds. */
export interface Shared {
  readonly postgres: () => Promise<number>
  readonly redis: () => Promise<number>
}

/** Microseconds of processor time for each call. */
interface Cost {
  readonly own: number
  readonly postgres: number
  readonly redis: number
}

export interface Turn extends Cost {
  readonly perSecond: number
}

/** Of everything that works for a call, since all of it is paid for. */
export const costOfAll = ({ own, postgres, redis }: Cost): number => own + postgres + redis

export type Turns = ReadonlyMap<string, readonly Turn[]>

export interface Pace {
  readonly turns: number
  readonly sliceMs: number
  readonly warmUpTurns: number
}

/**
 * The first turns warm up and are not counted: until its code is compiled, a process is another one. They are turns like
 * the others, because a server hangs up on a connection that has never asked for anything.
 */
export async function takeTurns(
  sides: readonly Side[],
  { turns, sliceMs, warmUpTurns }: Pace,
  shared: Shared,
): Promise<Turns> {
  const rounds: (readonly [string, Turn])[] = []
  for (let round = 0; round < warmUpTurns + turns; round += 1) {
    for (const side of sides) rounds.push([side.name, await takeTurn(side, sliceMs, shared)])
  }
  const counted = rounds.slice(warmUpTurns * sides.length)
  const byName = Map.groupBy(counted, ([name]) => name)
  return new Map([...byName].map(([name, taken]) => [name, taken.map(([, turn]) => turn)]))
}

async function takeTurn(side: Side, ms: number, shared: Shared): Promise<Turn> {
  const before = await read(side, shared)
  const { calls, seconds, failures = 0 } = await side.run(ms)
  const after = await read(side, shared)
  if (failures > 0) throw new Error(`${side.name}: ${failures} of ${calls} calls failed`)
  const each = (name: keyof Cost) => ((after[name] - before[name]) / calls) * 1e6
  return { perSecond: calls / seconds, own: each('own'), postgres: each('postgres'), redis: each('redis') }
}

async function read({ pids }: Side, { postgres, redis }: Shared): Promise<Cost> {
  return {
    postgres: await postgres(),
    redis: await redis(),
    own: pids.reduce((total, pid) => total + cpuSeconds(pid), 0),
  }
}

/** The median turn of a side, value by value. */
export function typical(turns: Turns, name: string): Turn {
  const of = (member: keyof Turn) => median((turns.get(name) ?? []).map((turn) => turn[member]))
  return { perSecond: of('perSecond'), own: of('own'), postgres: of('postgres'), redis: of('redis') }
}

/** A ratio of each round, of neighbours in time: their median, and the least and the greatest of them. */
export interface Ratio {
  readonly value: number
  readonly least: number
  readonly greatest: number
}

export function ratioOf(turns: Turns, compare: (round: (name: string) => Turn) => number): Ratio {
  const rounds = Math.min(...[...turns.values()].map(({ length }) => length))
  const values = Array.from({ length: rounds }, (_, round) => compare((name) => at(turns, name, round)))
  return { value: median(values), least: Math.min(...values), greatest: Math.max(...values) }
}

function at(turns: Turns, name: string, round: number): Turn {
  const turn = turns.get(name)?.[round]
  if (!turn) throw new Error(`${name} took no turn ${round}`)
  return turn
}
