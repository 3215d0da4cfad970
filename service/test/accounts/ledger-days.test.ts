// A request id is recognised, and a refund finds its charge, across the ends of days and months and in days that are no
// longer attached to the ledger.
import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { Client } from 'pg'
import { describe, expect, it } from 'vitest'
import { chargeBatch, refundBatch } from '../../src/accounts/credits/charge-batch.ts'
import { openPool } from '../../src/database/postgres.ts'
import { account } from '../support/builders.ts'
import { cleanUpAfterTests } from '../support/cleanup.ts'
import { createTestDatabase } from '../support/database.ts'
import { issueAdmission } from './admission.ts'
import { createDatabaseTime } from './database-time.ts'
import { openTestStatements } from './statements.ts'

const MAX_ATTACHED = 40

const { url } = await createTestDatabase()
const limits = { poolSize: 2, statementTimeoutMs: 10_000, lockTimeoutMs: 10_000, acquireTimeoutMs: 10_000 }
const pool = openPool(url, 'ledger-days', limits, () => {})
cleanUpAfterTests(() => pool.close())
const { db } = pool
const { run } = openTestStatements(url, 2)
const client = new Client({ connectionString: url })
await client.connect()
cleanUpAfterTests(() => client.end())
const time = await createDatabaseTime(client)

async function createCharge() {
  const payer = account('enterprise').withQuota(100)
  await payer.store(db)
  const admission = await issueAdmission(url, payer.id)
  return { requestId: randomUUIDv7(), accountId: payer.id, keyId: '1', admission, endpoint: 'edge', costHalf: 10 }
}

const callFunction = async (name: string) => (await client.query(`select accounts.${name}() as result`)).rows[0].result

async function rollUp(): Promise<void> {
  while ((await callFunction('roll_up_portion')) === 'counted');
}

/** Runs the ledger maintenance of an API node until nothing is left to do. */
async function maintain(): Promise<void> {
  await client.query('select accounts.prepare_ledger()')
  await rollUp()
  while ((await callFunction('detach_ledger_day')) !== null);
}

const charge = async (call: Awaited<ReturnType<typeof createCharge>>) => (await chargeBatch(run, [call]))[0]?.outcome

async function readMeters(accountId: string): Promise<Record<string, number>> {
  const { rows } = await sql<{ month: string; used: number }>`
    select to_char(period, 'YYYY-MM') as month, used_half::integer as used
      from accounts.meter
     where account_id = ${accountId}
     order by period
  `.execute(db)
  return Object.fromEntries(rows.map(({ month, used }) => [month, used]))
}

async function readUsageByDay(accountId: string): Promise<Record<string, number>> {
  const { rows } = await client.query<{ day: string; half: number }>(
    "select to_char(day, 'YYYY-MM-DD') as day, cost_half::integer as half from accounts.usage_daily where account_id = $1",
    [accountId],
  )
  return Object.fromEntries(rows.map(({ day, half }) => [day, half]))
}

async function listRows({ requestId }: { readonly requestId: string }): Promise<string[]> {
  const { rows } = await client.query<{ row: string }>(
    "select tableoid::regclass || ' ' || kind || ' ' || to_char(period, 'YYYY-MM') as row from accounts.ledger where request_id = $1 order by kind",
    [requestId],
  )
  return rows.map(({ row }) => row)
}

// In the future, so that the days are not counted yet and were never detached.
await time.set('2030-04-28T12:00:00Z')
await client.query("update accounts.usage_rolled_up set before_day = '2030-04-28'")

