import { describe, expect, it } from 'vitest'
import { account } from '../support/builders.ts'
import { forgetRollUp, readDaily, rollUp, sumLedger } from './ledger-fixtures.ts'
import { openOperatorHarness } from './operator-harness.ts'

const harness = await openOperatorHarness()
const { given, rows } = harness
const payer = account('enterprise')
await given(payer)

const drop = async (...months: readonly number[]) =>
  (await rows(`select accounts.drop_old_ledger(${months.join()}) as name`)).map((row) => row['name'])

/** Inserts four charges of 2 half credits, one per week of a past month, and the meter row of that month. */
async function createMonth(monthsAgo: number): Promise<string[]> {
  const made = await rows<{ name: string }>(
    `with charge as (
       insert into accounts.ledger (period, request_id, kind, account_id, key_id, endpoint, cost_half, at, day)
       select first, gen_random_uuid(), 'charge', $2::bigint, 1, 'cves', 2,
              (first + n * 7)::timestamp at time zone 'utc' + interval '5 hours', first + n * 7
         from (select (accounts.current_period() - make_interval(months => $1))::date as first) month, generate_series(0, 3) n
       returning period, account_id, day, cost_half
     ), metered as (
       insert into accounts.meter (account_id, period, used_half)
       select account_id, period, sum(cost_half) from charge group by account_id, period
     )
     select 'ledger_' || to_char(day, 'YYYY_MM_DD') as name from charge order by day`,
    [monthsAgo, payer.id],
  )
  await rows('select accounts.prepare_ledger()')
  return made.map(({ name }) => name)
}

const findWrongMeters = () => rows('select * from accounts.find_wrong_meters()')

describe('accounts.drop_old_ledger', () => {
  it('refuses to drop days that are not summed up', async () => {
    await createMonth(15)
    await forgetRollUp(harness, 500)
    await expect(drop()).rejects.toThrow('is not summed up yet: refusing to drop its ledger')
  })

  it('drops the days of months more than 13 months old and keeps their daily sums', async () => {
    const [kept, old] = [await createMonth(13), await createMonth(14)]
    const before = await sumLedger(harness, () => true)
    await rollUp(harness)
    for (let name: unknown = ''; name !== null; )
      name = (await rows('select accounts.detach_ledger_day() as name'))[0]?.['name']
    expect(await rows('select from accounts.ledger')).toHaveLength(0)
    expect(await findWrongMeters()).toEqual([])

    const dropped = await drop()

    expect(dropped).toHaveLength(8)
    expect(dropped).toEqual(expect.arrayContaining(old))
    expect(await readDaily(harness)).toEqual(before)
    for (const name of kept) expect(await rows(`select from accounts.${name}`)).toHaveLength(1)
    expect(await drop()).toEqual([])
    await rollUp(harness)
    expect(await readDaily(harness)).toEqual(before)
  })

  it('keeps months that find_wrong_meters compares with the daily sums', async () => {
    expect(await findWrongMeters()).toEqual([])
    await rows('update accounts.usage_daily set cost_half = 3 where day = (select min(day) from accounts.usage_daily)')
    expect(await findWrongMeters()).toMatchObject([{ account_id: payer.id, meter_half: '8', ledger_half: '9' }])
  })

  it('refuses to drop a day with a row that was not counted', async () => {
    await rows(
      `insert into accounts.ledger (period, request_id, kind, account_id, key_id, endpoint, cost_half, at, day)
       select first, gen_random_uuid(), 'charge', $1::bigint, 1, 'cves', 2, first::timestamp at time zone 'utc', first + 1
         from (select (accounts.current_period() - interval '14 months')::date as first) month`,
      [payer.id],
    )
    await rows('select accounts.prepare_ledger()')
    await expect(drop()).rejects.toThrow('but 0 rows and 0 half-credits were counted: refusing to drop it')
  })

  it('refuses to drop the current month, which still receives refunds', async () => {
    await expect(drop(0)).rejects.toThrow('months must be at least 1, not 0')
  })
})
