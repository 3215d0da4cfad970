// The database clock passes the end of the month while charged calls are running. The clock of the API node is
// unchanged.

import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { Database } from '../../../service/src/database/postgres.ts'
import { waitForNoViolations } from '../../../service/test/faults/credits/history.ts'
import {
  type Attempt,
  type CreditsLoad,
  formatStatuses,
  startCreditsLoad,
} from '../../../service/test/faults/credits/load.ts'
import { openLedgerPool, type Payer, startPricedNode, storePayers } from '../../../service/test/faults/credits/setup.ts'
import { call } from '../../../service/test/faults/nodes/call.ts'
import { PATIENT_SETTINGS } from '../../../service/test/faults/nodes/setup.ts'
import { migrateAll } from '../../../service/test/support/migrate-all.ts'
import {
  faketimeMissingReason,
  startPrivatePostgres,
} from '../../../service/test/support/processes/private-postgres.ts'
import { chooseBySize } from '../../../service/test/support/size.ts'

interface MonthEdgePlan {
  readonly midnight: string
  /** Whether the ledger already has a partition for the new month when the month begins. */
  readonly isPrepared: boolean
  readonly perSecond: number
}

interface MonthEdgeOutcome {
  readonly plan: MonthEdgePlan
  readonly history: readonly Attempt[]
  readonly violations: readonly string[]
  /** Calls of the account that has no credits left before the month ends. */
  readonly exhausted: readonly Attempt[]
  readonly midnightAtMs: number
  readonly resetsAt: { readonly before: string; readonly after: string }
  readonly ledger: LedgerCounts
  /**
   * Number of ledger rows of the new month in the default partition, before and after the partitions of the new month
   * were created.
   */
  readonly inDefaultPartition: { readonly before: number; readonly after: number }
  readonly createdPartitions: number
}

interface LedgerCounts {
  /** Number of charges per month. */
  readonly charges: Readonly<Record<string, number>>
  /** Number of refunds made in the new month for charges of the old month. */
  readonly lateRefunds: number
  /** Number of charges whose recorded month differs from the month of their timestamp. */
  readonly misplaced: number
}

const PAYERS = { ample: 40, limited: 1, creditsLeft: 0 }
const EXHAUSTED_CALL_INTERVAL_MS = 100
const BEFORE_MS = 8000
const AFTER_MS = 4000
/** The calls that are refunded late are sent this long before midnight and answered this long after they were sent. */
const CLOCK_READINGS = 20
const LATE_SENT_MS = 3500
const LATE_ANSWER_MS = 6000
/** Maximum time after midnight until an exhausted account is served. The long run has the machine for itself. */
const MAX_SERVED_AFTER_MS = chooseBySize({ short: AFTER_MS, long: 1000 })
const REFUND_TIMEOUT_MS = 120_000
const LATE_REFUND_COUNT = 10
const HALF_A_DAY_MS = 12 * 3_600_000

async function crossMidnight(plan: MonthEdgePlan): Promise<MonthEdgeOutcome> {
  const midnight = new Date(plan.midnight)
  const postgres = await startPrivatePostgres(new Date(midnight.getTime() - HALF_A_DAY_MS))
  await migrateAll(postgres.url)
  const ledgerPool = openLedgerPool(postgres.url)
  const payers = await storePayers(ledgerPool.db, PAYERS)
  const node = await startPricedNode({ DATABASE_URL: postgres.url, ...PATIENT_SETTINGS })
  await postgres.stop('fast')
  await postgres.start(new Date(midnight.getTime() - BEFORE_MS))
  // The node has created partitions when it started, and would do so again only hours later.
  if (!plan.isPrepared) await dropPartitionsFrom(ledgerPool.db, midnight)
  const midnightAtMs = await computeLocalTime(ledgerPool.db, midnight)

  const load = startCreditsLoad(
    node.port,
    payers.filter(({ hasAmpleCredits }) => hasAmpleCredits),
    plan.perSecond,
  )
  const limited = payers.find(({ hasAmpleCredits }) => !hasAmpleCredits) ?? {
    key: '',
    accountId: '',
    hasAmpleCredits: false,
  }
  const exhausted = callUntil(load, limited, midnightAtMs + AFTER_MS)
  const before = await readResetAt(node.port, limited)
  await sleepUntil(midnightAtMs - LATE_SENT_MS)
  const late = Array.from({ length: LATE_REFUND_COUNT }, () =>
    load.send({ payer: payers[0] ?? limited, credits: 2, requestedStatus: '404', afterMs: LATE_ANSWER_MS }),
  )
  const answered = await exhausted
  await Promise.all(late)
  const partitions = await createPartitionsUnderLoad(ledgerPool.db, midnight)
  const after = await readResetAt(node.port, limited)
  const history = await load.stop()
  const violations = await waitForNoViolations(ledgerPool.db, history, REFUND_TIMEOUT_MS)
  const ledger = await readLedger(ledgerPool.db, midnight)
  await ledgerPool.close()
  await node.stop('SIGTERM')
  await postgres.stop('fast')
  return {
    plan,
    history,
    violations,
    exhausted: answered,
    midnightAtMs,
    resetsAt: { before, after },
    ledger,
    ...partitions,
  }
}

