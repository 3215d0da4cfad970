// The usage of the caller's own account in a period, by day, endpoint and key.
import { sql } from 'kysely'
import type { Database } from '../../database/postgres.ts'
import { type Credential, translateRefusal } from '../keys/credential.ts'
import type { Breakdown } from './usage-report.ts'

export interface UsagePeriod {
  /** First day as YYYY-MM-DD; by default, the first day of the month of `to`. */
  readonly from: string | undefined
  /** Last day as YYYY-MM-DD; by default, today according to the database clock. */
  readonly to: string | undefined
}

interface UsageRow {
  readonly day: string | null
  readonly endpoint: string | null
  readonly keyId: string | null
  readonly calls: number
  readonly costHalf: number
}

export interface OwnUsage {
  readonly from: string
  readonly to: string
  readonly rows: readonly UsageRow[]
}

const COLUMNS = {
  day: { type: sql`date`, value: sql`usage.day` },
  endpoint: { type: sql`text`, value: sql`usage.endpoint` },
  key: { type: sql`bigint`, value: sql`usage.key_id` },
} as const satisfies Record<Breakdown, unknown>

/** Uses one statement, so that a month's sum equals the credits used at one moment. A dimension not in `by` is null. */
export async function readOwnUsage(
  accounts: Database,
  { kind, digest }: Credential,
  { from, to }: UsagePeriod,
  by: readonly Breakdown[],
  maxRows: number,
): Promise<OwnUsage> {
  const select = (name: Breakdown) => (by.includes(name) ? COLUMNS[name].value : sql`null::${COLUMNS[name].type}`)
  const { rows } = await translateRefusal(
    sql<UsageRow & { from: string; to: string; calls: string | null; costHalf: string }>`
      with period as materialized (
        select coalesce(${from ?? null}::date, date_trunc('month', chosen.last_day::timestamp)::date) as first_day,
               chosen.last_day
          from (select coalesce(${to ?? null}::date, (now() at time zone 'utc')::date) as last_day) chosen
      ), line as (
        select ${select('day')} as day, ${select('endpoint')} as endpoint, ${select('key')} as key_id,
               sum(usage.calls) as calls, sum(usage.cost_half) as cost_half
          from period
         cross join lateral accounts.read_usage_between(
                 ${kind}, decode(${digest}, 'hex'), period.first_day, period.last_day) usage
         group by 1, 2, 3
        having sum(usage.calls) <> 0 or sum(usage.cost_half) <> 0
         order by 1, 2, 3
         limit ${maxRows + 1}
      )
      select to_char(period.first_day, 'YYYY-MM-DD') as "from", to_char(period.last_day, 'YYYY-MM-DD') as "to",
             to_char(line.day, 'YYYY-MM-DD') as day, line.endpoint, line.key_id as "keyId",
             line.calls, line.cost_half as "costHalf"
        from period
        left join line on true
       order by line.day, line.endpoint, line.key_id
    `.execute(accounts),
  )
  const [first] = rows
  return {
    from: first?.from ?? '',
    to: first?.to ?? '',
    rows: rows
      .filter(({ calls }) => calls !== null)
      .map((row) => ({ ...row, calls: Number(row.calls), costHalf: Number(row.costHalf) })),
  }
}
