import { describe, expect, it } from 'vitest'
import { account } from '../support/builders.ts'
import { makeCalls, readDaily, sumLedger } from './ledger-fixtures.ts'
import { openOperatorHarness } from './operator-harness.ts'

const harness = await openOperatorHarness()
const { database, given, json, rows } = harness

const rollUp = async () => (await rows<{ days: number }>('select accounts.roll_up_usage() as days'))[0]?.days
const [{ today, month } = { today: '', month: '' }] = await rows<{ today: string; month: string }>(
  "select to_char(now() at time zone 'utc', 'YYYY-MM-DD') as today, to_char(accounts.current_period(), 'YYYY-MM-DD') as month",
)

const sumCompleteDays = () => sumLedger(harness, ({ day }) => day < today)
const readRolledUp = () => readDaily(harness)

describe('accounts.roll_up_usage', () => {
  it('sums up the usage of every complete UTC day, independent of the time zone of the session', async () => {
    const [one, other] = [account('pro'), account('pro')]
    await given(one, other)
    await makeCalls(harness, one.id, 300)
    await makeCalls(harness, other.id, 100)
    const client = await database.connect()
    await client.query("set timezone = 'Pacific/Auckland'")

    await client.query('select accounts.roll_up_usage()')
    client.release(true)

    const expected = await sumCompleteDays()
    expect(expected.length).toBeGreaterThan(50)
    expect(await readRolledUp()).toEqual(expected)
  })

  it('changes no rows when the roll-up is repeated', async () => {
    const versions = () => rows('select xmin, ctid, day, calls from accounts.usage_daily order by ctid')
    const before = await versions()
    expect(await rollUp()).toBeGreaterThanOrEqual(2)
    expect(await versions()).toEqual(before)
  })

  it.each([1, 2, 3, 8])('subtracts a late refund from the day of its charge, %i days earlier', async (age) => {
    const late = await rows(
      `insert into accounts.ledger
       select period, request_id, 'refund', account_id, key_id, endpoint, cost_half, now()
         from accounts.ledger charge
        where kind = 'charge'
          and (at at time zone 'utc')::date = (now() at time zone 'utc')::date - $1::int
          and not exists (select from accounts.ledger refund where refund.request_id = charge.request_id and refund.kind = 'refund')
        limit 3
       returning request_id`,
      [age],
    )
    const before = await readRolledUp()

    await rollUp()

    expect(late).toHaveLength(3)
    expect(await readRolledUp()).not.toEqual(before)
    expect(await readRolledUp()).toEqual(await sumCompleteDays())
  })

  it('deletes the daily sum of a day whose calls were all refunded', async () => {
    const made = account('pro')
    await given(made)
    await rows(
      `insert into accounts.ledger (period, request_id, kind, account_id, key_id, endpoint, cost_half, at)
       select date_trunc('month', at at time zone 'utc')::date, gen_random_uuid(), 'charge', $1::bigint, 1, 'cves', 2, at
         from (select now() - interval '1 day' as at) yesterday`,
      [made.id],
    )
    const days = () => rows('select from accounts.usage_daily where account_id = $1', [made.id])
    await rollUp()
    expect(await days()).toHaveLength(1)
    await rows(
      `insert into accounts.ledger
       select period, request_id, 'refund', account_id, key_id, endpoint, cost_half, now()
         from accounts.ledger where account_id = $1`,
      [made.id],
    )
    await rollUp()
    expect(await days()).toHaveLength(0)
  })

  it('also sums up earlier days on which the roll-up was not run', async () => {
    await rows('update accounts.usage_rolled_up set before_day = before_day - 6')
    await rows("delete from accounts.usage_daily where day >= (now() at time zone 'utc')::date - 6")
    expect(await rollUp()).toBeGreaterThanOrEqual(8)
    expect(await readRolledUp()).toEqual(await sumCompleteDays())
  })

  it('returns at once while another node runs the roll-up', async () => {
    const client = await database.connect()
    await client.query('begin')
    await client.query('select accounts.roll_up_usage()')
    expect(await rollUp()).toBe(0)
    await client.query('rollback')
    client.release()

    await rows('delete from accounts.usage_daily')
    await rows('delete from accounts.usage_rolled_up')
    await Promise.all(Array.from({ length: 8 }, rollUp))
    expect(await readRolledUp()).toEqual(await sumCompleteDays())
  })

  it('may be executed by the API role, which may neither drop the ledger nor read its tables', async () => {
    expect(
      await rows(`
        select has_function_privilege('vis_api', 'accounts.roll_up_usage()', 'execute') as rolls_up,
               has_function_privilege('vis_api', 'accounts.drop_old_ledger(integer)', 'execute') as drops,
               has_function_privilege('vis_api', 'accounts.usage_this_month(bigint)', 'execute') as reports,
               has_table_privilege('vis_api', 'accounts.usage_daily', 'select') as reads,
               has_table_privilege('vis_api', 'accounts.net_charge', 'select') as sees`),
    ).toEqual([{ rolls_up: true, drops: false, reports: false, reads: false, sees: false }])
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

      await rows('delete from accounts.usage_rolled_up')
      expect(await json('usage', made.id, '--by', by)).toEqual(report)
      await rollUp()
      expect(await json('usage', made.id, '--by', by)).toEqual(report)
      await rows('update accounts.usage_rolled_up set before_day = before_day - 3')
      expect(await json('usage', made.id, '--by', by)).toEqual(report)
    },
  )
})
