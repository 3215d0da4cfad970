// Members for tests, stored without an invitation.
import { createTokenWithDigest } from '../../src/accounts/keys/token.ts'
import { readRows } from './run-statements.ts'

interface TestMember {
  readonly accountId: string
  readonly email: string
  readonly role: string
  /** True for a person who was invited and has not signed in. */
  readonly isInvited?: boolean
  /** True for a person who has joined with a link that another person handed over. */
  readonly isUnconfirmed?: boolean
}

/** Adds a member and returns its id. */
export async function addMember(
  databaseUrl: string,
  { accountId, email, role, isInvited = false, isUnconfirmed = isInvited }: TestMember,
): Promise<string> {
  const [row] = await readRows(
    databaseUrl,
    `insert into accounts.member (account_id, email, role, joined_at, email_confirmed_at)
     values ($1, $2, $3, case when $4 then null else now() end, case when $5 then null else now() end)
     returning id`,
    [accountId, email, role, isInvited, isUnconfirmed],
  )
  return String(row?.id)
}

/** Opens a session for a member and returns its Cookie header. */
export async function openMemberSession(databaseUrl: string, memberId: string): Promise<string> {
  const { token, digest } = createTokenWithDigest()
  await readRows(
    databaseUrl,
    `insert into accounts.session (digest, account_id, member_id, method, role)
     select decode($2, 'hex'), account_id, id, 'link', role from accounts.member where id = $1`,
    [memberId, digest],
  )
  return `vis=${token}`
}

/** Stores a sign-in link for a member, as if it had been sent by mail, and returns its token. */
export async function createLinkToken(databaseUrl: string, memberId: string): Promise<string> {
  const { token, digest } = createTokenWithDigest()
  await readRows(
    databaseUrl,
    `insert into accounts.sign_in_token (digest, purpose, member_id, email, is_mailed, expires_at)
     select decode($2, 'hex'), 'sign-in', id, email, true, now() + interval '15 minutes' from accounts.member where id = $1`,
    [memberId, digest],
  )
  return token
}
