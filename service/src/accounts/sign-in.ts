// Sign-in of members: with a one-time link, or as a person whom an OpenID Connect provider has identified. The database
// decides and counts, so that all nodes together keep the limits.
import { sql } from 'kysely'
import type { Database } from '../database/postgres.ts'
import { PLANS } from '../domain/plan.ts'
import type { Role } from '../domain/role.ts'

/** Rules for people who belong to no account. */
export interface SignUpRule {
  readonly isOpen: boolean
  /** Maximum number of accounts that one network, or all e-mails of one domain, may create within a day. */
  readonly maxPerNetwork: number
  readonly maxPerDomain: number
}

/** The client of a sign-in, and the rules for sign-ups. */
export interface SignInContext {
  /** Digest of the id of the session that is to be opened. */
  readonly sessionDigest: string
  /** Network of the client, by which sign-ups are counted. */
  readonly network: string
  readonly signUp: SignUpRule
}

/** Why a link opens no session. */
type LinkRefusal = 'unknown' | 'used' | 'expired' | 'removed' | 'elsewhere' | 'suspended'

/** Why no session was opened. */
type SignInRefusal = LinkRefusal | 'identity' | 'no group' | 'too many' | 'too many sign-ups'

export type SignInResult = 'created' | SignInRefusal

/** A person at an OpenID Connect provider, with an e-mail that the provider has confirmed. */
export interface Identity {
  readonly issuer: string
  readonly subject: string
  readonly email: string
  /** The account that the person joins because of his or her groups, and the role there. */
  readonly membership: { readonly accountId: string; readonly role: Role } | undefined
}

interface LinkRequest {
  /** The limit that was reached; null if the mail was queued. */
  readonly reached: 'network' | 'e-mail' | null
  readonly waitSeconds: number
}

/** Queues a mail with a sign-in link. Does the same for known and unknown e-mails. */
export async function requestLink(accounts: Database, email: string, network: string): Promise<LinkRequest> {
  const { rows } = await sql<LinkRequest>`
    select reached, wait_seconds as "waitSeconds" from accounts.request_link(${email}, ${network})
  `.execute(accounts)
  return requireRow(rows)
}

/** Opens a session with the token of a one-time link. */
export async function useToken(
  accounts: Database,
  tokenDigest: string,
  { sessionDigest, network, signUp }: SignInContext,
): Promise<SignInResult> {
  const { rows } = await sql<{ result: SignInResult }>`
    select accounts.use_token(
             decode(${tokenDigest}, 'hex'), decode(${sessionDigest}, 'hex'), ${network}, ${renderRule(signUp)}) as result
  `.execute(accounts)
  return requireRow(rows).result
}

/** Who would be signed in by a one-time link, or the reason why nobody would be. */
export type LinkDescription =
  | { readonly refusal: LinkRefusal }
  /** The account is null if the link would create one. */
  | { readonly refusal: null; readonly email: string; readonly accountName: string | null }

/** Describes a one-time link without using it. */
export async function describeToken(
  accounts: Database,
  tokenDigest: string,
  { isOpen }: SignUpRule,
): Promise<LinkDescription> {
  const { rows } = await sql<LinkDescription>`
    select refusal, email, account_name as "accountName"
      from accounts.describe_token(decode(${tokenDigest}, 'hex'), ${isOpen})
  `.execute(accounts)
  return requireRow(rows)
}

/** Opens a session for a person whom the provider has identified. */
export async function signInWithIdentity(
  accounts: Database,
  { issuer, subject, email, membership }: Identity,
  { sessionDigest, network, signUp }: SignInContext,
): Promise<SignInResult> {
  const { rows } = await sql<{ result: SignInResult }>`
    select accounts.sign_in_with_identity(
             ${issuer}, ${subject}, ${email}, decode(${sessionDigest}, 'hex'), ${membership?.accountId ?? null},
             ${membership?.role ?? null}, ${network}, ${renderRule(signUp)}) as result
  `.execute(accounts)
  return requireRow(rows).result
}

function renderRule({ isOpen, maxPerNetwork, maxPerDomain }: SignUpRule) {
  return sql`${isOpen}, ${PLANS.free.monthlyCredits * 2}, ${maxPerNetwork}, ${maxPerDomain}`
}

function requireRow<T>(rows: readonly T[]): T {
  const [row] = rows
  if (!row) throw new Error('the function returned no row')
  return row
}
