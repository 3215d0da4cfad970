// Sign-in requests, which API nodes forward to the sign-in process through a table in the accounts database. A node may
// add a request and fetch its answer by the request's random id; it cannot read other requests.
import { sql } from 'kysely'
import { DatabaseError } from 'pg'
import type { Database } from '../../database/postgres.ts'

export type IdentityRequestKind = 'link' | 'token' | 'description' | 'oidc-start' | 'oidc-finish'

/** SQLSTATE with which the database refuses a request because too many are waiting. */
const TOO_MANY = 'VI005'

export interface IdentityStatus {
  /** `delayed` while a mail waits longer than usual for its first attempt; null if no mails are sent. */
  readonly mail: 'normal' | 'delayed' | null
  readonly oidcName: string | null
  readonly allowsSignUp: boolean
  readonly ageSeconds: number
}

export interface TakenRequest {
  readonly id: string
  readonly kind: IdentityRequestKind
  readonly parameters: unknown
}

interface NewRequest {
  readonly id: string
  readonly kind: IdentityRequestKind
  readonly parameters: Readonly<Record<string, unknown>>
  readonly waitSeconds: number
}

export async function addRequest(accounts: Database, request: NewRequest): Promise<boolean> {
  const { id, kind, parameters, waitSeconds } = request
  try {
    await sql`
      select accounts.ask_identity(${id}, ${kind}, ${JSON.stringify(parameters)}::jsonb, ${waitSeconds})
    `.execute(accounts)
    return true
  } catch (error) {
    if (error instanceof DatabaseError && error.code === TOO_MANY) return false
    throw error
  }
}

/** Returns and deletes the answer; null while there is none. */
export async function takeAnswer(accounts: Database, id: string): Promise<unknown> {
  const { rows } = await sql<{ answer: unknown }>`
    select accounts.take_identity_answer(${id}) as answer
  `.execute(accounts)
  return rows[0]?.answer ?? null
}

export async function readIdentityStatus(accounts: Database): Promise<IdentityStatus | undefined> {
  const { rows } = await sql<IdentityStatus>`
    select mail, oidc_name as "oidcName", allows_sign_up as "allowsSignUp", age_seconds as "ageSeconds"
      from accounts.read_identity_status()
  `.execute(accounts)
  return rows[0]
}

export async function takeRequests(accounts: Database, maxRequests: number): Promise<readonly TakenRequest[]> {
  const { rows } = await sql<TakenRequest>`
    select id, kind, parameters from accounts.take_identity_requests(${maxRequests})
  `.execute(accounts)
  return rows
}

export async function answerRequest(accounts: Database, id: string, answer: unknown): Promise<void> {
  await sql`select accounts.answer_identity_request(${id}, ${JSON.stringify(answer)}::jsonb)`.execute(accounts)
}

export async function reportIdentity(
  accounts: Database,
  { sendsMail, oidcName }: { readonly sendsMail: boolean; readonly oidcName: string | null },
): Promise<void> {
  await sql`select accounts.report_identity(${sendsMail}, ${oidcName})`.execute(accounts)
}
