// Mails that wait to be sent, in the accounts database. A row contains no link: the process that sends the mail creates
// the link's token and stores its digest when it takes the row.
import { sql, type Transaction } from 'kysely'
import type { Database } from '../../database/postgres.ts'

/** The purpose of the link in a mail. A `sign-up` creates an account for an e-mail address that no member has. */
type LinkPurpose = 'invitation' | 'sign-in' | 'sign-up'

export interface TakenMail {
  readonly purpose: LinkPurpose
  readonly email: string
  /** Name of the account; null for a sign-up. */
  readonly accountName: string | null
  /** The same in every attempt to send the mail. */
  readonly messageId: string
}

/** An SQL condition. */
export const HAS_MAIL_WITHOUT_JOB = sql<boolean>`accounts.has_mail_without_job()`

/** Returns the ids of mails without a job. The caller makes their jobs in the same transaction. */
export async function queueMail(tx: Transaction<unknown>, maxMails: number): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`select accounts.queue_mail(${maxMails}) as id`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Stores the digest of the token that will be sent. Returns undefined if the mail is not to be sent any more. */
export async function takeMail(accounts: Database, id: string, tokenDigest: string): Promise<TakenMail | undefined> {
  const { rows } = await sql<TakenMail>`
    select purpose, email, account_name as "accountName", message_id as "messageId"
      from accounts.take_mail(${id}, decode(${tokenDigest}, 'hex'))
  `.execute(accounts)
  return rows[0]
}

export async function finishMail(accounts: Database, id: string): Promise<void> {
  await sql`select accounts.finish_mail(${id})`.execute(accounts)
}