async function dropPartitionsFrom(db: Database, midnight: Date): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select relname as name
      from pg_class
     where relnamespace = 'accounts'::regnamespace and relkind = 'r'
       and relname ~ '^ledger_[0-9]' and relname >= ${`ledger_${formatMonth(midnight).slice(0, 7).replace('-', '_')}`}
  `.execute(db)
  for (const { name } of rows) await sql`drop table accounts.${sql.id(name)}`.execute(db)
}

const formatMonth = (midnight: Date) => midnight.toISOString().slice(0, 10)

/** Converts a time of the database clock to the scale of performance.now(). */
async function computeLocalTime(db: Database, databaseTime: Date): Promise<number> {
  const estimates: number[] = []
  for (let reading = 0; reading < CLOCK_READINGS; reading += 1) {
    const { rows } = await sql<{ ms: number }>`
      select extract(epoch from ${databaseTime}::timestamptz - clock_timestamp())::float8 * 1000 as ms
    `.execute(db)
    estimates.push(performance.now() + (rows[0]?.ms ?? Number.NaN))
  }
  // Each estimate is too late by the time that the answer took, so the earliest one is the best.
  return Math.min(...estimates)
}

async function sleepUntil(atMs: number): Promise<void> {
  await sleep(Math.max(0, atMs - performance.now()))
}

async function callUntil(load: CreditsLoad, payer: Payer, untilMs: number): Promise<readonly Attempt[]> {
  const attempts: Promise<Attempt>[] = []
  while (performance.now() < untilMs) {
    attempts.push(load.send({ payer, credits: 1, requestedStatus: '200' }))
    await sleep(EXHAUSTED_CALL_INTERVAL_MS)
  }
  return Promise.all(attempts)
}

async function readResetAt(port: number, { key }: Payer): Promise<string> {
  const { body } = await call({ port, path: '/api/v1/usage', headers: { 'X-API-Key': key } })
  return /"reset_at":"([^"]+)"/.exec(body)?.[1] ?? body
}

/**
 * Creates the ledger partitions of the new month while calls continue. Rows of the new month move from the default
 * partition to the new partitions.
 */
async function createPartitionsUnderLoad(
  db: Database,
  midnight: Date,
): Promise<Pick<MonthEdgeOutcome, 'inDefaultPartition' | 'createdPartitions'>> {
  const before = await countInDefaultPartition(db, midnight)
  const { rows } = await sql<{ created: number }>`select accounts.prepare_ledger() as created`.execute(db)
  await sleep(1000)
  const after = await countInDefaultPartition(db, midnight)
  return { inDefaultPartition: { before, after }, createdPartitions: rows[0]?.created ?? 0 }
}

async function countInDefaultPartition(db: Database, midnight: Date): Promise<number> {
  const { rows } = await sql<{ count: string }>`
    select count(*) as count
      from accounts.ledger_default
     where period >= ${formatMonth(midnight)}::date
  `.execute(db)
  return Number(rows[0]?.count)
}

async function readLedger(db: Database, midnight: Date): Promise<LedgerCounts> {
  const { rows } = await sql<{ month: string; charges: string; late_refunds: string; misplaced: string }>`
    select to_char(period, 'YYYY-MM') as month,
           count(*) filter (where kind = 'charge') as charges,
           count(*) filter (where kind = 'refund' and period < ${formatMonth(midnight)}::date and at >= ${midnight}::timestamptz) as late_refunds,
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

