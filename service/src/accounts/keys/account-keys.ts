// The keys of an account. Database functions enforce all rules: they check the rights of the credential and write the
// audit row of each change. Operators use them too, with a credential for any account.
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/postgres.ts'
import type { IssuedKey } from './api-key.ts'
import { type Actor, translateRefusal } from './credential.ts'

/** The parts of an API key that may be shown. They do not reveal the key itself. */
export interface KeyRow {
  readonly id: string
  readonly accountId: string
  readonly name: string | null
  readonly prefix: string
  readonly lastFour: string
  readonly scopes: readonly string[]
  /** Address ranges from which the key may be used; an empty list allows every address. */
  readonly allowedIps: readonly string[]
  readonly state: 'active' | 'expired' | 'revoked'
  readonly createdAt: Date
  readonly expiresAt: Date | null
  readonly revokedAt: Date | null
  readonly replacedBy: string | null
  /** Last day (UTC) on which a node accepted the key, such as 2026-08-22; null if the key was never used. */
  readonly lastUsedOn: string | null
}

export type Expiry = { readonly seconds: number } | { readonly days: number } | { readonly at: Date }

export interface NewKey {
  readonly name?: string | undefined
  readonly scopes: readonly string[]
  readonly expiry?: Expiry | undefined
  readonly allowedIps?: readonly string[]
}

interface Rotation {
  readonly keyId: string
  readonly overlapSeconds: number
  /** Expiry of the new key, if an operator rotates it. Callers cannot choose it. */
  readonly expiry?: Expiry | undefined
}

/** `expiry`: the calling key expires too early for the change. The change then returns the calling key. */
type CreateOutcome = 'done' | 'limit' | 'scopes' | 'addresses' | 'expiry'
type RotateOutcome = 'done' | 'unknown' | 'inactive' | 'rotated' | 'scopes' | 'addresses' | 'expiry'
type RevokeOutcome = 'done' | 'unknown' | 'last'

export interface KeyChange<Outcome> {
  readonly outcome: Outcome
  readonly keys: readonly KeyRow[]
  /**
   * Whole days until `keys[0]` expires, according to the database clock; null if there is no key or it does not expire.
   */
  readonly daysLeft: number | null
}

export async function readAccountKeys(accounts: Database, { kind, digest }: Actor): Promise<readonly KeyRow[]> {
  const { rows } = await translateRefusal(
    sql<KeyRow>`
      select ${selectColumns(sql`key`)}
        from accounts.read_keys(${kind}, decode(${digest}, 'hex')) key
    `.execute(accounts),
  )
  return rows
}

export async function createAccountKey(
  accounts: Database,
  { kind, digest }: Actor,
  issued: IssuedKey,
  { name, scopes, expiry, allowedIps = [] }: NewKey,
): Promise<KeyChange<CreateOutcome>> {
  return change(
    accounts,
    sql`accounts.create_key(
      ${kind}, decode(${digest}, 'hex'), ${issued.digest}, ${issued.prefix}, ${issued.lastFour},
      ${name ?? null}, ${scopes}, ${toExpiryTime(expiry)}, ${allowedIps})`,
  )
}

/** Replaces a key. On success, the first key in the result is the new one and the second is the replaced one. */
export async function rotateAccountKey(
  accounts: Database,
  { kind, digest }: Actor,
  issued: IssuedKey,
  { keyId, overlapSeconds, expiry }: Rotation,
): Promise<KeyChange<RotateOutcome>> {
  return change(
    accounts,
    sql`accounts.rotate_key(
      ${kind}, decode(${digest}, 'hex'), ${keyId}, ${issued.digest}, ${issued.prefix}, ${issued.lastFour},
      make_interval(secs => ${overlapSeconds}), ${toExpiryTime(expiry)})`,
  )
}

/** A key that is already revoked stays unchanged. The audit row contains the reason. */
export async function revokeAccountKey(
  accounts: Database,
  { kind, digest }: Actor,
  keyId: string,
  reason?: 'leaked',
): Promise<KeyChange<RevokeOutcome>> {
  return change(accounts, sql`accounts.revoke_key(${kind}, decode(${digest}, 'hex'), ${keyId}, ${reason ?? null})`)
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

function toExpiryTime(expiry: Expiry | undefined): RawBuilder<unknown> {
  if (!expiry) return sql`null`
  if ('at' in expiry) return sql`${expiry.at}`
  if ('days' in expiry) return sql`now() + make_interval(days => ${expiry.days})`
  return sql`now() + make_interval(secs => ${expiry.seconds})`
}

export function selectColumns(key: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    ${key}.id, ${key}.account_id as "accountId", ${key}.name, ${key}.prefix, ${key}.last_four as "lastFour",
    ${key}.scopes, ${key}.allowed_ips as "allowedIps", ${key}.state, ${key}.created_at as "createdAt",
    ${key}.expires_at as "expiresAt", ${key}.revoked_at as "revokedAt", ${key}.replaced_by as "replacedBy",
    ${key}.last_used_on::text as "lastUsedOn"
  `
}
