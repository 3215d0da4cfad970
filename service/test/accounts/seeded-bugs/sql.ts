// Bugs put into the database on purpose, by changing the text of a function that the migrations made.
import { sql } from 'kysely'
import { Client } from 'pg'
import { refundBatch } from '../../../src/accounts/charge-batch.ts'
import type { Database } from '../../../src/database/postgres.ts'

export interface SqlBug {
  readonly name: string
  readonly inFunction: 'charge_batch' | 'refund_batch'
  readonly text: string
  readonly becomes: string
  /** What else is changed. */
  readonly also?: string
}

/** Read before the row lock is there: of two batches that meet, the later overwrites the earlier. */
export const READ_BEFORE_LOCK: SqlBug = {
  name: 'the meter is read before it is locked',
  inFunction: 'charge_batch',
  text: 'set used_half = meter.used_half + excluded.used_half',
  becomes: `set used_half = excluded.used_half + (
    select stale.used_half
      from accounts.meter stale
     where stale.account_id = excluded.account_id and stale.period = excluded.period
  )`,
}

const DROP_KEY = 'alter table accounts.ledger drop constraint ledger_pkey'

/** The ledger neither recognises a request id that it has nor refuses it. */
export const NOT_RECOGNISED: SqlBug = {
  name: 'no unique key, and request ids are not recognised',
  inFunction: 'charge_batch',
  text: 'entry.request_id = sent.request_id',
  becomes: 'false',
  also: DROP_KEY,
}

/** Under the row lock every request id is recognised, so no load shows that the key is gone: only the table itself does. */
export const NO_UNIQUE_KEY: SqlBug = {
  name: 'no unique key',
  inFunction: 'charge_batch',
  text: 'entry.request_id = sent.request_id',
  becomes: 'entry.request_id = sent.request_id',
  also: DROP_KEY,
}

export const WRONG_PERIOD: SqlBug = {
  name: 'refund to the wrong period',
  inFunction: 'refund_batch',
  text: 'select coalesce(charge.period, this_period)',
  becomes: 'select this_period',
}

/** Fails when the text is not there: a bug that was not seeded proves nothing. */
export async function seed(url: string, { name, inFunction, text, becomes, also }: SqlBug): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ definition: string }>(
      "select pg_get_functiondef(oid) as definition from pg_proc where proname = $1 and pronamespace = 'accounts'::regnamespace",
      [inFunction],
    )
    const definition = rows[0]?.definition ?? ''
    if (definition.split(text).length !== 2) throw new Error(`${name}: ${inFunction} has not exactly one "${text}"`)
    await client.query(definition.replace(text, becomes))
    if (also) await client.query(also)
  } finally {
    await client.end()
  }
}

/** The same charge, written twice past the functions: how often the ledger then has it, or why it refused. */
export async function storeTwice(db: Database): Promise<string> {
  const store = sql`
    insert into accounts.ledger (period, request_id, kind, account_id, key_id, endpoint, cost_half)
    values (accounts.current_period(), '00000000-0000-7000-8000-000000000000', 'charge', 1, 1, 'engine', 2)
  `
  await store.execute(db)
  return store.execute(db).then(
    () => 'the ledger has it twice',
    (error: unknown) => String(error),
  )
}

/** An account with a charge in each of two months, of which last month's is given back. Tells what is left of them. */
export async function refundLastMonth(db: Database): Promise<{ lastMonth: number; thisMonth: number }> {
  const { accountId, requestId } = await chargedInTwoMonths(db)
  await refundBatch(db, [{ requestId, accountId, keyId: '1', endpoint: 'engine' }])
  const { rows } = await sql<{ last_month: string; this_month: string }>`
    select sum(used_half) filter (where period < accounts.current_period()) as last_month,
           sum(used_half) filter (where period = accounts.current_period()) as this_month
      from accounts.meter
     where account_id = ${accountId}
  `.execute(db)
  return { lastMonth: Number(rows[0]?.last_month), thisMonth: Number(rows[0]?.this_month) }
}

async function chargedInTwoMonths(db: Database): Promise<{ accountId: string; requestId: string }> {
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