function expectChargedToOneMonth({ plan, history, violations, exhausted, ...outcome }: MonthEdgeOutcome): void {
  expect(violations).toEqual([])
  // No call fails because a ledger partition is missing or being created.
  expect(
    history
      .filter(
        ({ answer, payer, requestedStatus }) => payer.hasAmpleCredits && answer?.status !== Number(requestedStatus),
      )
      .slice(0, 5),
  ).toEqual([])
  const { ledger, inDefaultPartition, midnightAtMs, resetsAt } = outcome
  expect(Object.values(ledger.charges).filter((charges) => charges > 0)).toHaveLength(2)
  expect(ledger.misplaced).toBe(0)
  expect(ledger.lateRefunds).toBeGreaterThanOrEqual(LATE_REFUND_COUNT)
  expect(exhausted.filter(({ endedAtMs }) => endedAtMs < midnightAtMs).map(({ answer }) => answer?.status)).toContain(
    429,
  )
  expect(exhausted.filter((each) => each.endedAtMs < midnightAtMs && each.answer?.status === 200)).toEqual([])
  expect(computeServedAfterMs(exhausted, midnightAtMs)).toBeLessThanOrEqual(MAX_SERVED_AFTER_MS)
  // The header Retry-After is also computed from the database clock, not from the clock of the API node.
  expect(Math.max(...listRetryAfter(exhausted))).toBeLessThanOrEqual(BEFORE_MS / 1000)
  expect(resetsAt).toEqual({ before: formatMidnight(plan.midnight, 0), after: formatMidnight(plan.midnight, 1) })
  expect(inDefaultPartition.before > 0).toBe(!plan.isPrepared)
  expect(inDefaultPartition.after).toBe(0)
  expect(outcome.createdPartitions).toBe(plan.isPrepared ? 1 : 4)
}

function computeServedAfterMs(exhausted: readonly Attempt[], midnightAtMs: number): number {
  return (
    Math.min(...exhausted.filter(({ answer }) => answer?.status === 200).map(({ endedAtMs }) => endedAtMs)) -
    midnightAtMs
  )
}

/** Returns the Retry-After values of the 429 answers, in seconds. */
function listRetryAfter(exhausted: readonly Attempt[]): readonly number[] {
  return exhausted.filter(({ answer }) => answer?.status === 429).map(({ answer }) => Number(answer?.retryAfter))
}

function formatMidnight(midnight: string, monthsLater: number): string {
  const at = new Date(midnight)
  at.setUTCMonth(at.getUTCMonth() + monthsLater)
  return `${at.toISOString().slice(0, 19)}Z`
}

function formatSummary({
  plan,
  history,
  exhausted,
  midnightAtMs,
  ledger,
  inDefaultPartition,
  ...rest
}: MonthEdgeOutcome): string {
  const months = Object.entries(ledger.charges).map(([month, charges]) => `${charges} charges in ${month}`)
  return [
    `month ends at ${plan.midnight}, ${plan.isPrepared ? 'with' : 'without'} a partition for the new month`,
    `${history.length} charged calls: ${formatStatuses(history)}; ${months.join(', ')}, ${ledger.misplaced} misplaced`,
    `${ledger.lateRefunds} refunds after midnight went to the old month`,
    `the exhausted account was served ${computeServedAfterMs(exhausted, midnightAtMs).toFixed(0)} ms after midnight`,
    `Retry-After at most ${Math.max(...listRetryAfter(exhausted))} s before midnight`,
    `reset_at ${rest.resetsAt.before} then ${rest.resetsAt.after}`,
    `${inDefaultPartition.before} rows in the default partition, ${inDefaultPartition.after} after ${rest.createdPartitions} partitions were created under load`,
  ].join('; ')
}

if (faketimeMissingReason !== undefined)
  process.stderr.write(`SKIPPED: the test of the end of a month: ${faketimeMissingReason}.\n`)

const MIDNIGHTS = [
  '2027-01-01T00:00:00Z',
  '2027-03-01T00:00:00Z',
  '2028-03-01T00:00:00Z',
  '2027-07-01T00:00:00Z',
  '2027-08-01T00:00:00Z',
]
const RUNS = chooseBySize({ short: MIDNIGHTS.slice(0, 1), long: [...MIDNIGHTS, ...MIDNIGHTS] }).flatMap((midnight) => [
  { midnight, isPrepared: true },
  { midnight, isPrepared: false },
])

describe.skipIf(faketimeMissingReason !== undefined)('Credits when the database clock reaches a new month', () => {
  it.each(RUNS)(
    'are charged to exactly one month per call (midnight $midnight, ledger partition prepared: $isPrepared)',
    { timeout: 900_000 },
    async (run) => {
      const outcome = await crossMidnight({ ...run, perSecond: chooseBySize({ short: 40, long: 300 }) })

      process.stdout.write(`${formatSummary(outcome)}\n`)
      expectChargedToOneMonth(outcome)
    },
  )
})
