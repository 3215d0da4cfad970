// The browser origins and the audit log of the caller's own account.
import { sql } from 'kysely'
import type { Database } from '../database/postgres.ts'
import type { AuditEntry } from './audit.ts'
import { type Actor, type Credential, translateRefusal } from './keys/credential.ts'

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
  credential: Credential,
  origin: string,
): Promise<'done' | 'limit'> {
  return (await changeOrigins(accounts, credential, [origin], [])) === 'limit' ? 'limit' : 'done'
}

export async function removeOwnOrigin(
  accounts: Database,
  credential: Credential,
  origin: string,
): Promise<'done' | 'unknown'> {
  return (await changeOrigins(accounts, credential, [], [origin])) === 'done' ? 'done' : 'unknown'
}

/** If `removed` is null, all origins that are not in `added` are removed. */
export async function changeOrigins(
  accounts: Database,
  { kind, digest }: Actor,
  added: readonly string[],
  removed: readonly string[] | null,
): Promise<'done' | 'unchanged' | 'limit'> {
  const { rows } = await translateRefusal(
    sql<{ outcome: 'done' | 'unchanged' | 'limit' }>`
      select accounts.change_origins(${kind}, decode(${digest}, 'hex'), ${added}, ${removed}) as outcome
    `.execute(accounts),
  )
  const [row] = rows
  if (!row) throw new Error('the change of origins returned no row')
  return row.outcome
}

export interface OwnAuditEntry extends AuditEntry {
  readonly id: string
  readonly memberId: string | null
}

export interface AuditFilter {
  /** `key:<id>`, `member:<id>` or `operator`. */
  readonly actor: string | undefined
  /** Parts of actions before the dot, such as `member`. */
  readonly kinds: readonly string[] | undefined
  readonly from: Date | undefined
  /** Before this time. */
  readonly to: Date | undefined
}

export async function readOwnAudit(
  accounts: Database,
  { kind, digest }: Credential,
  { before, count }: { readonly before: string | undefined; readonly count: number },
  { actor, kinds, from, to }: AuditFilter,
): Promise<readonly OwnAuditEntry[]> {
  const { rows } = await translateRefusal(
    sql<OwnAuditEntry>`
      select id, at, actor, action, key_id as "keyId", member_id as "memberId", details
        from accounts.read_audit(${kind}, decode(${digest}, 'hex'), ${before ?? null}, ${count}, ${actor ?? null},
                                 ${kinds ?? null}, ${from ?? null}, ${to ?? null})
    `.execute(accounts),
  )
  return rows
}
