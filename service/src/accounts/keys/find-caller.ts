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
  /** Proof for the database that the credential was shown, for two minutes; empty for a refused credential. */
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
  /** Seconds until the API key expires, according to the database clock; undefined for a key that never expires. */
  readonly expiresInSeconds: number | undefined
}

interface Row {
  readonly key_id: string
  readonly account_id: string
  readonly plan: string
  readonly origins: readonly string[]
  readonly refusal: Refusal | null
  readonly expires_in_seconds: number | null
  readonly scopes: readonly string[]
  readonly allowed_ips: readonly string[]
  readonly admission: string | null
}

/** Returns undefined if no key with this digest was ever issued. */
export async function findCaller(accounts: Database, digest: string): Promise<FoundKey | undefined> {
  const { rows } = await sql<Row>`
    select key_id, account_id, plan, origins, refusal, expires_in_seconds, scopes, allowed_ips, admission
      from accounts.find_caller(decode(${digest}, 'hex'))
  `.execute(accounts)
  const [row] = rows
  if (!row) return undefined
  const plan = parsePlan(row.plan)
  if (!plan) throw new Error(`account ${row.account_id} has the plan ${row.plan}, which this version does not know`)
  return {
    caller: {
      keyId: row.key_id,
      accountId: row.account_id,
      plan,
      origins: row.origins,
      credential: { kind: 'key', digest },
      admission: row.admission ?? '',
      scopes: parseScopes(row.scopes),
      allowsAddress: createAddressCheck(row.allowed_ips),
    },
    refusal: row.refusal ?? undefined,
    expiresInSeconds: row.expires_in_seconds ?? undefined,
  }
}
