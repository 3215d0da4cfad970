// Drops replies of the database after the commit of a charge, while charged calls are running.
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createTestDatabase } from '../../support/database.ts'
import { readBalances } from '../../support/ledger-assertions.ts'
import { chooseBySize } from '../../support/size.ts'
import { PATIENT_SETTINGS } from '../nodes/setup.ts'
import { waitForNoViolations } from './history.ts'
import { type Attempt, formatStatuses, startCreditsLoad } from './load.ts'
import { createReplyDroppingProxy } from './reply-dropping-proxy.ts'
import { openLedgerPool, startPricedNode, storePayers } from './setup.ts'

interface LostRepliesPlan {
  /** Minimum number of charges whose database reply is dropped. */
  readonly dropCount: number
  readonly perSecond: number
}

interface LostRepliesOutcome {
  readonly history: readonly Attempt[]
  readonly dropped: { readonly charge: number; readonly refund: number }
  readonly violations: readonly string[]
  readonly charges: number
  readonly refunds: number
}

const PAYERS = { ample: 40, limited: 10, creditsLeft: 200 }
const DROPPED_SHARE = 0.3
const REFUND_TIMEOUT_MS = 120_000
const MAX_RUN_MS = 600_000

async function loseReplies(plan: LostRepliesPlan): Promise<LostRepliesOutcome> {
  const { url } = await createTestDatabase()
  const proxy = await createReplyDroppingProxy(url, DROPPED_SHARE)
  const ledgerPool = openLedgerPool(url)
  const payers = await storePayers(ledgerPool.db, PAYERS)
  const node = await startPricedNode({ DATABASE_URL: url, ACCOUNTS_DATABASE_URL: proxy.url, ...PATIENT_SETTINGS })
  const load = startCreditsLoad(node.port, payers, plan.perSecond)
  const deadlineMs = performance.now() + MAX_RUN_MS
  while (proxy.dropped.charge < plan.dropCount && performance.now() < deadlineMs) await sleep(100)
  const history = await load.stop()
  const violations = await waitForNoViolations(ledgerPool.db, history, REFUND_TIMEOUT_MS)
  const balances = await readBalances(ledgerPool.db)
  await Promise.all([ledgerPool.close(), node.stop('SIGTERM')])
  return {
    history,
    dropped: proxy.dropped,
    violations,
    charges: balances.reduce((sum, { charges }) => sum + charges, 0),
    refunds: balances.reduce((sum, { refunds }) => sum + refunds, 0),
  }
}

function expectChargedOnce({ history, dropped, violations }: LostRepliesOutcome, plan: LostRepliesPlan): void {
  expect(violations).toEqual([])
  expect(dropped.charge).toBeGreaterThanOrEqual(plan.dropCount)
  expect(history.filter(({ answer }) => answer === undefined)).toEqual([])
  // Most calls lose only one database reply and are served after the charge is retried.
  const served = history.filter(({ answer }) => answer?.status === 200)
  expect(served.length).toBeGreaterThan(history.length / 2)
}

function formatSummary({ history, dropped, charges, refunds }: LostRepliesOutcome): string {
  return [
    `${dropped.charge} replies to charges and ${dropped.refund} to refunds dropped after the commit`,
    `${history.length} charged calls: ${formatStatuses(history)}`,
    `${charges} charges, ${refunds} refunds: ledger and meter agree, each 200 is charged once, no other call is charged`,
  ].join('; ')
}

describe('Credits when the database reply is lost after the commit', () => {
  it('are charged exactly once for every answered call', { timeout: 900_000 }, async () => {
    const plan = chooseBySize({ short: { dropCount: 100, perSecond: 100 }, long: { dropCount: 1_000, perSecond: 200 } })

    const outcome = await loseReplies(plan)

    process.stdout.write(`${formatSummary(outcome)}\n`)
    expectChargedOnce(outcome, plan)
  })
})
