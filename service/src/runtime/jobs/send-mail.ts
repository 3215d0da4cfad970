// The work of the queue `mail`. A job names a row in the accounts database, and the row says to whom the mail goes. The
// process renders and sends it with the login vis_identity: it creates the token of the link, which exists only in the
// memory of this process and in the mail.
//
// If a process dies after the mail server has accepted a mail, another one sends it again with the same Message-ID.
import { createTokenWithDigest } from '../../accounts/keys/token.ts'
import { finishMail, HAS_MAIL_WITHOUT_JOB, queueMail, takeMail } from '../../accounts/people/mail-queue.ts'
import type { Database } from '../../database/postgres.ts'
import type { Jobs } from '../../jobs/engine.ts'
import type { Work } from '../../jobs/runner.ts'
import { readErrorCode } from '../../log.ts'
import type { MailServer } from '../mail/smtp.ts'
import { writeMail } from '../mail/texts.ts'
import { MAIL } from './queues.ts'

/** Number of mails that get a job in one transaction. */
const MAX_MAILS_PER_TRANSACTION = 1000
/** A process that dies can have sent one mail that is sent again. */
const CONCURRENT_MAILS = 1

export type MailResult = 'sent' | 'refused' | 'failed'

interface MailOptions {
  readonly jobs: Jobs
  /** The accounts database with the login vis_jobs. */
  readonly accounts: Database
  /** The accounts database with the login vis_identity. */
  readonly identity: Database
  readonly server: MailServer
  readonly buildLink: (token: string) => string
  readonly isServerReady: () => Promise<boolean>
  readonly onMail: (result: MailResult) => void
}

export function createMailWork(options: MailOptions): Work {
  const { jobs, accounts, identity, server, buildLink, isServerReady, onMail } = options
  return {
    queue: MAIL,
    concurrency: CONCURRENT_MAILS,
    rows: {
      exist: HAS_MAIL_WITHOUT_JOB,
      collect: () =>
        accounts.transaction().execute(async (tx) => {
          await jobs.enqueue(tx, MAIL.name, await queueMail(tx, MAX_MAILS_PER_TRANSACTION))
        }),
    },
    isReady: isServerReady,
    run: async ({ subject }) => {
      const { token, digest } = createTokenWithDigest()
      const mail = await takeMail(identity, subject, digest)
      if (!mail) return
      const text = writeMail(mail, buildLink(token))
      const result = await server.send(mail.email, text, mail.messageId).catch((error: unknown) => {
        onMail('failed')
        throw new MailError(readErrorCode(error))
      })
      onMail(result)
      await finishMail(identity, subject)
    },
  }
}

/** Replaces the error of the mail library, which may contain the recipient's e-mail address. */
class MailError extends Error {
  override name = 'MailError'
  readonly code: string

  constructor(code: string) {
    super('the mail could not be sent')
    this.code = code
  }
}
