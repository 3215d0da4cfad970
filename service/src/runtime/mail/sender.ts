// Sends the mails in the queue of the accounts database. Every sign-in process does: the first one to take a mail sends
// it, and the others skip it for as long as the lease lasts. If a process dies while sending a mail, another one sends
// it again.
//
// The process creates the token of a link when it sends the mail. The token exists only in the memory of this process
// and in the mail.
import { setTimeout as sleep } from 'node:timers/promises'
import { createTokenWithDigest } from '../../accounts/keys/token.ts'
import {
  finishMail,
  type MailQueue,
  readMailQueue,
  retryMail,
  type TakenMail,
  takeMail,
} from '../../accounts/people/mail-queue.ts'
import type { Database } from '../../database/postgres.ts'
import type { MailServer } from './smtp.ts'
import { writeMail } from './texts.ts'

/** Interval at which a process looks for mails that were queued elsewhere, such as invitations, or are due again. */
const POLL_INTERVAL_MS = 1000
/** Longer than the time limits of one mail added together. */
const LEASE_SECONDS = 60

type MailResult = 'sent' | 'refused' | 'failed'

interface SenderOptions {
  readonly accounts: Database
  readonly server: MailServer
  readonly buildLink: (token: string) => string
  readonly onMail: (result: MailResult) => void
  readonly onError: (error: unknown, message: string) => void
  readonly onRecovery: () => void
}

export interface MailSender {
  start(): void
  wake(): void
  isDelayed(): boolean
  queue(): MailQueue
  /** Waits for the mail that is being sent. The others stay in the queue. */
  stop(): Promise<void>
}

export function createMailSender(options: SenderOptions): MailSender {
  const { accounts, server, onError, onRecovery } = options
  const stopping = new AbortController()
  let wakeUp = new AbortController()
  let isDelayed = false
  let queue: MailQueue = { waiting: 0, oldestSeconds: 0 }

  /**
   * Checks the mail server before any mail is taken, so that an outage is not mistaken for a problem with single
   * addresses.
   */
  const checkServer = async (): Promise<boolean> => {
    try {
      await server.check()
      if (isDelayed) onRecovery()
      isDelayed = false
    } catch (error) {
      if (!isDelayed) onError(error, 'the mail server does not respond: mails wait in the queue')
      isDelayed = true
    }
    return !isDelayed
  }
  const sendWaiting = async () => {
    queue = await readMailQueue(accounts)
    // While mails are delayed, the server is checked even if the queue is empty, so that the delay ends with the
    // outage.
    if ((queue.waiting === 0 && !isDelayed) || !(await checkServer())) return
    while (!stopping.signal.aborted && (await sendNext(options)));
    queue = await readMailQueue(accounts)
  }
  const repeat = async () => {
    while (!stopping.signal.aborted) {
      wakeUp = new AbortController()
      await sendWaiting().catch((error: unknown) => onError(error, 'the queue of mails could not be read; retrying'))
      const signal = AbortSignal.any([stopping.signal, wakeUp.signal])
      await sleep(POLL_INTERVAL_MS, undefined, { ref: false, signal }).catch(() => {})
    }
  }
  let repeated = Promise.resolve()
  return {
    start: () => {
      repeated = repeat()
    },
    wake: () => wakeUp.abort(),
    isDelayed: () => isDelayed,
    queue: () => queue,
    stop: async () => {
      stopping.abort()
      await repeated
    },
  }
}

/** Returns false if no mail is due. */
async function sendNext(options: SenderOptions): Promise<boolean> {
  const { accounts } = options
  const { token, digest } = createTokenWithDigest()
  const mail = await takeMail(accounts, digest, LEASE_SECONDS)
  if (!mail) return false
  const result = await sendTaken(mail, token, options)
  options.onMail(result)
  await (result === 'failed' ? retryMail(accounts, mail.id) : finishMail(accounts, mail.id))
  return true
}

async function sendTaken(mail: TakenMail, token: string, options: SenderOptions): Promise<MailResult> {
  const { server, buildLink, onError } = options
  try {
    return await server.send(mail.email, writeMail(mail, buildLink(token)))
  } catch (error) {
    onError(error, `mail ${mail.id} could not be sent in attempt ${mail.attempts}; retrying`)
    return 'failed'
  }
}
