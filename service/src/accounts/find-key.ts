import { sql } from 'kysely'
import type { Database } from '../database/postgres.ts'
import { type Plan, parsePlan } from '../domain/plan.ts'

export interface Caller {
  readonly keyId: string
  readonly accountId: string
  readonly plan: Plan
}

/** Why a key that once was good is refused. */
export type Refusal = 'revoked' | 'expired'

/** `undefined`: no such key was ever issued. */
export async function findKey(db: Database, digest: Buffer): Promise<Caller | Refusal | undefined> {
  const { rows } = await sql<{ key_id: string; account_id: string; plan: string; refusal: Refusal | null }>`
    select key_id, account_id, plan, refusal
      from accounts.find_key(${digest})
  `.execute(db)
  const [row] = rows
  if (!row) return undefined
  if (row.refusal) return row.refusal
  const plan = parsePlan(row.plan)
  if (!plan) throw new Error(`account ${row.account_id} has the plan ${row.plan}, which this version does not know`)
  return { keyId: row.key_id, accountId: row.account_id, plan }
}
