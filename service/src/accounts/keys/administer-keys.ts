// Changes that operators make to API keys. All times come from the database clock, which also decides when a key
// expires.
import { sql } from 'kysely'
import type { Database } from '../../database/postgres.ts'
import { SCOPES, type Scope } from '../../domain/account/scope.ts'
import { formatInstant } from '../../domain/instant.ts'
import { type Operation, recordAction } from '../audit.ts'
import type { IssuedKey } from './api-key.ts'

const DEFAULT_SCOPES: readonly Scope[] = ['read']

/** Expiry of an API key: a number of seconds from now, or a fixed time. */
export type Expiry = { readonly seconds: number } | { readonly at: Date }

/** The parts of an API key that may be shown. They do not reveal the key itself. */
export interface KeyRow {
  readonly id: string
  readonly accountId: string
  /** Null for a key that was issued without a name. */
  readonly name: string | null
  readonly prefix: string
  readonly lastFour: string
  readonly scopes: readonly string[]
  /** Ranges of addresses from which the key may be used; an empty list allows every address. */
  readonly allowedIps: readonly string[]
  readonly state: 'active' | 'expired' | 'revoked'
  readonly createdAt: Date
  readonly expiresAt: Date | null
  readonly revokedAt: Date | null
  /** Id of the key that a rotation created in place of this one. */
  readonly replacedBy: string | null
  /** Last day (UTC) on which a node accepted the key, such as 2026-08-22; null if the key was never used. */
  readonly lastUsedOn: string | null
}

const KEY_ROW = sql`
  id,
  account_id as "accountId",
  name,
  prefix,
  last_four as "lastFour",
  scopes,
  allowed_ips::text[] as "allowedIps",
  case when revoked_at is not null then 'revoked'
       when expires_at <= now() then 'expired'
       else 'active'
  end as state,
  created_at as "createdAt",
  expires_at as "expiresAt",
  revoked_at as "revokedAt",
  replaced_by as "replacedBy",
  (select last_used_on::text from accounts.key_use where key_id = api_key.id) as "lastUsedOn"
`

export async function listKeys(db: Database, accountId: string): Promise<KeyRow[]> {
  const { rows } = await sql<KeyRow>`
    select ${KEY_ROW}
      from accounts.api_key
     where account_id = ${accountId}
     order by id
  `.execute(db)
  return rows
}

/** Returns the API key and locks its row, so that the key's state cannot change until the transaction ends. */
export async function lockKey({ tx }: Operation, id: string): Promise<KeyRow | undefined> {
  const { rows } = await sql<KeyRow>`
    select ${KEY_ROW}
      from accounts.api_key
     where id = ${id}
       for update
  `.execute(tx)
  return rows[0]
}

/** Returns the API key with this digest and locks its row. */
export async function lockKeyByDigest({ tx }: Operation, digest: Buffer): Promise<KeyRow | undefined> {
  const { rows } = await sql<KeyRow>`
    select ${KEY_ROW}
      from accounts.api_key
     where digest = ${digest}
       for update
  `.execute(tx)
  return rows[0]
}

/** Name, scopes and expiry of a new API key. */
export interface KeyTerms {
  readonly name?: string | undefined
  /** Without scopes, the key can read and nothing else. */
  readonly scopes?: readonly Scope[] | undefined
  readonly expiry?: Expiry | undefined
}

/** Stores a new API key. The account that owns the key must exist. */
export async function storeKey(
  operation: Operation,
  accountId: string,
  issued: IssuedKey,
  terms: KeyTerms = {},
): Promise<KeyRow> {
  const { name = null, scopes = DEFAULT_SCOPES, expiry } = terms
  const key = await insertKey(operation, accountId, issued, { name, scopes, allowedIps: [], expiry })
  await recordAction(operation, {
    action: 'key.issue',
    accountId,
    keyId: key.id,
    details: { ...(key.name !== null && { name: key.name }), scopes: key.scopes, ...renderExpiry(key) },
  })
  return key
}

