// The simulated network between a node and the database. It loses requests and replies, delays statements beyond the
// node's deadline, and refuses connections.
import type { World } from './world.ts'

/** Share of statements with a fault. */
export interface FaultRates {
  readonly refused: number
  readonly lostRequest: number
  readonly lostReply: number
  readonly late: number
  readonly failed: number
}

export interface NodeLink {
  /** Sends a statement to the database, which executes it immediately on arrival. */
  send<T>(execute: () => T): Promise<T>
  /** The node's process ends: no more replies reach it. Statements on their way are still executed. */
  cut(): void
  /** Highest number of statements that were unanswered at the same time. */
  readonly highestInFlight: () => number
}

/** Time after which a node stops waiting for a reply. */
const DEADLINE_MS = 250

export function createLink(world: World, getRates: () => FaultRates): NodeLink {
  let [isCut, inFlight, highest] = [false, 0, 0]
  return {
    send: (execute) => {
      inFlight += 1
      highest = Math.max(highest, inFlight)
      return new Promise((resolve, reject) => {
        const answer = (settle: () => void) => {
          if (isCut) return
          inFlight -= 1
          settle()
        }
        transmit(world, chooseFate(world, getRates()), {
          execute,
          reply: (result) => answer(() => resolve(result)),
          fail: (error) => answer(() => reject(error)),
        })
      })
    },
    cut: () => {
      isCut = true
    },
    highestInFlight: () => highest,
  }
}

type Fate = keyof FaultRates | 'delivered'

function chooseFate(world: World, rates: FaultRates): Fate {
  let left = world.random()
  for (const [fate, rate] of Object.entries(rates) as [keyof FaultRates, number][]) {
    left -= rate
    if (left < 0) return fate
  }
  return 'delivered'
}

interface Statement<T> {
  execute(): T
  reply(result: T): void
  fail(error: Error): void
}

function transmit<T>(world: World, fate: Fate, { execute, reply, fail }: Statement<T>): void {
  const [thereMs, backMs] = [world.between(0, 20), world.between(0, 20)]
  const replyLater = () => {
    const result = execute()
    world.after(backMs, () => reply(result))
  }
  const dropped = new Error('Connection terminated unexpectedly')
  switch (fate) {
    case 'delivered':
      world.after(thereMs, replyLater)
      break
    case 'refused':
      world.after(thereMs, () => fail(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })))
      break
    case 'lostRequest':
      world.after(thereMs, () => fail(dropped))
      break
    case 'lostReply':
      world.after(thereMs, () => {
        execute()
        world.after(backMs, () => fail(dropped))
      })
      break
    case 'late':
      // The statement hangs, for example waiting for a lock, and is executed long after the node has stopped waiting.
      world.after(DEADLINE_MS, () => fail(new Error('Query read timeout')))
      world.after(DEADLINE_MS + world.between(0, 3000), () => void execute())
      break
    case 'failed':
      // The database has rolled the statement back.
      world.after(thereMs + backMs, () => fail(new Error('the statement failed')))
  }
}
