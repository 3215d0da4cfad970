import { describe, expect, it } from 'vitest'
import { account } from '../support/builders.ts'
import { forgetRollUp, makeCalls, readDaily, rollUp, rollUpPortion, sumLedger } from './ledger-fixtures.ts'
import { openOperatorHarness } from './operator-harness.ts'

const harness = await openOperatorHarness()
const { database, given, json, rows } = harness

const FIRST_DAY = 10
const [{ today, month } = { today: '', month: '' }] = await rows<{ today: string; month: string }>(
  "select to_char(now() at time zone 'utc', 'YYYY-MM-DD') as today, to_char(accounts.current_period(), 'YYYY-MM-DD') as month",
)

/** Sums of the calls on complete days. Refunds written today are not yet subtracted. */
const sumCompleteDays = () =>
  sumLedger(
    harness,
    ({ day }) => day < today,
    ({ writtenOn }) => writtenOn < today,
  )
const readRolledUp = () => readDaily(harness)

/** Refunds up to three calls of a past day. The refunds are dated yesterday. */
async function refundLate(daysAgo: number, accountId?: string): Promise<number> {
  const refunds = await rows(
    `insert into accounts.ledger (period, request_id, kind, account_id, key_id, endpoint, cost_half, at, day)
     select period, request_id, 'refund', account_id, key_id, endpoint, cost_half, now() - interval '1 day',
            (now() at time zone 'utc')::date - 1
       from accounts.ledger charge
      where kind = 'charge'
        and (at at time zone 'utc')::date = (now() at time zone 'utc')::date - $1::int
        and ($2::bigint is null or account_id = $2)
        and not exists (select from accounts.ledger refund where refund.request_id = charge.request_id and refund.kind = 'refund')
      limit 3
     returning request_id`,
    [daysAgo, accountId ?? null],
  )
  return refunds.length
}

/** Counts all days before yesterday, so that rows dated yesterday come late. */
async function rollUpBeforeYesterday(): Promise<void> {
  await forgetRollUp(harness, FIRST_DAY)
  for (let day = FIRST_DAY; day > 1; day -= 1) expect(await rollUpPortion(harness)).toBe('counted')
}

