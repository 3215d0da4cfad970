// Checks the mail server before mails are taken, so that an outage is not mistaken for a problem with single addresses
// and uses up no attempts.
import type { MailServer } from './smtp.ts'

export interface ServerCheck {
  /** Opens a connection and signs in. Calls at the same time share one check. */
  isReady(): Promise<boolean>
  /** Checks again if the server did not respond, so that the end of an outage is noticed even if no mail waits. */
  recheck(): Promise<void>
}

/** Calls `onChange` when the mail server stops or begins to respond. */
export function createServerCheck(
  server: Pick<MailServer, 'check'>,
  onChange: (isDelayed: boolean, error?: unknown) => void,
): ServerCheck {
  let isDelayed = false
  let running: Promise<boolean> | undefined
  const check = async () => {
    try {
      await server.check()
      if (isDelayed) onChange(false)
      isDelayed = false
    } catch (error) {
      if (!isDelayed) onChange(true, error)
      isDelayed = true
    }
    return !isDelayed
  }
  const isReady = () => {
    running ??= check().finally(() => {
      running = undefined
    })
    return running
  }
  return {
    isReady,
    recheck: async () => {
      if (isDelayed) await isReady()
    },
  }
}
