// Audit log of the changes that operators make to accounts. Each change writes one row, in the same transaction.
import { sql, type Transaction } from 'kysely'
import type { Database } from '../database/postgres.ts'

/** Transaction in which an account is changed, and the operator who makes the change. */
export interface Operation {
  readonly tx: Transaction<unknown>
  /** User name of the operator in the operating system. The audit row also records the database login. */
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
  /** Details for the audit log. They must not contain an API key or its digest. */
  readonly details?: Readonly<Record<string, unknown>>
}

export interface AuditEntry {
  readonly at: Date
  readonly actor: string
  readonly action: string
  readonly keyId: string | null
  readonly details: Readonly<Record<string, unknown>>
}

export async function recordAction({ tx, operator }: Operation, change: Change): Promise<void> {
  await sql`
    insert into accounts.audit (actor, action, account_id, key_id, details)
    values (session_user || ' (' || ${operator}::text || ')',
            ${change.action},
            ${change.accountId},
            ${change.keyId ?? null},
            ${JSON.stringify(change.details ?? {})})
  `.execute(tx)
}

/** Returns the last audited changes of an account, newest first. */
export async function readLastActions(db: Database, accountId: string, count: number): Promise<AuditEntry[]> {
  const { rows } = await sql<AuditEntry>`
    select at, actor, action, key_id as "keyId", details
      from accounts.audit
     where account_id = ${accountId}
     order by at desc, id desc
     limit ${count}
  `.execute(db)
  return rows
}
