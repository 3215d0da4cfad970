// Audit log of the changes that operators make to accounts. Each change writes one row, in the same transaction.
// Accounts change their own keys and origins through database functions, which write their own rows.
import { sql, type Transaction } from 'kysely'
import type { Database } from '../database/postgres.ts'

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
  | 'key.grant'
  | 'member.invite'
  | 'member.role'
  | 'member.remove'
  | 'member.erase'
  | 'session.end'

interface Change {
  readonly action: Action
  readonly accountId: string
  readonly keyId?: string
  readonly memberId?: string
  /**
   * Details for the audit log. They must not contain an API key, its digest or an e-mail address, because an address
   * can be erased.
   */
  readonly details?: Readonly<Record<string, unknown>>
}

export interface AuditEntry {
  readonly at: Date
  readonly actor: string
  readonly action: string
  readonly keyId: string | null
  readonly memberId: string | null
  readonly details: Readonly<Record<string, unknown>>
}

export async function recordAction({ tx, operator }: Operation, change: Change): Promise<void> {
  await sql`
    insert into accounts.audit (actor, action, account_id, key_id, member_id, details)
    values (session_user || ' (' || ${operator}::text || ')',
            ${change.action},
            ${change.accountId},
            ${change.keyId ?? null},
            ${change.memberId ?? null},
            ${JSON.stringify(change.details ?? {})})
  `.execute(tx)
}

export interface AuditRow extends AuditEntry {
  readonly id: string
  readonly accountId: string | null
}

/**
 * Returns the largest id up to which no further rows can appear. Ids are assigned before a transaction commits, so a
 * row with a smaller id may become visible later; the lock waits until all transactions that have added a row are over.
 */
export async function readLastCompleteId(db: Database): Promise<string> {
  return db.transaction().execute(async (tx) => {
    await sql`lock table accounts.audit in share mode`.execute(tx)
    const { rows } = await sql<{ last: string }>`select coalesce(max(id), 0) as last from accounts.audit`.execute(tx)
    return rows[0]?.last ?? '0'
  })
}

interface AuditRange {
  readonly after: string
  readonly last: string
  readonly accountId: string | undefined
  readonly count: number
}

export async function readActionsAfter(db: Database, range: AuditRange): Promise<AuditRow[]> {
  const { after, last, accountId, count } = range
  const { rows } = await sql<AuditRow>`
    select id, at, actor, action, account_id as "accountId", key_id as "keyId", member_id as "memberId", details
      from accounts.audit
     where id > ${after}
       and id <= ${last}
       and (${accountId ?? null}::bigint is null or account_id = ${accountId ?? null})
     order by id
     limit ${count}
  `.execute(db)
  return rows
}

export async function readLastActions(db: Database, accountId: string, count: number): Promise<AuditEntry[]> {
  const { rows } = await sql<AuditEntry>`
    select at, actor, action, key_id as "keyId", member_id as "memberId", details
      from accounts.audit
     where account_id = ${accountId}
     order by at desc, id desc
     limit ${count}
  `.execute(db)
  return rows
}