/** Replaces the scopes of an API key. Returns the key unchanged if it has these scopes already. */
export async function grantScopes(operation: Operation, key: KeyRow, scopes: readonly Scope[]): Promise<KeyRow> {
  if (SCOPES.every((scope) => key.scopes.includes(scope) === scopes.includes(scope))) return key
  const changed = requireOneRow(
    await sql<KeyRow>`
      update accounts.api_key
         set scopes = ${scopes}
       where id = ${key.id}
      returning ${KEY_ROW}
    `.execute(operation.tx),
  )
  await recordAction(operation, {
    action: 'key.grant',
    accountId: key.accountId,
    keyId: key.id,
    details: { scopes, scopes_before: key.scopes },
  })
  return changed
}

/**
 * Stores a new API key in place of an old one, with the same name, scopes and addresses. The old key expires after the
 * overlap, or at its own expiry if that is earlier. A key that was rotated before must not be rotated again.
 */
export async function rotateKey(
  operation: Operation,
  old: KeyRow,
  issued: IssuedKey,
  { overlapSeconds, expiry }: { readonly overlapSeconds: number; readonly expiry: Expiry | undefined },
): Promise<{ readonly old: KeyRow; readonly replacement: KeyRow }> {
  const replacement = await insertKey(operation, old.accountId, issued, { ...old, expiry })
  const ending = requireOneRow(
    await sql<KeyRow>`
      update accounts.api_key
         set expires_at = least(expires_at, now() + make_interval(secs => ${overlapSeconds})),
             replaced_by = ${replacement.id}
       where id = ${old.id}
      returning ${KEY_ROW}
    `.execute(operation.tx),
  )
  await recordAction(operation, {
    action: 'key.rotate',
    accountId: old.accountId,
    keyId: old.id,
    details: { replaced_by: replacement.id, ...renderExpiry(ending) },
  })
  return { old: ending, replacement }
}

/** Revokes an API key. A key that is already revoked stays unchanged. The audit row contains the reason. */
export async function revokeKey(operation: Operation, key: KeyRow, reason?: 'leaked'): Promise<KeyRow> {
  if (key.revokedAt) return key
  const revoked = requireOneRow(
    await sql<KeyRow>`
      update accounts.api_key
         set revoked_at = now()
       where id = ${key.id}
      returning ${KEY_ROW}
    `.execute(operation.tx),
  )
  const details = reason === undefined ? {} : { reason }
  await recordAction(operation, { action: 'key.revoke', accountId: key.accountId, keyId: key.id, details })
  return revoked
}

interface StoredTerms extends Pick<KeyRow, 'name' | 'scopes' | 'allowedIps'> {
  readonly expiry: Expiry | undefined
}

async function insertKey(
  { tx }: Operation,
  accountId: string,
  { digest, prefix, lastFour }: IssuedKey,
  { name, scopes, allowedIps, expiry }: StoredTerms,
): Promise<KeyRow> {
  return requireOneRow(
    await sql<KeyRow>`
      insert into accounts.api_key (account_id, digest, prefix, last_four, name, scopes, allowed_ips, expires_at)
      values (${accountId}, ${digest}, ${prefix}, ${lastFour}, ${name}, ${scopes}, ${allowedIps}::text[]::cidr[],
              ${toExpiryTime(expiry)})
      returning ${KEY_ROW}
    `.execute(tx),
  )
}

function toExpiryTime(expiry: Expiry | undefined) {
  if (!expiry) return sql`null`
  return 'at' in expiry ? sql`${expiry.at}` : sql`now() + make_interval(secs => ${expiry.seconds})`
}

function renderExpiry({ expiresAt }: KeyRow) {
  return expiresAt ? { expires_at: formatInstant(expiresAt) } : {}
}

function requireOneRow<T>({ rows }: { readonly rows: readonly T[] }): T {
  const [row] = rows
  if (row === undefined || rows.length !== 1) throw new Error(`expected one row, got ${rows.length}`)
  return row
}
