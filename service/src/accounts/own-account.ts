// The browser origins and the audit log of the caller's own account.
import { sql } from 'kysely'
import type { Database } from '../database/postgres.ts'
import type { AuditEntry } from './audit.ts'
import { type Credential, translateRefusal } from './keys/credential.ts'

export interface OriginRow {
  readonly origin: string
  /** Null for an origin that was added before the service recorded the time. */
  readonly createdAt: Date | null
}

export async function readOwnOrigins(accounts: Database, { kind, digest }: Credential): Promise<readonly OriginRow[]> {
  const { rows } = await translateRefusal(
    sql<OriginRow>`
      select origin, created_at as "createdAt"
        from accounts.read_origins(${kind}, decode(${digest}, 'hex'))
    `.execute(accounts),
  )
  return rows
}

export async function addOwnOrigin(
  accounts: Database,
  { kind, digest }: Credential,
  origin: string,
): Promise<'done' | 'limit'> {
  const { rows } = await translateRefusal(
    sql<{ outcome: 'done' | 'limit' }>`
      select accounts.add_origin(${kind}, decode(${digest}, 'hex'), ${origin}) as outcome
    `.execute(accounts),
  )
  return rows[0]?.outcome ?? 'limit'
}

export async function removeOwnOrigin(
  accounts: Database,
  { kind, digest }: Credential,
  origin: string,
): Promise<'done' | 'unknown'> {
  const { rows } = await translateRefusal(
    sql<{ outcome: 'done' | 'unknown' }>`
      select accounts.remove_origin(${kind}, decode(${digest}, 'hex'), ${origin}) as outcome
    `.execute(accounts),
  )
  return rows[0]?.outcome ?? 'unknown'
}

export interface OwnAuditEntry extends AuditEntry {
  readonly id: string
  readonly memberId: string | null
}

/** Returns the newest entries before an id, newest first. */
export async function readOwnAudit(
  accounts: Database,
  { kind, digest }: Credential,
  { before, count }: { readonly before: string | undefined; readonly count: number },
): Promise<readonly OwnAuditEntry[]> {
  const { rows } = await translateRefusal(
    sql<OwnAuditEntry>`
      select id, at, actor, action, key_id as "keyId", member_id as "memberId", details
        from accounts.read_audit(${kind}, decode(${digest}, 'hex'), ${before ?? null}, ${count})
    `.execute(accounts),
  )
  return rows
}
