// The mail queue in the accounts database. A row contains no link: the process that sends the mail creates the link's
// token and stores its digest when it takes the row.
import { sql } from 'kysely'
import type { Database } from '../../database/postgres.ts'

/** The purpose of the link in a mail. A `sign-up` creates an account for an e-mail address that no member has. */
type LinkPurpose = 'invitation' | 'sign-in' | 'sign-up'

export interface TakenMail {
  readonly id: string
  readonly purpose: LinkPurpose
  readonly email: string
  /** Name of the account; null for a sign-up. */
  readonly accountName: string | null
  readonly attempts: number
}

/** Stores the digest of the token that will be sent. After `leaseSeconds`, another process may take the mail again. */
export async function takeMail(
  accounts: Database,
  tokenDigest: string,
  leaseSeconds: number,
): Promise<TakenMail | undefined> {
  const { rows } = await sql<TakenMail>`
    select mail_id as id, purpose, email, account_name as "accountName", attempts
      from accounts.take_mail(decode(${tokenDigest}, 'hex'), ${leaseSeconds})
  `.execute(accounts)
  return rows[0]
}

export async function finishMail(accounts: Database, id: string): Promise<void> {
  await sql`select accounts.finish_mail(${id})`.execute(accounts)
}

/** Schedules another attempt to send the mail, after a pause that grows with each attempt. */
export async function retryMail(accounts: Database, id: string): Promise<void> {
  await sql`select accounts.retry_mail(${id})`.execute(accounts)
}

export interface MailQueue {
  readonly waiting: number
  readonly oldestSeconds: number
}

export async function readMailQueue(accounts: Database): Promise<MailQueue> {
  const { rows } = await sql<MailQueue>`
    select waiting, oldest_seconds as "oldestSeconds" from accounts.read_mail_queue()
  `.execute(accounts)
  return rows[0] ?? { waiting: 0, oldestSeconds: 0 }
}
