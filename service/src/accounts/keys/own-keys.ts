// The keys of the caller's own account. The functions of the database check the rights of the credential and write the
// audit row of each change.
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/postgres.ts'
import type { KeyRow } from './administer-keys.ts'
import type { IssuedKey } from './api-key.ts'
import { type Credential, translateRefusal } from './credential.ts'

export interface NewKey {
  readonly name: string
  readonly scopes: readonly string[]
  readonly expiresInDays: number | undefined
  /** Ranges of addresses in CIDR notation. */
  readonly allowedIps: readonly string[]
}

/** `expiry`: the calling key, which the change returns, expires too early for it. */
type CreateOutcome = 'done' | 'limit' | 'scopes' | 'addresses' | 'expiry'
type RotateOutcome = 'done' | 'unknown' | 'inactive' | 'rotated' | 'scopes' | 'addresses' | 'expiry'
type RevokeOutcome = 'done' | 'unknown' | 'last'

/** The outcome of a change of a key, and the keys that the change concerns. */
export interface KeyChange<Outcome> {
  readonly outcome: Outcome
  readonly keys: readonly KeyRow[]
  /** Whole days until `keys[0]` expires, by the clock of the database; null if there is no key or it does not expire. */
  readonly daysLeft: number | null
}

export async function readOwnKeys(accounts: Database, { kind, digest }: Credential): Promise<readonly KeyRow[]> {
  const { rows } = await translateRefusal(
    sql<KeyRow>`
      select ${selectColumns(sql`key`)}
        from accounts.read_keys(${kind}, decode(${digest}, 'hex')) key
    `.execute(accounts),
  )
  return rows
}

export async function createOwnKey(
  accounts: Database,
  { kind, digest }: Credential,
  issued: IssuedKey,
  { name, scopes, expiresInDays, allowedIps }: NewKey,
): Promise<KeyChange<CreateOutcome>> {
  return change(
    accounts,
    sql`accounts.create_key(
      ${kind}, decode(${digest}, 'hex'), ${issued.digest}, ${issued.prefix}, ${issued.lastFour},
      ${name}, ${scopes}, ${expiresInDays ?? null}, ${allowedIps})`,
  )
}

/** Replaces a key. If it is done, the first key is the new one and the second key is the replaced one. */
export async function rotateOwnKey(
  accounts: Database,
  { kind, digest }: Credential,
  issued: IssuedKey,
  { keyId, overlapHours }: { readonly keyId: string; readonly overlapHours: number },
): Promise<KeyChange<RotateOutcome>> {
  return change(
    accounts,
    sql`accounts.rotate_key(
      ${kind}, decode(${digest}, 'hex'), ${keyId}, ${issued.digest}, ${issued.prefix}, ${issued.lastFour},
      ${overlapHours})`,
  )
}

export async function revokeOwnKey(
  accounts: Database,
  { kind, digest }: Credential,
  keyId: string,
): Promise<KeyChange<RevokeOutcome>> {
  return change(accounts, sql`accounts.revoke_key(${kind}, decode(${digest}, 'hex'), ${keyId})`)
}

async function change<Outcome>(accounts: Database, call: RawBuilder<unknown>): Promise<KeyChange<Outcome>> {
  const { rows } = await translateRefusal(
    sql<KeyRow & { readonly outcome: Outcome; readonly daysLeft: number | null }>`
      select change.outcome, ${selectColumns(sql`(change.key)`)},
             floor(extract(epoch from (change.key).expires_at - now()) / 86400)::integer as "daysLeft"
        from ${call} change
    `.execute(accounts),
  )
  const [first] = rows
  if (!first) throw new Error('the change of a key returned no row')
  return { outcome: first.outcome, keys: rows.filter(({ id }) => id !== null), daysLeft: first.daysLeft }
}

/** The columns of accounts.key_state as members of a KeyRow. */
function selectColumns(key: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    ${key}.id, ${key}.account_id as "accountId", ${key}.name, ${key}.prefix, ${key}.last_four as "lastFour",
    ${key}.scopes, ${key}.allowed_ips as "allowedIps", ${key}.state, ${key}.created_at as "createdAt",
    ${key}.expires_at as "expiresAt", ${key}.revoked_at as "revokedAt", ${key}.replaced_by as "replacedBy",
    ${key}.last_used_on::text as "lastUsedOn"
  `
}
