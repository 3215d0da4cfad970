// Operations on API keys that only operators may perform. account-keys.ts has those that accounts may perform too.
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/postgres.ts'
import { SCOPES, type Scope } from '../../domain/account/scope.ts'
import { type Operation, recordAction } from '../audit.ts'
import { type KeyRow, selectColumns } from './account-keys.ts'

export async function listKeys(db: Database, accountId: string): Promise<readonly KeyRow[]> {
  const { rows } = await sql<KeyRow>`
    select ${selectColumns(sql`key`)}
      from accounts.key_state key
     where key.account_id = ${accountId}
     order by key.id
  `.execute(db)
  return rows
}

/** Returns the API key and locks its account, so that the key's state cannot change until the transaction ends. */
export async function lockKey(operation: Operation, id: string): Promise<KeyRow | undefined> {
  return lockOne(operation, sql`id = ${id}`)
}

export async function lockKeyByDigest(operation: Operation, digest: Buffer): Promise<KeyRow | undefined> {
  return lockOne(operation, sql`digest = ${digest}`)
}

async function lockOne({ tx }: Operation, condition: RawBuilder<unknown>): Promise<KeyRow | undefined> {
  await sql`
    select from accounts.account
     where id = (select account_id from accounts.api_key where ${condition})
       for no key update
  `.execute(tx)
  const { rows } = await sql<KeyRow>`
    select ${selectColumns(sql`key`)}
      from accounts.key_state key
     where key.id = (select id from accounts.api_key where ${condition})
  `.execute(tx)
  return rows[0]
}

export async function grantScopes(operation: Operation, key: KeyRow, scopes: readonly Scope[]): Promise<boolean> {
  if (SCOPES.every((scope) => key.scopes.includes(scope) === scopes.includes(scope))) return false
  await sql`update accounts.api_key set scopes = ${scopes} where id = ${key.id}`.execute(operation.tx)
  await recordAction(operation, {
    action: 'key.grant',
    accountId: key.accountId,
    keyId: key.id,
    details: { scopes, scopes_before: key.scopes },
  })
  return true
}
