import { describe, expect, it } from 'vitest'
import { readDaily, sumLedger } from './ledger-fixtures.ts'
import { openOperatorHarness } from './operator-harness.ts'

const harness = await openOperatorHarness()
const { rows } = harness

describe('accounts.drop_old_ledger', () => {
  const drop = async (...months: readonly number[]) =>
    (await rows(`select accounts.drop_old_ledger(${months.join()}) as name`)).map((row) => row['name'])

  async function createMonth(monthsAgo: number): Promise<string> {
    const [{ first, name, next } = { first: '', name: '', next: '' }] = await rows<
      Record<'first' | 'name' | 'next', string>
    >(
      `select to_char(first, 'YYYY-MM-DD') as first, 'ledger_' || to_char(first, 'YYYY_MM') as name,
              to_char(first + interval '1 month', 'YYYY-MM-DD') as next
         from (select accounts.current_period() - make_interval(months => $1) as first) month`,
      [monthsAgo],
    )
    await rows(
      `create table if not exists accounts.${name} partition of accounts.ledger for values from ('${first}') to ('${next}')`,
    )
    await rows(
      `insert into accounts.ledger (period, request_id, kind, account_id, key_id, endpoint, cost_half, at)
       select $1::date, gen_random_uuid(), 'charge', 1, 1, 'cves', 2, ($1::timestamp at time zone 'utc') + n * interval '7 days'
         from generate_series(0, 3) n`,
      [first],
    )
    return name
  }

  it('drops ledger partitions older than 13 months and keeps their daily sums', async () => {
    const [kept, old, older] = [await createMonth(13), await createMonth(14), await createMonth(15)]
    const before = await sumLedger(harness, () => true)

    expect(await drop()).toEqual([older, old])

    expect(await readDaily(harness)).toEqual(before)
    expect(await rows(`select from accounts.${kept}`)).toHaveLength(4)
    expect(await drop()).toEqual([])
    await rows('select accounts.roll_up_usage()')
    expect(await readDaily(harness)).toEqual(before)
  })

  it('refuses to drop a partition whose daily sums differ from its rows', async () => {
    const name = await createMonth(14)
    await rows(
      `update accounts.${name} set at = at + interval '1 year' where at = (select max(at) from accounts.${name})`,
    )
    await expect(drop()).rejects.toThrow('holds 8 half-credits, but its days add up to 6: refusing to drop it')
    expect(await rows(`select from accounts.${name}`)).toHaveLength(4)
  })

  it('refuses to drop the current month, which still receives refunds', async () => {
    await expect(drop(0)).rejects.toThrow('months must be at least 1, not 0')
  })
})
