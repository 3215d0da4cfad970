// A month ends under a load of charged calls, by the clock of the database. The node's own clock is weeks behind.
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Database } from '../../../src/database/postgres.ts'
import { privatePostgres } from '../../support/processes/private-postgres.ts'
import { call } from '../nodes/call.ts'
import { PATIENT_WITH_THE_DATABASE } from '../nodes/setup.ts'
import { faultsOnceSettled } from './history.ts'
import { type Attempt, type CreditsLoad, startCreditsLoad, statusesOf } from './load.ts'
import { migrateAll, openBooks, type Payer, startPricedNode, storePayers } from './setup.ts'

export interface MonthEdgePlan {
  readonly midnight: string
  /** Whether there is a partition of the ledger for the new month. */
  readonly isPrepared: boolean
  readonly perSecond: number
}

export interface MonthEdgeOutcome {
  readonly plan: MonthEdgePlan
  readonly history: readonly Attempt[]
  readonly faults: readonly string[]
  /** Calls of the account that had nothing left in the old month. */
  readonly exhausted: readonly Attempt[]
  readonly midnightAtMs: number
  readonly resetsAt: { readonly before: string; readonly after: string }
  readonly ledger: Ledger
  /** Rows of the new month in the default partition, before and after partitions were made for them. */
  readonly caught: { readonly before: number; readonly after: number }
  readonly partitionsMade: number
}

interface Ledger {
  /** Charges in each month. */
  readonly charges: Readonly<Record<string, number>>
  /** Given back in the new month, for the old one. */
  readonly lateRefunds: number
  /** Rows whose month is not that of the moment at which they were charged. */
  readonly misplaced: number
}

const PAYERS = { rich: 40, poor: 1, left: 0 }
const CALLS_OF_THE_EXHAUSTED_EVERY_MS = 100
const BEFORE_MS = 5000
const AFTER_MS = 3000
const REFUNDED_WITHIN_MS = 15_000
const LATE_REFUNDS = 10
const HALF_A_DAY_MS = 12 * 3_600_000
/** A quarter of a second is for production; what is tested here is not the deadline. */
const PATIENT = { ...PATIENT_WITH_THE_DATABASE, CHARGE_DEADLINE_MS: '5000' }

export async function crossMidnight(plan: MonthEdgePlan): Promise<MonthEdgeOutcome> {
  const midnight = new Date(plan.midnight)
  const postgres = await privatePostgres(new Date(midnight.getTime() - HALF_A_DAY_MS))
  await migrateAll(postgres.url)
  const books = openBooks(postgres.url)
  const payers = await storePayers(books.db, PAYERS)
  if (!plan.isPrepared) await dropPartitionsFrom(books.db, midnight)
  const node = await startPricedNode({ DATABASE_URL: postgres.url, ...PATIENT })
  await postgres.stop('fast')
  await postgres.start(new Date(midnight.getTime() - BEFORE_MS))
  const midnightAtMs = await whenIs(books.db, midnight)

  const load = startCreditsLoad(
    node.port,
    payers.filter(({ isRich }) => isRich),
    plan.perSecond,
  )
  const poor = payers.find(({ isRich }) => !isRich) ?? { key: '', accountId: '', isRich: false }
  const exhausted = callUntil(load, poor, midnightAtMs + AFTER_MS)
  const before = await resetAt(node.port, poor)
  await sleepUntil(midnightAtMs - 1500)
  const late = Array.from({ length: LATE_REFUNDS }, () =>
    load.send({ payer: payers[0] ?? poor, credits: 2, asked: '404', afterMs: 3000 }),
  )
  const answered = await exhausted
  await Promise.all(late)
  const prepared = await prepareUnderLoad(books.db, midnight)
  const after = await resetAt(node.port, poor)
  const history = await load.stop()
  const faults = await faultsOnceSettled(books.db, history, REFUNDED_WITHIN_MS)
  const ledger = await readLedger(books.db, midnight)
  await books.close()
  await node.stop('SIGTERM')
  await postgres.stop('fast')
  return { plan, history, faults, exhausted: answered, midnightAtMs, resetsAt: { before, after }, ledger, ...prepared }
}

