// Sessions of the web console. The browser holds a random id in a cookie; the database holds only the digest of the id.
// A session expires after 12 hours without use and after 7 days at the latest, according to the database clock.
import { sql } from 'kysely'
import type { Database } from '../../database/postgres.ts'
import type { Role } from '../../domain/account/role.ts'
import { type Caller, type CallerRow, toCaller } from '../keys/find-caller.ts'

export type SessionRefusal = 'ended' | 'expired' | 'revoked' | 'suspended'

type SignInMethod = 'api-key' | 'link' | 'oidc'

export interface SessionCaller extends Caller {
  readonly role: Role
  /** Returns whether the session may be used from an IP address. The API key that was exchanged for it decides. */
  readonly allowsAddress: (address: string) => boolean
}

export interface FoundSession {
  /** The account of the session, and the API key that was exchanged for it: 0 for the session of a member. */
  readonly caller: SessionCaller
  readonly refusal: SessionRefusal | undefined
  readonly expiresInSeconds: number | undefined
}

export interface SessionDescription {
  readonly accountName: string
  readonly plan: string
  readonly role: Role
  readonly method: SignInMethod
  /** The API key that was exchanged for the session; null for the session of a member. */
  readonly keyId: string | null
  readonly keyLastFour: string | null
  readonly memberId: string | null
  readonly memberEmail: string | null
  readonly createdAt: Date
  readonly endsAt: Date
  readonly minuteReads: number
  readonly dayReads: number
  readonly minuteResetsAt: Date
  readonly dayResetsAt: Date
}

/** Also records the use of the session. Returns undefined if there is no such session. */
export async function findSession(accounts: Database, digest: string): Promise<FoundSession | undefined> {
  const { rows } = await sql<CallerRow & { role: Role; refusal: SessionRefusal | null; expires_in_seconds: number }>`
    select account_id, key_id, plan, role, refusal, expires_in_seconds, allowed_ips, admission
      from accounts.use_session(decode(${digest}, 'hex'))
  `.execute(accounts)
  const [row] = rows
  if (!row) return undefined
  return {
    // The browser origins of an account are for calls with a key. The console is served from the service's own origin.
    caller: { ...toCaller(row, { kind: 'session', digest }), origins: [], role: row.role },
    refusal: row.refusal ?? undefined,
    expiresInSeconds: row.expires_in_seconds,
  }
}

/** Returns `refused` for an invalid key, and `too many` if it was exchanged for too many sessions within a minute. */
export async function createSession(
  accounts: Database,
  digest: string,
  keyDigest: string,
): Promise<'created' | 'refused' | 'too many'> {
  const { rows } = await sql<{ result: 'created' | 'refused' | 'too many' }>`
    select accounts.create_session(decode(${digest}, 'hex'), decode(${keyDigest}, 'hex')) as result
  `.execute(accounts)
  return rows[0]?.result ?? 'refused'
}

export async function readSession(accounts: Database, digest: string): Promise<SessionDescription | undefined> {
  const { rows } = await sql<SessionDescription>`
    select account_name as "accountName", plan, role, key_id as "keyId", key_last_four as "keyLastFour",
           created_at as "createdAt", ends_at as "endsAt", minute_reads as "minuteReads", day_reads as "dayReads",
           minute_resets_at as "minuteResetsAt", day_resets_at as "dayResetsAt", method, member_id as "memberId",
           member_email as "memberEmail"
      from accounts.read_session(decode(${digest}, 'hex'))
  `.execute(accounts)
  return rows[0]
}

export async function noteSessionClient(
  accounts: Database,
  digest: string,
  { browser, network }: { readonly browser: string; readonly network: string | undefined },
): Promise<void> {
  await sql`
    select accounts.note_session_client(decode(${digest}, 'hex'), ${browser}, ${network ?? null})
  `.execute(accounts)
}

export async function endSession(accounts: Database, digest: string): Promise<void> {
  await sql`select accounts.end_session(decode(${digest}, 'hex'))`.execute(accounts)
}

export async function endSessions(accounts: Database, digest: string): Promise<number> {
  const { rows } = await sql<{ ended: number }>`
    select accounts.end_sessions(decode(${digest}, 'hex')) as ended
  `.execute(accounts)
  return rows[0]?.ended ?? 0
}

export interface ListedSession {
  /** Identifies the session for `endListedSession`. It is useless as a credential. */
  readonly id: string
  readonly createdAt: Date
  readonly lastUsedAt: Date
  readonly endsAt: Date
  readonly method: SignInMethod
  readonly isCurrent: boolean
  /** Where the session was opened, such as `Firefox on Linux`; null for a session from before this was noted. */
  readonly browser: string | null
  /** A range of addresses. */
  readonly network: string | null
}

export async function listSessions(accounts: Database, digest: string): Promise<readonly ListedSession[]> {
  const { rows } = await sql<ListedSession>`
    select id, created_at as "createdAt", last_used_at as "lastUsedAt", ends_at as "endsAt", method,
           is_current as "isCurrent", browser, network
      from accounts.list_sessions(decode(${digest}, 'hex'))
  `.execute(accounts)
  return rows
}

export async function endListedSession(accounts: Database, digest: string, id: string): Promise<boolean> {
  const { rows } = await sql<{ ended: boolean }>`
    select accounts.end_listed_session(decode(${digest}, 'hex'), ${id}) as ended
  `.execute(accounts)
  return rows[0]?.ended === true
}
