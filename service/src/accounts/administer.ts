// What operators do to accounts and keys. Runs with the owner's connection: the API's role cannot.
import { sql } from 'kysely'
import type { Database } from '../database/postgres.ts'
import type { Plan } from '../domain/plan.ts'
import type { IssuedKey } from './api-key.ts'

export async function createAccount(db: Database, name: string, plan: Plan): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into accounts.account (name, plan)
    values (${name}, ${plan})
    returning id
  `.execute(db)
  return only(rows).id
}

/** `undefined`: there is no such account. */
export async function storeKey(db: Database, accountId: string, issued: IssuedKey): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    insert into accounts.api_key (account_id, digest, prefix, last_four)
    select account.id, ${issued.digest}, ${issued.prefix}, ${issued.lastFour}
      from accounts.account account
     where account.id = ${accountId}
    returning id
  `.execute(db)
  return rows[0]?.id
}

function only<T>(rows: readonly T[]): T {
  const [row] = rows
  if (row === undefined || rows.length !== 1) throw new Error(`expected one row, got ${rows.length}`)
  return row
}
