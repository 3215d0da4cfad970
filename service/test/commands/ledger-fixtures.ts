// Inserts ledger rows of past calls and adds them up in TypeScript, to check the sums that the database computes.
import type { OperatorHarness } from './operator-harness.ts'

interface Entry {
  readonly id: string
  readonly kind: 'charge' | 'refund'
  readonly account: string
  readonly key: string
  readonly endpoint: string
  readonly half: number
  readonly day: string
  readonly period: string
  /** Day on which the row was written. */
  readonly writtenOn: string
}

/**
 * Adds up the ledger rows: returns the number of calls and half credits by account, day, key and endpoint, as text.
 * `isIncluded` selects charges, and `isRefundIncluded` selects refunds.
 */
export async function sumLedger(
  { rows }: OperatorHarness,
  isIncluded: (entry: Entry) => boolean,
  isRefundIncluded: (entry: Entry) => boolean = () => true,
): Promise<string[]> {
  const ledger = await rows<Entry>(`
    select request_id as id, kind, account_id as account, key_id as key, endpoint, cost_half as half,
           to_char(at at time zone 'utc', 'YYYY-MM-DD') as day, to_char(period, 'YYYY-MM-DD') as period,
           to_char(day, 'YYYY-MM-DD') as "writtenOn"
      from accounts.ledger`)
  const refunds = new Map(
    ledger.filter((each) => each.kind === 'refund' && isRefundIncluded(each)).map((each) => [each.id, each.half]),
  )
  const sums = new Map<string, { calls: number; half: number }>()
  for (const charge of ledger.filter((each) => each.kind === 'charge' && isIncluded(each))) {
    const name = `${charge.account} ${charge.day} ${charge.key} ${charge.endpoint}`
    const sum = sums.get(name) ?? { calls: 0, half: 0 }
    sum.calls += refunds.has(charge.id) ? 0 : 1
    sum.half += charge.half - (refunds.get(charge.id) ?? 0)
    sums.set(name, sum)
  }
  return [...sums]
    .filter(([, { calls }]) => calls > 0)
    .map(([name, { calls, half }]) => `${name}: ${calls}, ${half}`)
    .sort()
}

export async function readDaily({ rows }: OperatorHarness): Promise<string[]> {
  const daily = await rows(`
    select account_id || ' ' || to_char(day, 'YYYY-MM-DD') || ' ' || key_id || ' ' || endpoint || ': ' || calls || ', ' || cost_half as line
      from accounts.usage_daily`)
  return daily.map((row) => row['line']).sort()
}

/**
 * Inserts calls of the last nine days, some of them refunded up to a day later, and two calls around each midnight.
 * Each row has the day on which it would have been written, and rows of past days get partitions.
 */
export async function makeCalls({ rows }: OperatorHarness, accountId: string, count: number): Promise<void> {
  await rows(
    `with moment as (
       select now() - n % 100 * interval '9 days' / 100 as at, n from generate_series(1, $1::int) n
        union all
       select (date_trunc('day', now() at time zone 'utc') - n * interval '1 day') at time zone 'utc' - side, n
         from generate_series(0, 8) n, unnest(array['0', '1 microsecond']::interval[]) side
     ), charge as (
       insert into accounts.ledger (period, request_id, kind, account_id, key_id, endpoint, cost_half, at, day)
       select date_trunc('month', at at time zone 'utc')::date, gen_random_uuid(), 'charge', $2::bigint, 1 + n % 3,
              (array['cves', 'cve', 'batch'])[1 + n % 2], (array[1, 2, 10, 70])[1 + n % 4], at, (at at time zone 'utc')::date
         from moment
       returning *
     )
     insert into accounts.ledger (period, request_id, kind, account_id, key_id, endpoint, cost_half, at, day)
     select period, request_id, 'refund', account_id, key_id, endpoint, cost_half, late.at, (late.at at time zone 'utc')::date
       from charge
      cross join lateral (select least(now(), charge.at + charge.cost_half * interval '20 minutes') as at) late
      where request_id::text < '4'`,
    [count, accountId],
  )
  await rows('select accounts.prepare_ledger()')
}

/** Makes the database forget all daily sums, as if the roll-up had not run since a past day. */
export async function forgetRollUp({ rows }: OperatorHarness, days: number): Promise<void> {
  await rows('delete from accounts.usage_daily')
  await rows('delete from accounts.ledger_day')
  await rows(
    `update accounts.usage_rolled_up
        set before_day = (now() at time zone 'utc')::date - $1::int, counted_pages = 0`,
    [days],
  )
}

/** Counts the next portion of the ledger, at most the given number of 8 kB pages. */
export async function rollUpPortion({ rows }: OperatorHarness, maxPages = 65_536): Promise<string | undefined> {
  return (await rows<{ result: string }>('select accounts.roll_up_portion($1) as result', [maxPages]))[0]?.result
}

/** Counts portions as an API node does, until nothing is left to count. Returns the number of counted portions. */
export async function rollUp(harness: OperatorHarness, maxPages?: number): Promise<number> {
  for (let portions = 0; ; portions += 1) {
    const result = await rollUpPortion(harness, maxPages)
    if (result === 'done') return portions
    if (result !== 'counted') throw new Error(`the roll-up stopped after ${portions} portions: ${result}`)
  }
}