describe('accounts.roll_up_portion', () => {
  it("sums up the usage of every complete UTC day, independently of the session's time zone", async () => {
    const [one, other] = [account('pro'), account('pro')]
    await given(one, other)
    // More than one page of 8 kB per day.
    await makeCalls(harness, one.id, 2000)
    await makeCalls(harness, other.id, 100)
    await forgetRollUp(harness, FIRST_DAY)
    const client = await database.connect()
    await client.query("set timezone = 'Pacific/Auckland'")

    for (let day = FIRST_DAY; day > 0; day -= 1) await client.query('select accounts.roll_up_portion()')
    client.release(true)

    const expected = await sumCompleteDays()
    expect(expected.length).toBeGreaterThan(50)
    expect(await readRolledUp()).toEqual(expected)
  })

  it('changes no rows when all complete days are already counted', async () => {
    const versions = () => rows('select xmin, ctid, day, calls from accounts.usage_daily order by ctid')
    const before = await versions()
    expect(await rollUpPortion(harness)).toBe('done')
    expect(await versions()).toEqual(before)
  })

  it('returns the same sums when each page is its own portion', async () => {
    await forgetRollUp(harness, FIRST_DAY)
    expect(await rollUp(harness, 1)).toBeGreaterThan(FIRST_DAY)
    expect(await readRolledUp()).toEqual(await sumCompleteDays())
  })

  it('keeps the counted portions when a connection is lost during the next one', async () => {
    await forgetRollUp(harness, FIRST_DAY)
    for (let portion = 0; portion < 4; portion += 1) expect(await rollUpPortion(harness, 1)).toBe('counted')
    const kept = await readRolledUp()
    const client = await database.connect()
    await client.query('begin')
    await client.query('select accounts.roll_up_portion(1)')
    client.release(true)

    await expect.poll(() => rollUpPortion(harness, 1)).toBe('counted')
    await rollUp(harness, 1)

    expect(kept.length).toBeGreaterThan(0)
    expect(await readRolledUp()).toEqual(await sumCompleteDays())
  })

  it.each([2, 3, 8])('subtracts a late refund from the day of its charge, %i days ago', async (daysAgo) => {
    await rollUpBeforeYesterday()
    const before = await readRolledUp()

    expect(await refundLate(daysAgo)).toBe(3)
    await rollUp(harness)

    expect(before.filter((line) => !line.includes(` ${today} `))).not.toEqual(await readRolledUp())
    expect(await readRolledUp()).toEqual(await sumCompleteDays())
  })

  it('subtracts a late refund from the day of its charge when that day is detached', async () => {
    await rollUpBeforeYesterday()
    expect(await refundLate(8)).toBe(3)
    const expected = await sumCompleteDays()
    for (let name: unknown = ''; name !== null; )
      name = (await rows('select accounts.detach_ledger_day(6) as name'))[0]?.['name']
    expect(await rows('select from accounts.ledger_days() where not is_attached')).toHaveLength(3)

    await rollUp(harness)

    expect(await readRolledUp()).toEqual(expected)
    const detached = await rows('select name, day from accounts.ledger_days() where not is_attached')
    for (const { name, day } of detached)
      await rows(
        `alter table accounts.ledger attach partition accounts.${name} for values from ('${day.toISOString()}') to ('${new Date(day.getTime() + 86_400_000).toISOString()}')`,
      )
  })

  it('deletes the daily sum of a day whose calls were all refunded', async () => {
    const made = account('pro')
    await given(made)
    await rows(
      `insert into accounts.ledger (period, request_id, kind, account_id, key_id, endpoint, cost_half, at, day)
       select date_trunc('month', at at time zone 'utc')::date, gen_random_uuid(), 'charge', $1::bigint, 1, 'cves', 2, at,
              (at at time zone 'utc')::date
         from (select now() - interval '2 days' as at) earlier`,
      [made.id],
    )
    const days = () => rows('select from accounts.usage_daily where account_id = $1', [made.id])
    await rollUpBeforeYesterday()
    expect(await days()).toHaveLength(1)

    expect(await refundLate(2, made.id)).toBe(1)
    await rollUp(harness)

    expect(await days()).toHaveLength(0)
  })

  it('waits for a transaction that may still add a charge to a past day, and then counts the charge', async () => {
    const made = account('pro')
    await given(made)
    await forgetRollUp(harness, FIRST_DAY)
    const client = await database.connect()
    await client.query('begin')
    await client.query(
      `insert into accounts.ledger (period, request_id, kind, account_id, key_id, endpoint, cost_half, at, day)
       select date_trunc('month', at at time zone 'utc')::date, gen_random_uuid(), 'charge', ${made.id}, 1, 'cves', 2, at,
              (at at time zone 'utc')::date
         from (select now() - interval '1 day' as at) yesterday`,
    )

    expect(await rollUpPortion(harness)).toBe('waiting')
    await client.query('commit')
    client.release()

    await rollUp(harness)
    expect((await readRolledUp()).filter((line) => line.startsWith(`${made.id} `))).toHaveLength(1)
    expect(await readRolledUp()).toEqual(await sumCompleteDays())
  })

  it('refuses to continue with a day whose table was rewritten after part of it was counted', async () => {
    await forgetRollUp(harness, FIRST_DAY)
    const readState = async () =>
      (await rows('select before_day::text, counted_pages::int from accounts.usage_rolled_up'))[0]
    while ((await readState())?.['counted_pages'] === 0) await rollUpPortion(harness, 1)
    const name = `accounts.ledger_${(await readState())?.['before_day'].replaceAll('-', '_')}`
    await rows(`vacuum full ${name}`)
    await expect(rollUpPortion(harness, 1)).rejects.toThrow(`${name} was rewritten after 1 of its pages were counted`)
  })

  it('does not wait for a transaction that writes to other tables', async () => {
    await forgetRollUp(harness, FIRST_DAY)
    const client = await database.connect()
    await client.query('begin')
    await client.query("insert into accounts.audit (actor, action) values ('a test', 'test')")
    await rollUp(harness)
    await client.query('rollback')
    client.release()
    expect(await readRolledUp()).toEqual(await sumCompleteDays())
  })

  it('returns at once while another node counts, and eight nodes count every row once', async () => {
    await forgetRollUp(harness, FIRST_DAY)
    const client = await database.connect()
    await client.query('begin')
    await client.query('select accounts.roll_up_portion()')
    expect(await rollUpPortion(harness)).toBe('busy')
    await client.query('rollback')
    client.release()

    const countAsNode = async () => {
      for (let result: string | undefined; result !== 'done'; ) result = await rollUpPortion(harness, 2)
    }
    await Promise.all(Array.from({ length: 8 }, countAsNode))
    expect(await readRolledUp()).toEqual(await sumCompleteDays())
  })

  it('may be executed for jobs, but not by an API node; neither may drop the ledger or read its tables', async () => {
    const none = { drops: false, reports: false, audits: false, reads: false }
    expect(
      await rows(`
        select has_function_privilege(role, 'accounts.roll_up_portion(bigint)', 'execute') as rolls_up,
               has_function_privilege(role, 'accounts.detach_ledger_day(integer)', 'execute') as detaches,
               has_function_privilege(role, 'accounts.drop_old_ledger(integer)', 'execute') as drops,
               has_function_privilege(role, 'accounts.usage_between(bigint, date, date)', 'execute') as reports,
               has_function_privilege(role, 'accounts.find_wrong_meters()', 'execute') as audits,
               has_table_privilege(role, 'accounts.usage_daily', 'select') as reads
          from unnest(array['vis_api', 'vis_jobs']) role`),
    ).toEqual([
      { rolls_up: false, detaches: false, ...none },
      { rolls_up: true, detaches: true, ...none },
    ])
  })
})

