// Puts bugs on purpose into a test database by changing the text of an SQL function that the migrations created.
import { sql } from 'kysely'
import { Client } from 'pg'
import { refundBatch } from '../../../service/src/accounts/credits/charge-batch.ts'
import type { Database } from '../../../service/src/database/postgres.ts'
import type { RunStatement } from '../../../service/src/database/statement-connections.ts'

export interface SqlBug {
  readonly name: string
  readonly inFunction: 'charge_batch' | 'refund_batch'
  readonly text: string
  readonly replacement: string
  /** Additional SQL statement that is run to create the bug. */
  readonly statement?: string
}

/**
 * Bug created on purpose: the meter (credits used per month) is read before its row is locked, so one of two concurrent
 * batches of charges overwrites the result of the other.
 */
export const READ_BEFORE_LOCK: SqlBug = {
  name: 'the meter is read before it is locked',
  inFunction: 'charge_batch',
  text: 'set used_half = meter.used_half + excluded.used_half',
  replacement: `set used_half = excluded.used_half + (
    select stale.used_half
      from accounts.meter stale
     where stale.account_id = excluded.account_id and stale.period = excluded.period
  )`,
}

const DROP_KEY = 'alter table accounts.ledger drop constraint ledger_pkey'

/**
 * Bug created on purpose: a charge whose request id is already in the ledger is charged again instead of being
 * recognised.
 */
export const NOT_RECOGNISED: SqlBug = {
  name: 'no unique key and no check of request ids',
  inFunction: 'charge_batch',
  text: 'entry.request_id = sent.request_id',
  replacement: 'false',
  statement: DROP_KEY,
}

/**
 * Bug created on purpose: the ledger table has no unique key. The function charge_batch still recognises every repeated
 * request id, so only a direct insert into the table shows that the key is missing.
 */
export const NO_UNIQUE_KEY: SqlBug = {
  name: 'no unique key',
  inFunction: 'charge_batch',
  text: 'entry.request_id = sent.request_id',
  replacement: 'entry.request_id = sent.request_id',
  statement: DROP_KEY,
}

export const WRONG_PERIOD: SqlBug = {
  name: 'refunds go to the current month',
  inFunction: 'refund_batch',
  text: 'select coalesce(charge.period, this_period)',
  replacement: 'select this_period',
}

/**
 * Creates the bug in the database. Throws if the SQL text to replace is not found, because the test would then run
 * without the bug.
 */
export async function seed(url: string, { name, inFunction, text, replacement, statement }: SqlBug): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ definition: string }>(
      "select pg_get_functiondef(oid) as definition from pg_proc where proname = $1 and pronamespace = 'accounts'::regnamespace",
      [inFunction],
    )
    const definition = rows[0]?.definition ?? ''
    if (definition.split(text).length !== 2)
      throw new Error(`${name}: ${inFunction} must contain exactly one "${text}"`)
    await client.query(definition.replace(text, replacement))
    if (statement) await client.query(statement)
  } finally {
    await client.end()
  }
}

/**
 * Inserts the same charge twice into the ledger table directly, not through the SQL functions. Returns the result or
 * the error.
 */
export async function storeTwice(db: Database): Promise<string> {
  const store = sql`
    insert into accounts.ledger (period, request_id, kind, account_id, key_id, endpoint, cost_half)
    values (accounts.current_period(), '00000000-0000-7000-8000-000000000000', 'charge', 1, 1, 'engine', 2)
  `
  await store.execute(db)
  return store.execute(db).then(
    () => 'the ledger has the charge twice',
    (error: unknown) => String(error),
  )
}

/** Charges an account in two months, refunds last month's charge, and returns the used half credits of both months. */
export async function refundLastMonth(
  db: Database,
  run: RunStatement,
): Promise<{ lastMonth: number; thisMonth: number }> {
  const { accountId, requestId } = await chargeInTwoMonths(db)
  const { rows: issued } = await sql<{ admission: string }>`
    select accounts.issue_admission(${accountId}, 1, now()) as admission
  `.execute(db)
  await refundBatch(run, [
    { requestId, accountId, keyId: '1', endpoint: 'engine', admission: issued[0]?.admission ?? '' },
  ])
  const { rows } = await sql<{ last_month: string; this_month: string }>`
    select sum(used_half) filter (where period < accounts.current_period()) as last_month,
           sum(used_half) filter (where period = accounts.current_period()) as this_month
      from accounts.meter
     where account_id = ${accountId}
  `.execute(db)
  return { lastMonth: Number(rows[0]?.last_month), thisMonth: Number(rows[0]?.this_month) }
}

async function chargeInTwoMonths(db: Database): Promise<{ accountId: string; requestId: string }> {
  const { rows } = await sql<{ account_id: string; request_id: string }>`
    with owner as (
      insert into accounts.account (name, plan, limit_half) values ('refunded late', 'enterprise', 100)
      returning id
    ), charge as (
      insert into accounts.ledger (period, request_id, kind, account_id, key_id, endpoint, cost_half)
      select (accounts.current_period() - make_interval(months => ago))::date, gen_random_uuid(), 'charge', id, 1, 'engine', 10
        from owner, generate_series(0, 1) ago
      returning period, request_id, account_id, cost_half
    ), metered as (
      insert into accounts.meter (account_id, period, used_half)
      select account_id, period, cost_half
        from charge
    )
    select account_id, request_id
      from charge
     order by period
     limit 1
  `.execute(db)
  return { accountId: rows[0]?.account_id ?? '', requestId: rows[0]?.request_id ?? '' }
}
