// An installation with monthly partitions of the ledger is upgraded to daily partitions: no row is lost or moved, and
// usage, retries and refunds of earlier charges stay right.
import { randomUUIDv7 } from 'node:crypto'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { describe, expect, it } from 'vitest'
import { chargeBatch, refundBatch } from '../../src/accounts/credits/charge-batch.ts'
import { MIGRATIONS_FOLDER, migrate } from '../../src/database/migrate.ts'
import { issueAdmission } from '../support/admission.ts'
import { cleanUpAfterTests } from '../support/cleanup.ts'
import { createEmptyDatabase } from '../support/database.ts'
import { openTestStatements } from '../support/statements.ts'

const LAST_MONTHLY = '0010_key_use.sql'

async function migrateToMonthlyLedger(url: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'vis-migrations-'))
  await cp(MIGRATIONS_FOLDER, folder, { recursive: true })
  for (const file of await readdir(join(folder, 'accounts')))
    if (file > LAST_MONTHLY) await rm(join(folder, 'accounts', file))
  await migrate(url, 'accounts', folder)
  await rm(folder, { recursive: true })
}

const { url } = await createEmptyDatabase()
await migrateToMonthlyLedger(url)
const { run } = openTestStatements(url, 2)
const client = new Client({ connectionString: url })
await client.connect()
cleanUpAfterTests(() => client.end())

const queryRows = async (statement: string, values: readonly unknown[] = []) =>
  (await client.query(statement, [...values])).rows

const [{ id: accountId }] = await queryRows(
  "insert into accounts.account (name, plan, limit_half) values ('upgraded', 'enterprise', 100000) returning id",
)
const createCall = () => ({ requestId: randomUUIDv7(), accountId, keyId: '1', endpoint: 'cves', costHalf: 10 })

/** Charges and refunds with the functions from before the upgrade. */
async function chargeAndRefund(
  charged: readonly { requestId: string }[],
  refunded: { requestId: string },
): Promise<void> {
  for (const { requestId } of charged)
    await client.query("select accounts.charge_batch(array[$1::uuid], array[$2::bigint], '{1}', '{cves}', '{10}')", [
      requestId,
      accountId,
    ])
  await client.query("select accounts.refund_batch(array[$1::uuid], array[$2::bigint], '{1}', '{cves}')", [
    refunded.requestId,
    accountId,
  ])
}

/** Stores charges of the last 50 days, ten a day, with their meters. */
async function storePastCharges(): Promise<void> {
  await client.query(
    `with charge as (
       insert into accounts.ledger (period, request_id, kind, account_id, key_id, endpoint, cost_half, at)
       select date_trunc('month', at at time zone 'utc')::date, gen_random_uuid(), 'charge', $1::bigint, 1, 'cves', 2, at
         from (select now() - n * interval '144 minutes' as at from generate_series(1, 500) n) past
       returning period, account_id, cost_half
     )
     insert into accounts.meter (account_id, period, used_half)
     select account_id, period, sum(cost_half) from charge group by account_id, period`,
    [accountId],
  )
  await client.query('select accounts.prepare_ledger()')
}

/** Sums of the charges minus the refunds of all tables of the ledger, by the day of the charge. */
async function sumByDay(): Promise<Record<string, number>> {
  const rows = await queryRows(
    `with entry as (
       select request_id, kind::text, at, cost_half from accounts.ledger
       union all
       select request_id, kind, at, cost_half from accounts.ledger_monthly
     )
     select to_char(charge.at at time zone 'utc', 'YYYY-MM-DD') as day, sum(charge.cost_half - coalesce(refund.cost_half, 0))::integer as half
       from entry charge
       left join entry refund on refund.request_id = charge.request_id and refund.kind = 'refund'
      where charge.kind = 'charge'
      group by 1
     having sum(charge.cost_half - coalesce(refund.cost_half, 0)) > 0`,
  )
  return Object.fromEntries(rows.map(({ day, half }) => [day, half]))
}

async function readDailySums(): Promise<Record<string, number>> {
  const rows = await queryRows(
    "select to_char(day, 'YYYY-MM-DD') as day, sum(cost_half)::integer as half from accounts.usage_daily group by 1",
  )
  return Object.fromEntries(rows.map(({ day, half }) => [day, half]))
}

