// Charges and refunds of past days, and a comparison of the ledger with the daily sums of the roll-up.
import type { Query } from './setup.ts'

/** A fifth of the calls is refunded, some of them on the next day. */
export async function storeCalls(query: Query, days: number, callsPerDay: number): Promise<void> {
  await query(
    `with charge as (
       insert into accounts.ledger (period, request_id, kind, account_id, key_id, endpoint, cost_half, at, day)
       select date_trunc('month', at)::date, gen_random_uuid(), 'charge', 1 + n % 7, 1 + n % 3,
              (array['cves', 'cve', 'batch'])[1 + n % 2], (array[1, 2, 10, 70])[1 + n % 4], at at time zone 'utc', at::date
         from (
                select day_nr, n, date_trunc('day', now() at time zone 'utc') - day_nr * interval '1 day'
                                  + n * interval '1 day' / ($2::int + 1) as at
                  from generate_series(1, $1::int) as day_nr, generate_series(1, $2::int) as n
              ) as moment
       returning *
     )
     insert into accounts.ledger (period, request_id, kind, account_id, key_id, endpoint, cost_half, at, day)
     select period, request_id, 'refund', account_id, key_id, endpoint, cost_half, late, (late at time zone 'utc')::date
       from (select charge.*, least(now(), at + interval '3 hours') as late from charge) as charged
      where request_id::text < '3333'`,
    [days, callsPerDay],
  )
  await query('select accounts.prepare_ledger()')
  await query('analyze accounts.ledger')
}

/** Forgets all daily sums, as if the roll-up had not run since the first stored day. */
export async function forgetRollUp(query: Query, days: number): Promise<void> {
  await query('delete from accounts.usage_daily')
  await query('delete from accounts.ledger_day')
  await query(
    `update accounts.usage_rolled_up set before_day = (now() at time zone 'utc')::date - $1::int, counted_pages = 0`,
    [days],
  )
}

export async function isRolledUp(query: Query): Promise<boolean> {
  const rows = await query("select from accounts.usage_rolled_up where before_day >= (now() at time zone 'utc')::date")
  return rows.length > 0
}

/** Counts the daily sums that differ from the ledger, and the days of which not each row was counted once. */
export async function countWrongSums(query: Query): Promise<number> {
  const [wrong] = await query<{ count: number }>(`
    with entry as (
      select ledger.* from accounts.ledger, accounts.usage_rolled_up where ledger.day < before_day
    ), expected as (
      select charge.account_id, charge.key_id, charge.endpoint, (charge.at at time zone 'utc')::date as day,
             count(*) - count(refund.request_id) as calls,
             sum(charge.cost_half - coalesce(refund.cost_half, 0))::bigint as cost_half
        from entry charge
        left join entry refund on refund.request_id = charge.request_id and refund.kind = 'refund'
       where charge.kind = 'charge'
       group by 1, 2, 3, 4
      having count(*) > count(refund.request_id)
    ), sum_difference as (
      (table expected except select account_id, key_id, endpoint, day, calls, cost_half from accounts.usage_daily)
       union all
      (select account_id, key_id, endpoint, day, calls, cost_half from accounts.usage_daily except table expected)
    ), day_difference as (
      select from (select day, count(*) as entries from entry group by day) stored
        full join (select day, sum(entries)::bigint as entries from accounts.ledger_day group by day) counted using (day)
       where stored.entries is distinct from counted.entries
    )
    select (select count(*) from sum_difference)::integer + (select count(*) from day_difference)::integer as count
  `)
  return wrong?.count ?? Number.NaN
}
