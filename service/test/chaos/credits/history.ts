// What clients saw against what the ledger says: invariants I1 to I5 and I7 of the reliability plan.
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database } from '../../../src/database/postgres.ts'
import { brokenBooks } from '../../support/ledger-assertions.ts'
import type { Attempt } from './load.ts'

interface Entry {
  readonly request_id: string
  readonly kind: 'charge' | 'refund'
  readonly account_id: string
  readonly period: string
  readonly cost_half: number
}

/** Enough to see what kind of fault it is. */
const SHOWN = 5
const POLL_MS = 250

/** Everything that is wrong, once refunds have had time to arrive; nothing when all is well. */
export async function faultsOnceSettled(
  db: Database,
  history: readonly Attempt[],
  patienceMs: number,
): Promise<readonly string[]> {
  const giveUpAtMs = performance.now() + patienceMs
  let faults = await faultsOf(db, history)
  while (faults.length > 0 && performance.now() < giveUpAtMs) {
    await sleep(POLL_MS)
    faults = await faultsOf(db, history)
  }
  return faults.length > SHOWN ? [...faults.slice(0, SHOWN), `and ${faults.length - SHOWN} more`] : faults
}

async function faultsOf(db: Database, history: readonly Attempt[]): Promise<readonly string[]> {
  const books = await brokenBooks(db)
  return [
    ...books.map((book) => `the books of an account are broken: ${JSON.stringify(book)}`),
    ...faultsAgainst(history, await readEntries(db)),
  ]
}

/** Without what the accounts had spent before the test. */
async function readEntries(db: Database): Promise<readonly Entry[]> {
  const { rows } = await sql<Entry>`
    select request_id, kind, account_id, period::text as period, cost_half
      from accounts.ledger
     where endpoint <> 'before'
  `.execute(db)
  return rows
}

/** Pure, so that it can be shown to say no. */
export function faultsAgainst(history: readonly Attempt[], entries: readonly Entry[]): readonly string[] {
  const byRequest = Map.groupBy(entries, ({ request_id }) => request_id)
  const seen = new Set(history.map(({ answer }) => answer?.requestId))
  const unanswered = history.filter(({ answer }) => answer === undefined).length
  const strangers = [...byRequest].filter(([requestId]) => !seen.has(requestId))
  const faults = history.flatMap((attempt) => {
    const fault = faultOf(attempt, byRequest.get(attempt.answer?.requestId ?? '') ?? [])
    return fault === undefined ? [] : [`${fault}: ${JSON.stringify(attempt)}`]
  })
  // Of a call without an answer nobody knows its id; but each can have left one at most.
  if (strangers.length > unanswered)
    faults.push(`${strangers.length} requests in the ledger were never answered, but only ${unanswered} calls were not`)
  for (const [requestId, own] of strangers) {
    if (own.filter(({ kind }) => kind === 'charge').length > 1) faults.push(`${requestId} was charged twice`)
  }
  return faults
}

function faultOf({ answer, payer, costHalf, asked }: Attempt, own: readonly Entry[]): string | undefined {
  if (!answer) return undefined
  const charges = own.filter(({ kind }) => kind === 'charge')
  const refunds = own.filter(({ kind }) => kind === 'refund')
  const [charge, refund] = [charges[0], refunds[0]]
  const { status, retryAfter } = answer
  if (status !== 503 && status !== 429 && status !== Number(asked)) return 'an answer that nobody asked for'
  if (status === 429 && payer.isRich) return 'refused for want of credits, which it has'
  if ((status === 503 || status === 429) && !(Number(retryAfter) > 0)) return 'a refusal without Retry-After'
  if (charges.length > 1 || refunds.length > 1) return 'charged or given back more than once'
  if (charge && (charge.account_id !== payer.accountId || charge.cost_half !== costHalf)) return 'a wrong charge'
  if (status < 300) return charge && !refund ? undefined : 'served, but not charged exactly once'
  if (!charge) return undefined
  if (!refund) return 'charged, not served, and not given back'
  return refund.cost_half === charge.cost_half && refund.period === charge.period ? undefined : 'a wrong refund'
}
