// The primary is restarted, again and again, under a load of charged calls.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { readBooks } from '../../support/ledger-assertions.ts'
import { type PrivatePostgres, privatePostgres, type StopMode } from '../../support/processes/private-postgres.ts'
import { faultsOnceSettled } from './history.ts'
import { type Attempt, startCreditsLoad, statusesOf } from './load.ts'
import { migrateAll, openBooks, startPricedNode, storePayers } from './setup.ts'

export interface RestartPlan {
  readonly modes: readonly StopMode[]
  readonly perSecond: number
}

/** From the end of the old server until the new one accepts connections. */
interface Outage {
  readonly mode: StopMode
  readonly downAtMs: number
  readonly upAtMs: number
}

export interface RestartOutcome {
  readonly history: readonly Attempt[]
  readonly outages: readonly Outage[]
  readonly faults: readonly string[]
  readonly charges: number
  readonly refunds: number
  readonly exitCode: number | null
}

const PAYERS = { rich: 40, poor: 10, left: 100 }
const CALM_MS = 2500
const DOWN_FOR_MS = 800
const RECOVERED_WITHIN_MS = 5000
const REFUNDED_WITHIN_MS = 15_000
/** Two attempts of a quarter of a second; the rest is for a crowded machine. */
const MAX_WAIT_MS = 2000

export async function restartUnderLoad(plan: RestartPlan): Promise<RestartOutcome> {
  const postgres = await privatePostgres()
  await migrateAll(postgres.url)
  const books = openBooks(postgres.url)
  const payers = await storePayers(books.db, PAYERS)
  const node = await startPricedNode({ DATABASE_URL: postgres.url })
  const load = startCreditsLoad(node.port, payers, plan.perSecond)
  const outages: Outage[] = []
  for (const mode of plan.modes) {
    await sleep(CALM_MS)
    outages.push(await restart(postgres, mode))
  }
  await sleep(RECOVERED_WITHIN_MS)
  const history = await load.stop()
  const faults = await faultsOnceSettled(books.db, history, REFUNDED_WITHIN_MS)
  const kept = await readBooks(books.db)
  await books.close()
  const exitCode = await node.stop('SIGTERM')
  await postgres.stop('fast')
  return {
    history,
    outages,
    faults,
    charges: kept.reduce((sum, { charges }) => sum + charges, 0),
    refunds: kept.reduce((sum, { refunds }) => sum + refunds, 0),
    exitCode,
  }
}

async function restart(postgres: PrivatePostgres, mode: StopMode): Promise<Outage> {
  await postgres.stop(mode)
  const downAtMs = performance.now()
  await sleep(DOWN_FOR_MS)
  await postgres.start()
  return { mode, downAtMs, upAtMs: performance.now() }
}

export function expectCreditsKept({ history, outages, faults, exitCode }: RestartOutcome): void {
  expect(faults).toEqual([])
  for (const outage of outages) {
    const during = callsDuring(history, outage)
    // Otherwise nobody called, and nothing was proven.
    expect(during.length).toBeGreaterThan(10)
    expect(during.filter(({ answer }) => answer?.status !== 503).slice(0, 5)).toEqual([])
    expect(Math.max(...during.map(waitedMs))).toBeLessThan(MAX_WAIT_MS)
    expect(recoveryMs(history, outage), `recovery after ${outage.mode}`).toBeLessThanOrEqual(RECOVERED_WITHIN_MS)
  }
  // The node itself never fell.
  expect(history.filter(({ answer }) => answer === undefined).slice(0, 5)).toEqual([])
  expect(exitCode).toBe(0)
}

const waitedMs = ({ sentAtMs, endedAtMs }: Attempt) => endedAtMs - sentAtMs

/** Sent and answered while there was no server. */
function callsDuring(history: readonly Attempt[], { downAtMs, upAtMs }: Outage): readonly Attempt[] {
  return history.filter(({ sentAtMs, endedAtMs }) => sentAtMs >= downAtMs && endedAtMs <= upAtMs)
}

/** Until the first charged 200. */
function recoveryMs(history: readonly Attempt[], { downAtMs, upAtMs }: Outage): number {
  const served = history.filter(({ answer, sentAtMs }) => answer?.status === 200 && sentAtMs >= downAtMs)
  return Math.max(0, Math.min(...served.map(({ endedAtMs }) => endedAtMs)) - upAtMs)
}

export function summaryOf({ history, outages, charges, refunds }: RestartOutcome): string {
  const downMs = outages.map(({ downAtMs, upAtMs }) => upAtMs - downAtMs)
  const during = outages.flatMap((outage) => callsDuring(history, outage))
  const refusals = history.filter(({ answer }) => answer?.status === 503)
  const waits = refusals.map(waitedMs).toSorted((a, b) => a - b)
  return [
    `PostgreSQL restarted ${outages.length} times under load (${outages.map(({ mode }) => mode).join(' ')}), away for ${range(downMs)}`,
    `${history.length} charged calls: ${statusesOf(history)}; ${during.length} during outages: ${statusesOf(during)}`,
    `first charged 200 after ${range(outages.map((outage) => recoveryMs(history, outage)))}`,
    `503 after p50 ${(waits[Math.floor(waits.length / 2)] ?? 0).toFixed(0)} ms, at most ${(waits.at(-1) ?? 0).toFixed(0)} ms`,
    `${charges} charges, ${refunds} given back: the books balance, each 200 paid once, nothing else paid`,
  ].join('; ')
}

function range(ms: readonly number[]): string {
  return `${Math.min(...ms).toFixed(0)} to ${Math.max(...ms).toFixed(0)} ms`
}
