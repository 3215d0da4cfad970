// Reads accounts with their plan, usage and number of keys, for operators.
import { sql } from 'kysely'
import type { Database } from '../database/postgres.ts'

export interface AccountRow {
  readonly id: string
  readonly name: string
  readonly plan: string
  readonly limitHalf: number
  readonly usedHalf: number
  readonly createdAt: Date
  readonly suspendedAt: Date | null
  /** Number of the account's keys that are neither revoked nor expired. */
  readonly activeKeys: number
}

export async function listAccounts(db: Database): Promise<AccountRow[]> {
  return readAccounts(db, undefined)
}

export async function findAccount(db: Database, id: string): Promise<AccountRow | undefined> {
  return (await readAccounts(db, id))[0]
}

/** Account row as PostgreSQL returns it: bigint columns are strings. */
type StoredAccount = Omit<AccountRow, 'limitHalf' | 'usedHalf'> & {
  readonly limitHalf: string
  readonly usedHalf: string
}

async function readAccounts(db: Database, id: string | undefined): Promise<AccountRow[]> {
  const { rows } = await sql<StoredAccount>`
    select account.id,
           account.name,
           account.plan,
           account.limit_half as "limitHalf",
           coalesce(meter.used_half, 0) as "usedHalf",
           account.created_at as "createdAt",
           account.suspended_at as "suspendedAt",
           (select count(*)::integer
              from accounts.api_key key
             where key.account_id = account.id
               and key.revoked_at is null
               and (key.expires_at is null or key.expires_at > now())) as "activeKeys"
      from accounts.account account
      left join accounts.meter meter on meter.account_id = account.id and meter.period = accounts.current_period()
     where ${id === undefined ? sql`true` : sql`account.id = ${id}`}
     order by account.id
  `.execute(db)
  return rows.map((row) => ({ ...row, limitHalf: Number(row.limitHalf), usedHalf: Number(row.usedHalf) }))
}
