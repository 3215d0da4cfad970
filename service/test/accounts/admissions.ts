// Test of the meter, which charges credits to accounts: four processes charge the same accounts concurrently, without
// HTTP.
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { openPool } from '../../src/database/postgres.ts'
import type { TestDatabase } from '../support/database.ts'
import { type AccountBalance, readBalances } from '../support/ledger-assertions.ts'
import type { AdmitOrder, AdmitReport } from './admit.ts'

const ADMIT = fileURLToPath(new URL('admit.ts', import.meta.url))
const PROCESSES = 4
const MAX_ACCOUNTS = 200
/** With fewer calls, some accounts would still have credits at the end. */
const CALLS_PER_ACCOUNT = 500
const CUT_REPLIES = 0.1
/** Average cost of a call in half credits: the mean of the costs from which admit.ts chooses at random. */
const AVERAGE_COST_HALF = 17.4

/**
 * Charges calls in several processes. The quotas cover about 60 % of the requested credits, so that every account runs
 * out of credits.
 */
export async function competeForCredits(admissions: number, database: TestDatabase): Promise<string> {
  const limits = { poolSize: 2, statementTimeoutMs: 60_000, lockTimeoutMs: 60_000, acquireTimeoutMs: 60_000 }
  const pool = openPool(database.url, 'books', limits, () => {})
  const accounts = Math.min(MAX_ACCOUNTS, Math.floor(admissions / CALLS_PER_ACCOUNT))
  const limitHalf = Math.round((admissions / accounts) * AVERAGE_COST_HALF * 0.6)
  const { rows } = await sql<{ id: string }>`
    insert into accounts.account (name, plan, limit_half)
    select 'account ' || n, 'enterprise', ${limitHalf}
      from generate_series(1, ${accounts}) n
    returning id
  `.execute(pool.db)
  const accountIds = rows.map(({ id }) => id)
  const started = performance.now()
  const order = { databaseUrl: database.url, admissions: admissions / PROCESSES, accountIds, cutReplies: CUT_REPLIES }
  const reports = await Promise.all(Array.from({ length: PROCESSES }, () => run(order)))
  const seconds = (performance.now() - started) / 1000
  const books = await readBalances(pool.db)
  await pool.close()
  expect(books).toHaveLength(accounts)
  checkResults(admissions, limitHalf, reports, books)
  const [batches, cut, exceeded] = [sum(reports, 'batches'), sum(reports, 'cut'), sum(reports, 'exceeded')]
  return `${admissions} admissions by ${PROCESSES} processes in ${seconds.toFixed(1)} s (${Math.round(admissions / seconds)}/s), ${batches} batches, ${cut} replies cut, ${exceeded} rejected without credits: 0 over quota, 0 double, 0 lost`
}

function checkResults(
  admissions: number,
  limitHalf: number,
  reports: readonly AdmitReport[],
  books: readonly AccountBalance[],
): void {
  expect(sum(reports, 'unavailable')).toBe(0)
  expect(sum(reports, 'charged') + sum(reports, 'exceeded')).toBe(admissions)
  for (const book of books) {
    const reported = reports.reduce((total, { chargedHalf }) => total + (chargedHalf[book.accountId] ?? 0), 0)
    // The quota is not exceeded. The ledger (one row per charge), the meter (the monthly total) and the results that
    // callers received show the same sum.
    expect(book.usedHalf).toBeLessThanOrEqual(limitHalf)
    expect([book.ledgerHalf, reported]).toEqual([book.usedHalf, book.usedHalf])
    // The account is exhausted: not even the cheapest call, of half a credit, is affordable.
    expect(limitHalf - book.usedHalf).toBeLessThan(1)
  }
  expect(books.reduce((total, { charges }) => total + charges, 0)).toBe(sum(reports, 'charged'))
}

function sum(
  reports: readonly AdmitReport[],
  what: 'charged' | 'exceeded' | 'unavailable' | 'batches' | 'cut',
): number {
  return reports.reduce((total, report) => total + report[what], 0)
}

function run(order: AdmitOrder): Promise<AdmitReport> {
  return new Promise((resolve, reject) => {
    const child = fork(ADMIT, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    child.once('message', (report) => resolve(report as AdmitReport))
    child.once('exit', (code) => code && reject(new Error(`a charging process ended with exit code ${code}`)))
    child.send(order)
  })
}
