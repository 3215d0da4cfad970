import { sql } from 'kysely'
import type { Database } from '../../database/postgres.ts'
import { createAddressCheck } from '../../domain/account/address-range.ts'
import { type Plan, parsePlan } from '../../domain/account/plan.ts'
import { parseScopes, type Scope } from '../../domain/account/scope.ts'
import type { Credential } from './credential.ts'

export interface Caller {
  readonly keyId: string
  readonly accountId: string
  readonly plan: Plan
  readonly origins: readonly string[]
  readonly credential: Credential
  /** Proves to the database, for two minutes, that the credential was presented; empty for a refused credential. */
  readonly admission: string
}

export interface KeyCaller extends Caller {
  readonly scopes: readonly Scope[]
  readonly allowsAddress: (address: string) => boolean
}

type Refusal = 'revoked' | 'expired' | 'suspended'

export interface FoundKey {
  readonly caller: KeyCaller
  readonly refusal: Refusal | undefined
  readonly expiresInSeconds: number | undefined
}

interface Row extends CallerRow {
  readonly origins: readonly string[]
  readonly refusal: Refusal | null
  readonly expires_in_seconds: number | null
  readonly scopes: readonly string[]
}

/** Returns undefined if no key with this digest was ever issued. */
export async function findCaller(accounts: Database, digest: string): Promise<FoundKey | undefined> {
  const { rows } = await sql<Row>`
    select key_id, account_id, plan, origins, refusal, expires_in_seconds, scopes, allowed_ips, admission
      from accounts.find_caller(decode(${digest}, 'hex'))
  `.execute(accounts)
  const [row] = rows
  if (!row) return undefined
  return {
    caller: { ...toCaller(row, { kind: 'key', digest }), origins: row.origins, scopes: parseScopes(row.scopes) },
    refusal: row.refusal ?? undefined,
    expiresInSeconds: row.expires_in_seconds ?? undefined,
  }
}

export interface CallerRow {
  readonly key_id: string
  readonly account_id: string
  readonly plan: string
  readonly allowed_ips: readonly string[]
  readonly admission: string | null
}

/** Builds the properties that callers with an API key and callers with a session have in common. */
export function toCaller(row: CallerRow, credential: Credential) {
  const plan = parsePlan(row.plan)
  if (!plan) throw new Error(`account ${row.account_id} has the plan ${row.plan}, which this version does not know`)
  return {
    keyId: row.key_id,
    accountId: row.account_id,
    plan,
    credential,
    admission: row.admission ?? '',
    allowsAddress: createAddressCheck(row.allowed_ips),
  }
}
