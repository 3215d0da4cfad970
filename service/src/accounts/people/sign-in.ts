// Sign-in of members: with a one-time link, or as a person whom an OpenID Connect provider has identified. Only the
// sign-in process (login vis_identity) may call these functions. The database decides and counts, according to rules
// that only its owner may write (sign-in-rules.ts).
import { sql } from 'kysely'
import type { Database } from '../../database/postgres.ts'

export interface SignInContext {
  readonly sessionDigest: string
  readonly network: string
}

type LinkRefusal = 'unknown' | 'used' | 'expired' | 'removed' | 'elsewhere' | 'suspended'

type SignInRefusal = LinkRefusal | 'identity' | 'domain' | 'no group' | 'too many' | 'too many sign-ups'

export type SignInResult = 'created' | SignInRefusal

/** A person at an OpenID Connect provider, with an e-mail address that the provider has confirmed. */
export interface Identity {
  readonly issuer: string
  readonly subject: string
  readonly email: string
  readonly groups: readonly string[]
}

export interface LinkRequest {
  /** The limit that was reached; null if the mail was queued. */
  readonly reached: 'network' | 'e-mail' | null
  readonly waitSeconds: number
}

/** Queues a mail with a sign-in link. Does the same for known and unknown e-mail addresses. */
export async function requestLink(accounts: Database, email: string, network: string): Promise<LinkRequest> {
  const { rows } = await sql<LinkRequest>`
    select reached, wait_seconds as "waitSeconds" from accounts.request_link(${email}, ${network})
  `.execute(accounts)
  return requireRow(rows)
}

export async function useToken(
  accounts: Database,
  tokenDigest: string,
  { sessionDigest, network }: SignInContext,
): Promise<SignInResult> {
  const { rows } = await sql<{ result: SignInResult }>`
    select accounts.use_token(decode(${tokenDigest}, 'hex'), decode(${sessionDigest}, 'hex'), ${network}) as result
  `.execute(accounts)
  return requireRow(rows).result
}

export type LinkDescription =
  | { readonly refusal: LinkRefusal }
  /** The account name is null if the link would create an account. */
  | { readonly refusal: null; readonly email: string; readonly accountName: string | null }

export async function describeToken(accounts: Database, tokenDigest: string): Promise<LinkDescription> {
  const { rows } = await sql<LinkDescription>`
    select refusal, email, account_name as "accountName"
      from accounts.describe_token(decode(${tokenDigest}, 'hex'))
  `.execute(accounts)
  return requireRow(rows)
}

export async function signInWithIdentity(
  accounts: Database,
  { issuer, subject, email, groups }: Identity,
  { sessionDigest, network }: SignInContext,
): Promise<SignInResult> {
  const { rows } = await sql<{ result: SignInResult }>`
    select accounts.sign_in_with_identity(
             ${issuer}, ${subject}, ${email}, ${groups}, decode(${sessionDigest}, 'hex'), ${network}) as result
  `.execute(accounts)
  return requireRow(rows).result
}

function requireRow<T>(rows: readonly T[]): T {
  const [row] = rows
  if (!row) throw new Error('the function returned no row')
  return row
}
