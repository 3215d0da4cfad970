import { describe, expect, it } from 'vitest'
import { addUp, readDaily } from './ledger.ts'
import { openOffice } from './office.ts'

const office = await openOffice()
const { rows } = office

describe('Dropping the old ledger', () => {
  const drop = async (...months: readonly number[]) =>
    (await rows(`select accounts.drop_old_ledger(${months.join()}) as name`)).map((row) => row['name'])

  async function monthsAgo(count: number): Promise<string> {
    const [{ first, name, next } = { first: '', name: '', next: '' }] = await rows<
      Record<'first' | 'name' | 'next', string>
    >(
      `select to_char(first, 'YYYY-MM-DD') as first, 'ledger_' || to_char(first, 'YYYY_MM') as name,
              to_char(first + interval '1 month', 'YYYY-MM-DD') as next
         from (select accounts.current_period() - make_interval(months => $1) as first) month`,
      [count],
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

  it('drops what is older than 13 months, and its days stay', async () => {
    const [kept, old, older] = [await monthsAgo(13), await monthsAgo(14), await monthsAgo(15)]
    const before = await addUp(office, () => true)

    expect(await drop()).toEqual([older, old])

    expect(await readDaily(office)).toEqual(before)
    expect(await rows(`select from accounts.${kept}`)).toHaveLength(4)
    expect(await drop()).toEqual([])
    await rows('select accounts.roll_up_usage()')
    expect(await readDaily(office)).toEqual(before)
  })

  it('refuses what its days do not add up to', async () => {
    const name = await monthsAgo(14)
    await rows(
      `update accounts.${name} set at = at + interval '1 year' where at = (select max(at) from accounts.${name})`,
    )
    await expect(drop()).rejects.toThrow('holds 8 half-credits, but its days add up to 6: refusing to drop it')
    expect(await rows(`select from accounts.${name}`)).toHaveLength(4)
  })

  it('keeps the months to which refunds still go', async () => {
    await expect(drop(0)).rejects.toThrow('months must be at least 1, not 0')
  })
})
