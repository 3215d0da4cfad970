// Replies of the database are lost after it has committed, under a load of charged calls.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { testDatabase } from '../../support/database.ts'
import { readBooks } from '../../support/ledger-assertions.ts'
import { PATIENT_WITH_THE_DATABASE } from '../nodes/setup.ts'
import { cuttingLink } from './cutting-proxy.ts'
import { faultsOnceSettled } from './history.ts'
import { type Attempt, startCreditsLoad, statusesOf } from './load.ts'
import { openBooks, startPricedNode, storePayers } from './setup.ts'

export interface LostRepliesPlan {
  /** At least so many replies to charges are lost. */
  readonly cuts: number
  readonly perSecond: number
}

export interface LostRepliesOutcome {
  readonly history: readonly Attempt[]
  readonly cut: { readonly charge: number; readonly refund: number }
  readonly faults: readonly string[]
  readonly charges: number
  readonly refunds: number
}

const PAYERS = { rich: 40, poor: 10, left: 200 }
const LOST_SHARE = 0.3
const REFUNDED_WITHIN_MS = 15_000
const MAX_RUN_MS = 600_000
/** A quarter of a second is for production; what is tested here is not the deadline. */
const PATIENT = { ...PATIENT_WITH_THE_DATABASE, CHARGE_DEADLINE_MS: '5000' }

export async function loseReplies(plan: LostRepliesPlan): Promise<LostRepliesOutcome> {
  const { url } = await testDatabase()
  const link = await cuttingLink(url, LOST_SHARE)
  const books = openBooks(url)
  const payers = await storePayers(books.db, PAYERS)
  const node = await startPricedNode({ DATABASE_URL: url, ACCOUNTS_DATABASE_URL: link.url, ...PATIENT })
  const load = startCreditsLoad(node.port, payers, plan.perSecond)
  const giveUpAtMs = performance.now() + MAX_RUN_MS
  while (link.cut.charge < plan.cuts && performance.now() < giveUpAtMs) await sleep(100)
  const history = await load.stop()
  const faults = await faultsOnceSettled(books.db, history, REFUNDED_WITHIN_MS)
  const kept = await readBooks(books.db)
  await Promise.all([books.close(), node.stop('SIGTERM')])
  return {
    history,
    cut: link.cut,
    faults,
    charges: kept.reduce((sum, { charges }) => sum + charges, 0),
    refunds: kept.reduce((sum, { refunds }) => sum + refunds, 0),
  }
}

export function expectPaidOnce({ history, cut, faults }: LostRepliesOutcome, plan: LostRepliesPlan): void {
  expect(faults).toEqual([])
  expect(cut.charge).toBeGreaterThanOrEqual(plan.cuts)
  expect(history.filter(({ answer }) => answer === undefined)).toEqual([])
  // Most lose one reply only, and are served all the same.
  const served = history.filter(({ answer }) => answer?.status === 200)
  expect(served.length).toBeGreaterThan(history.length / 2)
}

export function summaryOf({ history, cut, charges, refunds }: LostRepliesOutcome): string {
  return [
    `${cut.charge} replies to charges and ${cut.refund} to refunds lost after the commit`,
    `${history.length} charged calls: ${statusesOf(history)}`,
    `${charges} charges, ${refunds} given back: the books balance, each 200 paid once, nothing else paid`,
  ].join('; ')
}
