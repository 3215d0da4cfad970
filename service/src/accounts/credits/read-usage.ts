import { sql } from 'kysely'
import type { Database } from '../../database/postgres.ts'
import { type Credential, translateRefusal } from '../keys/credential.ts'

export interface Usage {
  readonly plan: string
  readonly limitHalf: number
  readonly usedHalf: number
  readonly resetAt: Date
}

interface Row {
  readonly plan: string
  readonly limit_half: string
  readonly used_half: string
  readonly reset_at: Date
}

/** Every charge updates the meter row, so the result includes the last charge. */
export async function readUsage(accounts: Database, accountId: string): Promise<Usage> {
  const { rows } = await sql<Row>`
    select plan, limit_half, used_half, reset_at
      from accounts.read_usage(${accountId})
  `.execute(accounts)
  return toUsage(rows[0])
}

export async function readUsageOfCaller(accounts: Database, { kind, digest }: Credential): Promise<Usage> {
  const { rows } = await translateRefusal(
    sql<Row>`
      select plan, limit_half, used_half, reset_at
        from accounts.read_own_usage(${kind}, decode(${digest}, 'hex'))
    `.execute(accounts),
  )
  return toUsage(rows[0])
}

function toUsage(row: Row | undefined): Usage {
  if (!row) throw new Error('the account does not exist')
  return { plan: row.plan, limitHalf: Number(row.limit_half), usedHalf: Number(row.used_half), resetAt: row.reset_at }
}
