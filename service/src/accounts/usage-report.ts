// The current month of an account, broken down.
import { sql } from 'kysely'
import type { Database } from '../database/postgres.ts'

export const BREAKDOWNS = ['day', 'endpoint', 'key'] as const
export type Breakdown = (typeof BREAKDOWNS)[number]

export interface UsageLine {
  /** A day as YYYY-MM-DD, the name of an endpoint, or the id of a key. */
  readonly of: string
  /** Calls that were given back do not count. */
  readonly calls: number
  readonly costHalf: number
}

const COLUMNS = {
  day: sql`to_char(day, 'YYYY-MM-DD')`,
  endpoint: sql`endpoint`,
  key: sql`key_id`,
} as const satisfies Record<Breakdown, unknown>

export async function usageBy(db: Database, accountId: string, breakdown: Breakdown): Promise<UsageLine[]> {
  const { rows } = await sql<{ of: string; calls: string; cost_half: string }>`
    select ${COLUMNS[breakdown]} as of, sum(calls) as calls, sum(cost_half) as cost_half
      from accounts.usage_this_month(${accountId})
     group by 1
    having sum(calls) > 0 or sum(cost_half) > 0
     order by 1
  `.execute(db)
  return rows.map((row) => ({ of: row.of, calls: Number(row.calls), costHalf: Number(row.cost_half) }))
}