describe.each([
  { edge: 'a day', before: '2030-04-29T23:59:59Z', after: '2030-04-30T00:30:00Z' },
  { edge: 'a month', before: '2030-04-30T23:59:59Z', after: '2030-05-01T00:30:00Z' },
])('Ledger at the end of $edge', ({ before, after }) => {
  const [oldMonth, oldDay, newDay] = [before.slice(0, 7), before.slice(0, 10), after.slice(0, 10)]

  it('recognises a charge that is sent again in the next partition', async () => {
    await time.set(before)
    await maintain()
    const call = await createCharge()
    expect(await charge(call)).toBe('charged')

    await time.set(after)
    expect(await charge(call)).toBe('charged before')

    expect((await readMeters(call.accountId))[oldMonth]).toBe(10)
    expect(await listRows(call)).toEqual([`accounts.ledger_${oldDay.replaceAll('-', '_')} charge ${oldMonth}`])
  })

  it('refunds a charge in the next partition once, to the month of the charge', async () => {
    await time.set(before)
    const call = await createCharge()
    await charge(call)

    await time.set(after)
    await refundBatch(run, [call])
    await refundBatch(run, [call, call])

    expect((await readMeters(call.accountId))[oldMonth]).toBe(0)
    expect(await listRows(call)).toEqual([
      `accounts.ledger_${oldDay.replaceAll('-', '_')} charge ${oldMonth}`,
      `accounts.ledger_${newDay.replaceAll('-', '_')} refund ${oldMonth}`,
    ])
  })

  it('does not charge a call whose refund arrived in the previous partition', async () => {
    await time.set(before)
    const call = await createCharge()
    await refundBatch(run, [call])

    await time.set(after)

    expect(await charge(call)).toBe('refunded')
    expect(Object.values(await readMeters(call.accountId)).filter((used) => used !== 0)).toEqual([])
  })

  it('does not charge a call that began before midnight and whose refund arrived after midnight', async () => {
    const call = await createCharge()
    await time.set(after)
    await refundBatch(run, [call])

    await time.set(before, after)

    expect(await charge(call)).toBe('refunded')
  })

  it('counts a charge that is written after midnight on the day and in the month in which it began', async () => {
    const call = await createCharge()
    await time.set(before, after)
    await charge(call)

    await time.set(new Date(Date.parse(after) + 86_400_000).toISOString())
    await maintain()

    expect(await listRows(call)).toEqual([`accounts.ledger_${newDay.replaceAll('-', '_')} charge ${oldMonth}`])
    expect(await readMeters(call.accountId)).toEqual({ [oldMonth]: 10 })
    expect(await readUsageByDay(call.accountId)).toEqual({ [oldDay]: 10 })
  })
})

describe('Ledger with detached days', () => {
  it('attaches at most 40 partitions, and refunds a charge of a detached day once', async () => {
    const [refunded, kept] = [await createCharge(), await createCharge()]
    await time.set('2030-05-02T12:00:00Z')
    await maintain()
    await client.query('select accounts.prepare_ledger(40)')
    await charge(refunded)
    await time.set('2030-05-03T12:00:00Z')
    await charge(kept)
    await time.set('2030-06-11T12:00:00Z')
    await maintain()
    const { rows } = await client.query(
      "select count(*)::integer as attached from pg_inherits where inhparent = 'accounts.ledger'::regclass",
    )
    expect(rows[0].attached).toBe(MAX_ATTACHED)
    expect(await listRows(refunded)).toEqual([])

    await refundBatch(run, [refunded])
    await refundBatch(run, [refunded])

    expect(await readMeters(refunded.accountId)).toMatchObject({ '2030-05': 0 })
    expect(await readMeters(kept.accountId)).toEqual({ '2030-05': 10 })
    await time.set('2030-06-13T12:00:00Z')
    await maintain()
    expect(await readUsageByDay(refunded.accountId)).toEqual({})
    expect(await readUsageByDay(kept.accountId)).toEqual({ '2030-05-03': 10 })
    expect((await client.query('select * from accounts.find_wrong_meters()')).rows).toEqual([])
  })

  it('reports a meter that differs from the ledger of a detached day', async () => {
    await client.query(
      "update accounts.meter set used_half = used_half + 1 where period = '2030-05-01' and used_half = 10",
    )
    const { rows } = await client.query(
      'select meter_half - ledger_half as difference from accounts.find_wrong_meters()',
    )
    expect(rows.length).toBeGreaterThan(0)
    expect(new Set(rows.map(({ difference }) => difference))).toEqual(new Set(['1']))
    await client.query(
      "update accounts.meter set used_half = used_half - 1 where period = '2030-05-01' and used_half = 11",
    )
  })

  it("gives up after a short wait for a long reader's lock, so that charges continue, and detaches the day later", async () => {
    await time.set('2030-06-16T12:00:00Z')
    await client.query('select accounts.prepare_ledger()')
    await rollUp()
    const call = await createCharge()
    const reader = await db.transaction().execute(async (tx) => {
      await sql`select count(*) from accounts.ledger`.execute(tx)
      const started = performance.now()
      const [error, outcome] = await Promise.all([
        client.query('select accounts.detach_ledger_day()').catch((failure: unknown) => String(failure)),
        charge(call),
      ])
      return { error, outcome, ms: performance.now() - started }
    })
    expect(reader).toMatchObject({ error: expect.stringContaining('lock timeout'), outcome: 'charged' })
    expect(reader.ms).toBeLessThan(10_000)

    const { rows } = await client.query('select accounts.detach_ledger_day() as name')
    expect(rows[0].name).toMatch(/^ledger_2030_/)
  })
})
