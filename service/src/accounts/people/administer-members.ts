// Operations on members and sessions that only operators may perform. account-members.ts has those that accounts may
// perform too.
import { sql } from 'kysely'
import type { Database } from '../../database/postgres.ts'
import type { Role } from '../../domain/account/role.ts'
import { type Operation, recordAction } from '../audit.ts'

export interface AdministeredMember {
  readonly id: string
  readonly accountId: string
  /** Null once the address has been erased. */
  readonly email: string | null
  readonly role: Role
  readonly state: 'invited' | 'active' | 'removed'
  readonly createdAt: Date
  readonly lastSignInDay: string | null
}

const MEMBER_ROW = sql`
  id,
  account_id as "accountId",
  email,
  role,
  case when removed_at is not null then 'removed' when joined_at is null then 'invited' else 'active' end as state,
  created_at as "createdAt",
  last_sign_in_day::text as "lastSignInDay"
`

/** Lists the members of an account, including removed ones. */
export async function listMembers(db: Database, accountId: string): Promise<readonly AdministeredMember[]> {
  const { rows } = await sql<AdministeredMember>`
    select ${MEMBER_ROW} from accounts.member where account_id = ${accountId} order by id
  `.execute(db)
  return rows
}

/**
 * Returns the member and locks its account, so that this change and changes by the account's owners wait for each
 * other.
 */
export async function lockMember({ tx }: Operation, id: string): Promise<AdministeredMember | undefined> {
  await sql`
    select from accounts.account
     where id = (select account_id from accounts.member where id = ${id})
       for no key update
  `.execute(tx)
  const { rows } = await sql<AdministeredMember>`
    select ${MEMBER_ROW} from accounts.member where id = ${id} for no key update
  `.execute(tx)
  return rows[0]
}

/** Removes a member and all data that identifies the person. The audit log keeps the member's id. */
export async function eraseMember(operation: Operation, member: AdministeredMember): Promise<void> {
  await sql`select accounts.end_membership(${member.id})`.execute(operation.tx)
  await sql`
    delete from accounts.mail where email = (select email from accounts.member where id = ${member.id})
  `.execute(operation.tx)
  await sql`
    delete from accounts.sign_in_token where email = (select email from accounts.member where id = ${member.id})
  `.execute(operation.tx)
  await sql`
    update accounts.member set email = null, oidc_issuer = null, oidc_subject = null where id = ${member.id}
  `.execute(operation.tx)
  await recordAction(operation, { action: 'member.erase', accountId: member.accountId, memberId: member.id })
}

export interface AdministeredSession {
  readonly id: string
  readonly memberId: string | null
  readonly keyId: string | null
  readonly method: string
  readonly role: Role
  readonly createdAt: Date
  readonly lastUsedAt: Date
  readonly endsAt: Date
}

export async function listAccountSessions(db: Database, accountId: string): Promise<readonly AdministeredSession[]> {
  const { rows } = await sql<AdministeredSession>`
    select public_id as id, member_id as "memberId", key_id as "keyId", method, role, created_at as "createdAt",
           last_used_at as "lastUsedAt", ends_at as "endsAt"
      from accounts.session_state
     where account_id = ${accountId} and refusal is null
     order by created_at desc, public_id
  `.execute(db)
  return rows
}

interface SessionChoice {
  readonly accountId: string
  /** Limits the operation to this member's sessions, or to the session with this id. */
  readonly memberId?: string | undefined
  readonly sessionId?: string | undefined
}

export async function endAccountSessions(operation: Operation, choice: SessionChoice): Promise<number> {
  const { accountId, memberId, sessionId } = choice
  const { numAffectedRows } = await sql`
    update accounts.session session
       set ended_at = now()
      from accounts.session_state state
     where state.digest = session.digest
       and state.account_id = ${accountId}
       and session.ended_at is null
       and (${memberId ?? null}::bigint is null or state.member_id = ${memberId ?? null})
       and (${sessionId ?? null}::text is null or state.public_id = ${sessionId ?? null})
  `.execute(operation.tx)
  const ended = Number(numAffectedRows ?? 0)
  if (ended > 0)
    await recordAction(operation, {
      action: 'session.end',
      accountId,
      ...(memberId !== undefined && { memberId }),
      details: { ended },
    })
  return ended
}
