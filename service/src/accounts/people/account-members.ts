// The members of an account. Database functions enforce all rules: they check the rights of the credential and write
// the audit row of each change. Operators use them too, with a credential for any account.
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/postgres.ts'
import type { Role } from '../../domain/account/role.ts'
import { type Actor, translateRefusal } from '../keys/credential.ts'

export interface MemberRow {
  readonly id: string
  readonly email: string
  readonly role: Role
  readonly state: 'invited' | 'active'
  readonly createdAt: Date
  /** Last day (UTC) on which the member signed in, such as 2026-08-22; null if the member never did. */
  readonly lastSignInDay: string | null
}

type InviteOutcome = 'done' | 'owner' | 'addresses' | 'expiry' | 'joined' | 'limit' | 'too many'
type ChangeOutcome = 'done' | 'unknown' | 'owner' | 'addresses' | 'expiry' | 'last'

/** The outcome of changing a member, and the member after the change (before it, for a removal). */
export interface MemberChange<Outcome> {
  readonly outcome: Outcome
  readonly member: MemberRow | undefined
}

export async function readAccountMembers(accounts: Database, { kind, digest }: Actor): Promise<readonly MemberRow[]> {
  const { rows } = await translateRefusal(
    sql<MemberRow>`
      select ${selectMemberColumns(sql`member`)}
        from accounts.read_members(${kind}, decode(${digest}, 'hex')) member
    `.execute(accounts),
  )
  return rows
}

/** Invites a person by mail, or with the token of a link that the caller hands over. */
export async function inviteAccountMember(
  accounts: Database,
  { kind, digest }: Actor,
  { email, role, tokenDigest }: { readonly email: string; readonly role: Role; readonly tokenDigest: string | null },
): Promise<MemberChange<InviteOutcome>> {
  return change(
    accounts,
    sql`accounts.invite_member(${kind}, decode(${digest}, 'hex'), ${email}, ${role}, decode(${tokenDigest}, 'hex'))`,
  )
}

/** Changes the role of a member, or removes the member if the role is null. */
export async function changeAccountMember(
  accounts: Database,
  { kind, digest }: Actor,
  memberId: string,
  role: Role | null,
): Promise<MemberChange<ChangeOutcome>> {
  return change(accounts, sql`accounts.change_member(${kind}, decode(${digest}, 'hex'), ${memberId}, ${role})`)
}

async function change<Outcome>(accounts: Database, call: RawBuilder<unknown>): Promise<MemberChange<Outcome>> {
  const { rows } = await translateRefusal(
    sql<MemberRow & { readonly outcome: Outcome }>`
      select change.outcome, ${selectMemberColumns(sql`(change.member)`)}
        from ${call} change
    `.execute(accounts),
  )
  const [row] = rows
  if (!row) throw new Error('the change of a member returned no row')
  return { outcome: row.outcome, member: row.id === null ? undefined : row }
}

export function selectMemberColumns(member: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    ${member}.id, ${member}.email, ${member}.role, ${member}.state, ${member}.created_at as "createdAt",
    ${member}.last_sign_in_day::text as "lastSignInDay"
  `
}
