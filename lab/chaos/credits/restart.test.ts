// Restarts the primary database server several times while charged calls are running.

import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { waitForNoViolations } from '../../../service/test/faults/credits/history.ts'
import { type Attempt, formatStatuses, startCreditsLoad } from '../../../service/test/faults/credits/load.ts'
import { openLedgerPool, startPricedNode, storePayers } from '../../../service/test/faults/credits/setup.ts'
import { readBalances } from '../../../service/test/support/ledger-assertions.ts'
import { migrateAll } from '../../../service/test/support/migrate-all.ts'
import {
  type PrivatePostgres,
  postgresMissingReason,
  type StopMode,
  startPrivatePostgres,
} from '../../../service/test/support/processes/private-postgres.ts'
import { chooseBySize } from '../../../service/test/support/size.ts'

interface RestartPlan {
  readonly modes: readonly StopMode[]
  readonly perSecond: number
}

/** Time from the end of the old database server until the new server accepts connections. */
interface Outage {
  readonly mode: StopMode
  readonly downAtMs: number
  readonly upAtMs: number
}

interface RestartOutcome {
  readonly history: readonly Attempt[]
  readonly outages: readonly Outage[]
  readonly violations: readonly string[]
  readonly charges: number
  readonly refunds: number
  readonly exitCode: number | null
}

const PAYERS = { ample: 40, limited: 10, creditsLeft: 100 }
const CALM_MS = 2500
const DOWN_FOR_MS = 800
/** A busy machine sends fewer calls in this time. */
const MIN_CALLS_DURING_OUTAGE = chooseBySize({ short: 2, long: 10 })
/** The long run, which has the machine for itself, requires a recovery within five seconds. */
const RECOVERY_TIMEOUT_MS = chooseBySize({ short: 30_000, long: 5000 })
const REFUND_TIMEOUT_MS = 120_000
/**
 * Maximum duration of a refused call: two attempts of 250 ms each to charge the account, plus an allowance for a busy
 * machine. A call that waited until the database is back would take longer than DOWN_FOR_MS.
 */
const MAX_WAIT_MS = chooseBySize({ short: 20_000, long: 2000 })

async function restartUnderLoad(plan: RestartPlan): Promise<RestartOutcome> {
  const postgres = await startPrivatePostgres()
  await migrateAll(postgres.url)
  const ledgerPool = openLedgerPool(postgres.url)
  const payers = await storePayers(ledgerPool.db, PAYERS)
  const node = await startPricedNode({ DATABASE_URL: postgres.url })
  const load = startCreditsLoad(node.port, payers, plan.perSecond)
  const outages: Outage[] = []
  for (const mode of plan.modes) {
    await sleep(CALM_MS)
    outages.push(await restart(postgres, mode))
  }
  await waitForRecovery(load.history, outages)
  const history = await load.stop()
  const violations = await waitForNoViolations(ledgerPool.db, history, REFUND_TIMEOUT_MS)
  const balances = await readBalances(ledgerPool.db)
  await ledgerPool.close()
  const exitCode = await node.stop('SIGTERM')
  await postgres.stop('fast')
  return {
    history,
    outages,
    violations,
    charges: balances.reduce((sum, { charges }) => sum + charges, 0),
    refunds: balances.reduce((sum, { refunds }) => sum + refunds, 0),
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

/** Waits until calls are served again after the last outage, at most for the time that a recovery may take. */
async function waitForRecovery(history: readonly Attempt[], outages: readonly Outage[]): Promise<void> {
  const last = outages.at(-1)
  if (!last) return
  const deadlineMs = performance.now() + RECOVERY_TIMEOUT_MS
  while (computeRecoveryMs(history, last) > RECOVERY_TIMEOUT_MS && performance.now() < deadlineMs) await sleep(100)
}

function expectChargedCorrectly({ history, outages, violations, exitCode }: RestartOutcome): void {
  expect(violations).toEqual([])
  for (const outage of outages) {
    const during = findCallsDuring(history, outage)
    // Checks that calls were made during the outage; otherwise the test would prove nothing.
    expect(during.length).toBeGreaterThanOrEqual(MIN_CALLS_DURING_OUTAGE)
    expect(during.filter(({ answer }) => answer?.status !== 503).slice(0, 5)).toEqual([])
    expect(Math.max(...during.map(getWaitMs))).toBeLessThan(MAX_WAIT_MS)
    expect(computeRecoveryMs(history, outage), `recovery after ${outage.mode}`).toBeLessThanOrEqual(RECOVERY_TIMEOUT_MS)
  }
  // Checks that the API node answered every call.
  expect(history.filter(({ answer }) => answer === undefined).slice(0, 5)).toEqual([])
  expect(exitCode).toBe(0)
}

const getWaitMs = ({ sentAtMs, endedAtMs }: Attempt) => endedAtMs - sentAtMs

/** Returns the calls that were sent and answered while the database was down. */
function findCallsDuring(history: readonly Attempt[], { downAtMs, upAtMs }: Outage): readonly Attempt[] {
  return history.filter(({ sentAtMs, endedAtMs }) => sentAtMs >= downAtMs && endedAtMs <= upAtMs)
}

/** Milliseconds from the database restart until the first charged call with status 200. */
function computeRecoveryMs(history: readonly Attempt[], { downAtMs, upAtMs }: Outage): number {
  const served = history.filter(({ answer, sentAtMs }) => answer?.status === 200 && sentAtMs >= downAtMs)
  return Math.max(0, Math.min(...served.map(({ endedAtMs }) => endedAtMs)) - upAtMs)
}

function formatSummary({ history, outages, charges, refunds }: RestartOutcome): string {
  const downMs = outages.map(({ downAtMs, upAtMs }) => upAtMs - downAtMs)
  const during = outages.flatMap((outage) => findCallsDuring(history, outage))
  const refusals = history.filter(({ answer }) => answer?.status === 503)
  const waits = refusals.map(getWaitMs).toSorted((a, b) => a - b)
  return [
    `PostgreSQL restarted ${outages.length} times under load (${outages.map(({ mode }) => mode).join(' ')}), down for ${formatRange(downMs)}`,
    `${history.length} charged calls: ${formatStatuses(history)}; ${during.length} during outages: ${formatStatuses(during)}`,
    `first charged 200 after ${formatRange(outages.map((outage) => computeRecoveryMs(history, outage)))}`,
    `503 after p50 ${(waits[Math.floor(waits.length / 2)] ?? 0).toFixed(0)} ms, at most ${(waits.at(-1) ?? 0).toFixed(0)} ms`,
    `${charges} charges, ${refunds} refunds: ledger and meter agree, each 200 is charged once, no other call is charged`,
  ].join('; ')
}

function formatRange(ms: readonly number[]): string {
  return `${Math.min(...ms).toFixed(0)} to ${Math.max(...ms).toFixed(0)} ms`
}

const MODES: readonly StopMode[] = ['fast', 'immediate', 'killed']

describe('API node while the primary database restarts under load', () => {
  it('returns 503 during the outage and charges every call at most once', { timeout: 900_000 }, async () => {
    expect(postgresMissingReason).toBeUndefined()
    const modes = chooseBySize({ short: MODES.slice(0, 2), long: Array.from({ length: 10 }, () => MODES).flat() })

    const outcome = await restartUnderLoad({ modes, perSecond: chooseBySize({ short: 60, long: 200 }) })

    process.stdout.write(`${formatSummary(outcome)}\n`)
    expectChargedCorrectly(outcome)
  })
})
