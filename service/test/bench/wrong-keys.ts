// Wrong keys at a constant rate beside valid calls: open loop, so that a slow answer does not slow the attack down.
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { aKey } from '../support/builders.ts'
import { type Connection, openConnection, requestText } from './load/connection.ts'
import { percentile } from './load/percentile.ts'
import { pricedService } from './priced-service.ts'

const TICK_MS = 10
const WRONG_PER_SECOND = 1000
const VALID_PER_SECOND = 200
const LITE = '/api/v1/ping-lite'

export interface WrongKeysReport {
  readonly wrongSent: number
  readonly wrongAccepted: number
  /** Neither accepted nor told so: the node was too busy to look. */
  readonly wrongUnanswered: number
  readonly validFailures: number
  readonly aloneP99Ms: number
  readonly besideP99Ms: number
}

export async function attackWithWrongKeys(aloneMs: number, attackMs: number): Promise<WrongKeysReport> {
  const { port, keys } = await pricedService(20)
  const valid = await openCrowd(port, 40)
  const good = () => requestText(LITE, keys[Math.floor(Math.random() * keys.length)] ?? '')
  await openLoop(valid, VALID_PER_SECOND, 2000, good)
  const alone = await openLoop(valid, VALID_PER_SECOND, aloneMs, good)
  // Opened only now: the server hangs up on connections that stay silent.
  const wrong = await openCrowd(port, 120)
  const [beside, attack] = await Promise.all([
    openLoop(valid, VALID_PER_SECOND, attackMs, good),
    openLoop(wrong, WRONG_PER_SECOND, attackMs, badRequest),
  ])
  valid.close()
  wrong.close()
  return {
    wrongSent: attack.statuses.length,
    wrongAccepted: attack.statuses.filter((status) => status === 200).length,
    wrongUnanswered: attack.statuses.filter((status) => status !== 401 && status !== 200).length,
    validFailures: [...alone.statuses, ...beside.statuses].filter((status) => status !== 200).length,
    aloneP99Ms: percentile(alone.times, 0.99),
    besideP99Ms: percentile(beside.times, 0.99),
  }
}

/** Half of them random, half with a good checksum but never issued. */
function badRequest(): string {
  const random = `vis_live_${randomBytes(40).toString('hex').slice(0, 49)}`
  return requestText(LITE, Math.random() < 0.5 ? random : aKey().key)
}

interface Crowd {
  /** Waits for a connection that is free. */
  borrow(): Promise<Connection>
  giveBack(connection: Connection): void
  close(): void
}

async function openCrowd(port: number, size: number): Promise<Crowd> {
  const all = await Promise.all(Array.from({ length: size }, () => openConnection(port)))
  const [free, waiting] = [[...all], [] as ((connection: Connection) => void)[]]
  return {
    borrow: () => {
      // In turn, so that none stays silent for so long that the server hangs up.
      const connection = free.shift()
      return connection ? Promise.resolve(connection) : new Promise((resolve) => waiting.push(resolve))
    },
    giveBack: (connection) => {
      const next = waiting.shift()
      if (next) next(connection)
      else free.push(connection)
    },
    close: () => {
      for (const connection of all) connection.close()
    },
  }
}

/** Latency counts from the moment at which a call was meant to start. */
async function openLoop(crowd: Crowd, perSecond: number, ms: number, request: () => string) {
  const [times, statuses, calls] = [[] as number[], [] as number[], [] as Promise<void>[]]
  const one = async (meantMs: number) => {
    const connection = await crowd.borrow()
    statuses.push(await connection.ask(request()))
    times.push(performance.now() - meantMs)
    crowd.giveBack(connection)
  }
  const started = performance.now()
  for (let sent = 0; performance.now() - started < ms; ) {
    const due = Math.floor(((performance.now() - started) / 1000) * perSecond)
    for (; sent < due; sent += 1) calls.push(one(started + (sent / perSecond) * 1000))
    await sleep(TICK_MS)
  }
  await Promise.all(calls)
  return { times, statuses }
}
