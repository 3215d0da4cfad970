import { sql } from 'kysely'
import type { Database } from '../database/postgres.ts'

export interface Usage {
  readonly plan: string
  readonly limitHalf: number
  readonly usedHalf: number
  readonly resetAt: Date
}

/**
 * Reads the usage of an account from its meter row. Every charge updates that row, so the result includes the last
 * charge.
 */
export async function readUsage(accounts: Database, accountId: string): Promise<Usage> {
  const { rows } = await sql<{ plan: string; limit_half: string; used_half: string; reset_at: Date }>`
    select plan, limit_half, used_half, reset_at
      from accounts.read_usage(${accountId})
  `.execute(accounts)
  const [row] = rows
  if (!row) throw new Error(`account ${accountId} does not exist`)
  return { plan: row.plan, limitHalf: Number(row.limit_half), usedHalf: Number(row.used_half), resetAt: row.reset_at }
}
