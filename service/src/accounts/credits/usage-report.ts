// Reports the usage of an account in the current month, by day, endpoint or key.
import { sql } from 'kysely'
import type { Database } from '../../database/postgres.ts'

export const BREAKDOWNS = ['day', 'endpoint', 'key'] as const
export type Breakdown = (typeof BREAKDOWNS)[number]

export interface UsageLine {
  /** Group of calls: a day as YYYY-MM-DD, an endpoint name or a key id, depending on the breakdown. */
  readonly group: string
  /** Number of charged calls, or of free reads by the console. Refunded calls are not counted. */
  readonly calls: number
  readonly costHalf: number
}

const COLUMNS = {
  day: sql`to_char(day, 'YYYY-MM-DD')`,
  endpoint: sql`endpoint`,
  key: sql`key_id`,
} as const satisfies Record<Breakdown, unknown>

export async function readUsageBy(db: Database, accountId: string, breakdown: Breakdown): Promise<UsageLine[]> {
  const { rows } = await sql<{ group: string; calls: string; cost_half: string }>`
    select ${COLUMNS[breakdown]} as "group", sum(calls) as calls, sum(cost_half) as cost_half
      from accounts.usage_between(${accountId})
     group by 1
    having sum(calls) > 0 or sum(cost_half) > 0
     order by 1
  `.execute(db)
  return rows.map(({ group, calls, cost_half }) => ({ group, calls: Number(calls), costHalf: Number(cost_half) }))
}