async function dropPartitionsFrom(db: Database, midnight: Date): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select relname as name
      from pg_class
     where relnamespace = 'accounts'::regnamespace and relkind = 'r'
       and relname ~ '^ledger_[0-9]' and relname >= ${`ledger_${monthOf(midnight).slice(0, 7).replace('-', '_')}`}
  `.execute(db)
  for (const { name } of rows) await sql`drop table accounts.${sql.id(name)}`.execute(db)
}

const monthOf = (midnight: Date) => midnight.toISOString().slice(0, 10)

/** When it will be so late in the database, in terms of performance.now(). */
async function whenIs(db: Database, then: Date): Promise<number> {
  const { rows } = await sql<{ ms: number }>`
    select extract(epoch from ${then}::timestamptz - clock_timestamp())::float8 * 1000 as ms
  `.execute(db)
  return performance.now() + (rows[0]?.ms ?? Number.NaN)
}

async function sleepUntil(atMs: number): Promise<void> {
  await sleep(Math.max(0, atMs - performance.now()))
}

async function callUntil(load: CreditsLoad, payer: Payer, untilMs: number): Promise<readonly Attempt[]> {
  const attempts: Promise<Attempt>[] = []
  while (performance.now() < untilMs) {
    attempts.push(load.send({ payer, credits: 1, asked: '200' }))
    await sleep(CALLS_OF_THE_EXHAUSTED_EVERY_MS)
  }
  return Promise.all(attempts)
}

async function resetAt(port: number, { key }: Payer): Promise<string> {
  const { body } = await call({ port, path: '/api/v1/usage', headers: { 'X-API-Key': key } })
  return /"reset_at":"([^"]+)"/.exec(body)?.[1] ?? body
}

/** While calls go on: what the default partition caught is moved where it belongs. */
async function prepareUnderLoad(
  db: Database,
  midnight: Date,
): Promise<Pick<MonthEdgeOutcome, 'caught' | 'partitionsMade'>> {
  const before = await countCaught(db, midnight)
  const { rows } = await sql<{ made: number }>`select accounts.prepare_ledger() as made`.execute(db)
  await sleep(1000)
  return { caught: { before, after: await countCaught(db, midnight) }, partitionsMade: rows[0]?.made ?? 0 }
}

async function countCaught(db: Database, midnight: Date): Promise<number> {
  const { rows } = await sql<{ count: string }>`
    select count(*) as count
      from accounts.ledger_default
     where period >= ${monthOf(midnight)}::date
  `.execute(db)
  return Number(rows[0]?.count)
}

async function readLedger(db: Database, midnight: Date): Promise<Ledger> {
  const { rows } = await sql<{ month: string; charges: string; late_refunds: string; misplaced: string }>`
    select to_char(period, 'YYYY-MM') as month,
           count(*) filter (where kind = 'charge') as charges,
           count(*) filter (where kind = 'refund' and period < ${monthOf(midnight)}::date and at >= ${midnight}::timestamptz) as late_refunds,
           count(*) filter (where kind = 'charge' and period <> date_trunc('month', at at time zone 'utc')::date) as misplaced
      from accounts.ledger
     where endpoint <> 'before'
     group by period
     order by period
  `.execute(db)
  return {
    charges: Object.fromEntries(rows.map(({ month, charges }) => [month, Number(charges)])),
    lateRefunds: rows.reduce((sum, { late_refunds }) => sum + Number(late_refunds), 0),
    misplaced: rows.reduce((sum, { misplaced }) => sum + Number(misplaced), 0),
  }
}

export function expectMonthsKept({ plan, history, faults, exhausted, ...outcome }: MonthEdgeOutcome): void {
  expect(faults).toEqual([])
  // Nothing fails for want of a partition, nor because one is being made.
  expect(
    history.filter(({ answer, payer, asked }) => payer.isRich && answer?.status !== Number(asked)).slice(0, 5),
  ).toEqual([])
  const { ledger, caught, midnightAtMs, resetsAt } = outcome
  expect(Object.values(ledger.charges).filter((charges) => charges > 0)).toHaveLength(2)
  expect(ledger.misplaced).toBe(0)
  expect(ledger.lateRefunds).toBeGreaterThanOrEqual(LATE_REFUNDS)
  expect(exhausted.filter(({ endedAtMs }) => endedAtMs < midnightAtMs).map(({ answer }) => answer?.status)).toContain(
    429,
  )
  expect(exhausted.filter((each) => each.endedAtMs < midnightAtMs && each.answer?.status === 200)).toEqual([])
  expect(servedAfterMs(exhausted, midnightAtMs)).toBeLessThanOrEqual(1000)
  // The database's clock tells for how long, too.
  expect(Math.max(...adviceOf(exhausted))).toBeLessThanOrEqual(BEFORE_MS / 1000)
  expect(resetsAt).toEqual({ before: formatted(plan.midnight, 0), after: formatted(plan.midnight, 1) })
  expect(caught.before > 0).toBe(!plan.isPrepared)
  expect(caught.after).toBe(0)
  expect(outcome.partitionsMade).toBe(plan.isPrepared ? 1 : 4)
}

function servedAfterMs(exhausted: readonly Attempt[], midnightAtMs: number): number {
  return (
    Math.min(...exhausted.filter(({ answer }) => answer?.status === 200).map(({ endedAtMs }) => endedAtMs)) -
    midnightAtMs
  )
}

/** In seconds, as refusals for want of credits advised. */
function adviceOf(exhausted: readonly Attempt[]): readonly number[] {
  return exhausted.filter(({ answer }) => answer?.status === 429).map(({ answer }) => Number(answer?.retryAfter))
}

function formatted(midnight: string, monthsLater: number): string {
  const at = new Date(midnight)
  at.setUTCMonth(at.getUTCMonth() + monthsLater)
  return `${at.toISOString().slice(0, 19)}Z`
}

export function summaryOf({
  plan,
  history,
  exhausted,
  midnightAtMs,
  ledger,
  caught,
  ...rest
}: MonthEdgeOutcome): string {
  const months = Object.entries(ledger.charges).map(([month, charges]) => `${charges} charges in ${month}`)
  return [
    `midnight before ${plan.midnight.slice(0, 10)} with ${plan.isPrepared ? 'a partition prepared' : 'no partition prepared'}`,
    `${history.length} charged calls: ${statusesOf(history)}; ${months.join(', ')}, ${ledger.misplaced} misplaced`,
    `${ledger.lateRefunds} refunds after midnight went to the month before`,
    `the exhausted account was served ${servedAfterMs(exhausted, midnightAtMs).toFixed(0)} ms after midnight`,
    `Retry-After at most ${Math.max(...adviceOf(exhausted))} s before midnight`,
    `reset_at ${rest.resetsAt.before} then ${rest.resetsAt.after}`,
    `${caught.before} rows caught by the default partition, ${caught.after} after ${rest.partitionsMade} partitions were made under load`,
  ].join('; ')
}
