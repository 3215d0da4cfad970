// Compares the answers that clients received with the ledger of charges and refunds (invariants I1 to I5 and I7).
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database } from '../../../src/database/postgres.ts'
import { findBrokenBalances } from '../../support/ledger-assertions.ts'
import type { Attempt } from './load.ts'

interface Entry {
  readonly request_id: string
  readonly kind: 'charge' | 'refund'
  readonly account_id: string
  readonly period: string
  readonly cost_half: number
}

/** Maximum number of violations in an error message; more would be unreadable. */
const MAX_SHOWN = 5
const POLL_MS = 250

/**
 * Waits until no violation is left or the timeout expires, because refunds are recorded late. Returns the remaining
 * violations.
 */
export async function waitForNoViolations(
  db: Database,
  history: readonly Attempt[],
  timeoutMs: number,
): Promise<readonly string[]> {
  const deadlineMs = performance.now() + timeoutMs
  let violations = await findViolations(db, history)
  while (violations.length > 0 && performance.now() < deadlineMs) {
    await sleep(POLL_MS)
    violations = await findViolations(db, history)
  }
  return violations.length > MAX_SHOWN
    ? [...violations.slice(0, MAX_SHOWN), `and ${violations.length - MAX_SHOWN} more`]
    : violations
}

async function findViolations(db: Database, history: readonly Attempt[]): Promise<readonly string[]> {
  const balances = await findBrokenBalances(db)
  return [
    ...balances.map((balance) => `ledger and meter of an account disagree: ${JSON.stringify(balance)}`),
    ...findHistoryViolations(history, await readEntries(db)),
  ]
}

/** Reads the entries of the ledger, except the charges that the test setup recorded before the test. */
async function readEntries(db: Database): Promise<readonly Entry[]> {
  const { rows } = await sql<Entry>`
    select request_id, kind, account_id, period::text as period, cost_half
      from accounts.ledger
     where endpoint <> 'before'
  `.execute(db)
  return rows
}

/** Compares the calls with the ledger without using a database, so that history.test.ts can test the comparison. */
export function findHistoryViolations(history: readonly Attempt[], entries: readonly Entry[]): readonly string[] {
  const byRequest = Map.groupBy(entries, ({ request_id }) => request_id)
  const seen = new Set(history.map(({ answer }) => answer?.requestId))
  const unanswered = history.filter(({ answer }) => answer === undefined).length
  const unmatched = [...byRequest].filter(([requestId]) => !seen.has(requestId))
  const violations = history.flatMap((attempt) => {
    const violation = findViolation(attempt, byRequest.get(attempt.answer?.requestId ?? '') ?? [])
    return violation === undefined ? [] : [`${violation}: ${JSON.stringify(attempt)}`]
  })
  // The request id of an unanswered call is unknown, but each unanswered call has at most one request id in the ledger,
  // so their numbers can be compared.
  if (unmatched.length > unanswered)
    violations.push(
      `${unmatched.length} requests of the ledger belong to no answered call, but only ${unanswered} calls were unanswered`,
    )
  for (const [requestId, own] of unmatched) {
    if (own.filter(({ kind }) => kind === 'charge').length > 1) violations.push(`${requestId} was charged twice`)
  }
  return violations
}

function findViolation(
  { answer, payer, costHalf, requestedStatus }: Attempt,
  own: readonly Entry[],
): string | undefined {
  if (!answer) return undefined
  const charges = own.filter(({ kind }) => kind === 'charge')
  const refunds = own.filter(({ kind }) => kind === 'refund')
  const [charge, refund] = [charges[0], refunds[0]]
  const { status, retryAfter, isMissing } = answer
  if (status !== 503 && status !== 429 && status !== Number(requestedStatus)) return 'unexpected status'
  if (status === 429 && payer.hasAmpleCredits) return '429 for an account that has enough credits'
  if ((status === 503 || status === 429) && !(Number(retryAfter) > 0)) return 'refused without Retry-After'
  if (charges.length > 1 || refunds.length > 1) return 'charged or refunded more than once'
  if (charge && (charge.account_id !== payer.accountId || charge.cost_half !== costHalf)) return 'a wrong charge'
  // A detail response without a record is refunded (decision A9).
  if (status < 300 && isMissing !== true) return charge && !refund ? undefined : 'served, but not charged exactly once'
  if (!charge) return undefined
  if (!refund) return 'charged, not served and not refunded'
  return refund.cost_half === charge.cost_half && refund.period === charge.period ? undefined : 'a wrong refund'
}