async function readReport(): Promise<Record<string, number>> {
  const rows = await queryRows(
    "select to_char(day, 'YYYY-MM-DD') as day, sum(cost_half)::integer as half from accounts.usage_this_month($1) group by 1",
    [accountId],
  )
  return Object.fromEntries(rows.map(({ day, half }) => [day, half]))
}

await storePastCharges()
await client.query('select accounts.roll_up_usage()')
const [repeated, refunded, refundedBefore] = [createCall(), createCall(), createCall()]
await chargeAndRefund([repeated, refunded, refundedBefore], refundedBefore)
// A late refund that the last roll-up before the upgrade has not seen.
await client.query(
  `insert into accounts.ledger
   select period, request_id, 'refund', account_id, key_id, endpoint, cost_half, now()
     from accounts.ledger
    where kind = 'charge' and at < now() - interval '12 days'
    order by at desc
    limit 3`,
)
await client.query(
  `update accounts.meter meter
      set used_half = (select sum(case kind when 'charge' then cost_half else -cost_half end) from accounts.ledger where ledger.period = meter.period)`,
)
const [{ count: rowsBefore }] = await queryRows('select count(*) from accounts.ledger')
await migrate(url, 'accounts', MIGRATIONS_FOLDER)
const admission = await issueAdmission(url, accountId)

describe('Upgrade of a ledger with monthly partitions', () => {
  it('leaves all rows in the monthly partitions and drops only months without rows', async () => {
    expect(await queryRows('select count(*) from accounts.ledger_monthly')).toEqual([{ count: rowsBefore }])
    const months = await queryRows('select distinct period from accounts.ledger_monthly')
    const partitions = await queryRows(
      "select from pg_inherits where inhparent = 'accounts.ledger_monthly'::regclass and inhrelid <> 'accounts.ledger_monthly_default'::regclass",
    )
    expect(partitions).toHaveLength(months.length)
  })

  it('recognises a charge that is sent again after the upgrade', async () => {
    expect(await chargeBatch(run, [{ ...repeated, admission }])).toEqual([{ outcome: 'charged before' }])
    expect(await chargeBatch(run, [{ ...refundedBefore, admission }])).toEqual([{ outcome: 'refunded' }])
  })

  it('refunds a charge from before the upgrade, once', async () => {
    await refundBatch(run, [
      { ...refunded, admission },
      { ...refundedBefore, admission },
    ])
    await refundBatch(run, [{ ...refunded, admission }])
    expect(await queryRows("select cost_half from accounts.ledger where kind = 'refund'")).toEqual([{ cost_half: 10 }])
    expect(await queryRows('select * from accounts.find_wrong_meters()')).toEqual([])
  })

  it('reports the same usage of the month before, during and after the roll-up of the earlier days', async () => {
    const expected = await sumByDay()
    const [{ month }] = await queryRows("select to_char(accounts.current_period(), 'YYYY-MM') as month")
    const thisMonth = Object.fromEntries(Object.entries(expected).filter(([day]) => day.startsWith(month)))
    expect(await readReport()).toEqual(thisMonth)
    for (let portion = 0; portion < 40; portion += 1) {
      expect(await queryRows('select accounts.roll_up_portion() as result')).toEqual([{ result: 'counted' }])
      if (portion % 8 === 0) expect(await readReport()).toEqual(thisMonth)
    }
    await client.query('select accounts.roll_up_usage()')
    expect(await readReport()).toEqual(thisMonth)

    const { rows } = await client.query("select to_char(now() at time zone 'utc', 'YYYY-MM-DD') as today")
    const complete = ([day]: [string, number]) => day < rows[0].today
    expect(
      Object.entries(await readDailySums())
        .filter(complete)
        .sort(),
    ).toEqual(Object.entries(expected).filter(complete).sort())
  })

  it('drops the monthly ledger when it is old and summed up', async () => {
    expect((await queryRows('select accounts.drop_old_ledger(1) as name')).length).toBeLessThanOrEqual(1)
    expect(await queryRows('select * from accounts.find_wrong_meters()')).toEqual([])
  })
})