describe('vis-server usage --by', () => {
  it.each(['day', 'endpoint', 'key'] as const)(
    'returns the same sums by %s before, during and after the roll-up of the month',
    async (by) => {
      const made = account('pro')
      await given(made)
      await makeCalls(harness, made.id, 120)
      const expected = await sumLedger(harness, (entry) => entry.account === made.id && entry.period === month)
      const lines = new Map<string, { calls: number; credits: number }>()
      for (const text of expected) {
        const [, day = '', key = '', endpoint = '', calls, half] =
          /^\S+ (\S+) (\S+) (\S+): (\d+), (\d+)$/.exec(text) ?? []
        const name = { day, key, endpoint }[by]
        const sum = lines.get(name) ?? { calls: 0, credits: 0 }
        lines.set(name, { calls: sum.calls + Number(calls), credits: sum.credits + Number(half) / 2 })
      }
      const report = {
        id: made.id,
        by,
        lines: [...lines].sort().map(([name, sum]) => ({ [by]: name, ...sum })),
        total: {
          calls: [...lines.values()].reduce((sum, { calls }) => sum + calls, 0),
          credits: [...lines.values()].reduce((sum, { credits }) => sum + credits, 0),
        },
      }

      await forgetRollUp(harness, FIRST_DAY)
      expect(await json('usage', made.id, '--by', by)).toEqual(report)
      // Stops within a day that has several pages.
      for (let portion = 0; portion < 6; portion += 1) await rollUpPortion(harness, 1)
      expect(await json('usage', made.id, '--by', by)).toEqual(report)
      await rollUp(harness)
      expect(await json('usage', made.id, '--by', by)).toEqual(report)
    },
  )
})
