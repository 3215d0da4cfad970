// Sends requests with wrong API keys (the attack) at a constant rate while other clients send valid calls. The loop is
// open: a slow answer does not slow the attack down.
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createTestKey } from '../../../service/test/support/builders.ts'
import { buildGetRequest, type Connection, openConnection } from '../../../service/test/support/load/connection.ts'
import { percentile } from '../../../service/test/support/load/percentile.ts'
import { startPricedService } from './priced-service.ts'

const TICK_MS = 10
const WRONG_PER_SECOND = 1000
const VALID_PER_SECOND = 200
const ALONE_MS = 15_000
const ATTACK_MS = 60_000
const LITE = '/api/v1/ping-lite'

interface WrongKeysReport {
  readonly wrongSent: number
  readonly wrongAccepted: number
  /** Requests answered neither with 200 nor with 401, because the node was too busy. */
  readonly wrongUnanswered: number
  readonly validSent: number
  readonly validFailures: number
  readonly aloneP99Ms: number
  readonly besideP99Ms: number
}

async function attackWithWrongKeys(): Promise<WrongKeysReport> {
  const { port, keys } = await startPricedService(20)
  const valid = await openPool(port, 40)
  const buildValidRequest = () => buildGetRequest(LITE, keys[Math.floor(Math.random() * keys.length)] ?? '')
  await runOpenLoop(valid, VALID_PER_SECOND, 2000, buildValidRequest)
  const alone = await runOpenLoop(valid, VALID_PER_SECOND, ALONE_MS, buildValidRequest)
  // The connections of the attack are opened only now, because the server closes connections that send nothing.
  const wrong = await openPool(port, 120)
  const [beside, attack] = await Promise.all([
    runOpenLoop(valid, VALID_PER_SECOND, ATTACK_MS, buildValidRequest),
    runOpenLoop(wrong, WRONG_PER_SECOND, ATTACK_MS, buildWrongKeyRequest),
  ])
  valid.close()
  wrong.close()
  const validStatuses = [...alone.statuses, ...beside.statuses]
  return {
    wrongSent: attack.statuses.length,
    wrongAccepted: attack.statuses.filter((status) => status === 200).length,
    wrongUnanswered: attack.statuses.filter((status) => status !== 401 && status !== 200).length,
    validSent: validStatuses.length,
    validFailures: validStatuses.filter((status) => status !== 200).length,
    aloneP99Ms: percentile(alone.times, 0.99),
    besideP99Ms: percentile(beside.times, 0.99),
  }
}

/** Generates wrong API keys: half are random; the other half have a valid checksum but were never issued. */
function buildWrongKeyRequest(): string {
  const random = `vis_live_${randomBytes(40).toString('hex').slice(0, 49)}`
  return buildGetRequest(LITE, Math.random() < 0.5 ? random : createTestKey().key)
}

interface ConnectionPool {
  /** Waits until one of the client's connections is free. */
  acquire(): Promise<Connection>
  release(connection: Connection): void
  close(): void
}

async function openPool(port: number, size: number): Promise<ConnectionPool> {
  const all = await Promise.all(Array.from({ length: size }, () => openConnection(port)))
  const [free, waiting] = [[...all], [] as ((connection: Connection) => void)[]]
  return {
    acquire: () => {
      // Connections are used in turn, because the server closes a connection that sends nothing for too long.
      const connection = free.shift()
      return connection ? Promise.resolve(connection) : new Promise((resolve) => waiting.push(resolve))
    },
    release: (connection) => {
      const next = waiting.shift()
      if (next) next(connection)
      else free.push(connection)
    },
    close: () => {
      for (const connection of all) connection.close()
    },
  }
}

/**
 * Sends calls in an open loop, that is, at a constant rate. Latency is measured from the time at which a call was due.
 */
async function runOpenLoop(pool: ConnectionPool, perSecond: number, ms: number, request: () => string) {
  const [times, statuses, calls] = [[] as number[], [] as number[], [] as Promise<void>[]]
  const sendOne = async (dueMs: number) => {
    const connection = await pool.acquire()
    statuses.push(await connection.send(request()))
    times.push(performance.now() - dueMs)
    pool.release(connection)
  }
  const started = performance.now()
  for (let sent = 0; performance.now() - started < ms; ) {
    const due = Math.floor(((performance.now() - started) / 1000) * perSecond)
    for (; sent < due; sent += 1) calls.push(sendOne(started + (sent / perSecond) * 1000))
    await sleep(TICK_MS)
  }
  await Promise.all(calls)
  return { times, statuses }
}

describe('authentication: five wrong keys for each valid call, at constant rates', () => {
  it('accepts no wrong key and serves the valid calls', { timeout: 900_000 }, async () => {
    const report = await attackWithWrongKeys()
    process.stdout.write(`wrong keys: ${JSON.stringify(report)}\n`)
    expect(report.wrongAccepted).toBe(0)
    expect(report.validFailures).toBe(0)
    expect(report.wrongSent).toBeGreaterThan(59_000)
    expect(report.besideP99Ms).toBeLessThanOrEqual(report.aloneP99Ms * 2)
  })
})
