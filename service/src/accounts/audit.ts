// What operators did: one row for each change, in the transaction of the change itself.
import { sql, type Transaction } from 'kysely'
import type { Database } from '../database/postgres.ts'

/** A change under way, and who makes it. */
export interface Operation {
  readonly tx: Transaction<unknown>
  /** The operating system's user; the database adds its own login. */
  readonly operator: string
}

type Action =
  | 'account.create'
  | 'account.set-plan'
  | 'account.set-quota'
  | 'account.suspend'
  | 'account.resume'
  | 'account.origins'
  | 'key.issue'
  | 'key.rotate'
  | 'key.revoke'

interface Change {
  readonly action: Action
  readonly accountId: string
  readonly keyId?: string
  /** Never a key, nor its digest. */
  readonly details?: Readonly<Record<string, unknown>>
}

export interface AuditEntry {
  readonly at: Date
  readonly actor: string
  readonly action: string
  readonly keyId: string | null
  readonly details: Readonly<Record<string, unknown>>
}

export async function record({ tx, operator }: Operation, change: Change): Promise<void> {
  await sql`
    insert into accounts.audit (actor, action, account_id, key_id, details)
    values (session_user || ' (' || ${operator}::text || ')',
            ${change.action},
            ${change.accountId},
            ${change.keyId ?? null},
            ${JSON.stringify(change.details ?? {})})
  `.execute(tx)
}

/** Newest first. */
export async function lastActions(db: Database, accountId: string, count: number): Promise<AuditEntry[]> {
  const { rows } = await sql<AuditEntry>`
    select at, actor, action, key_id as "keyId", details
      from accounts.audit
     where account_id = ${accountId}
     order by at desc, id desc
     limit ${count}
  `.execute(db)
  return rows
}
