// Handles errors that no code caught, in an API node and in a worker. After such an error the state of the process is
// unknown: the process takes no new work, completes the work that it has begun, and exits with code 1, so that its
// supervisor starts a new process.
import { inspect } from 'node:util'
import type { Log } from '../log.ts'

export interface UncaughtErrors {
  readonly first: Promise<void>
  readonly hasOccurred: boolean
}

/** Time after the first uncaught error at which the process exits, even if its work is not complete. */
const EXIT_DEADLINE_MS = 30_000
const MAX_MESSAGE_LENGTH = 2000

/** Only the first uncaught error stops the process; further ones, which may follow from it, are only logged. */
export function watchForUncaughtErrors(log: Log): UncaughtErrors {
  const { promise: first, resolve } = Promise.withResolvers<void>()
  let hasOccurred = false
  const handle = (error: unknown) => {
    log.fatal({ err: describeError(error) }, 'uncaught error: the process completes its work and ends with exit code 1')
    if (hasOccurred) return
    hasOccurred = true
    setTimeout(() => process.exit(1), EXIT_DEADLINE_MS).unref()
    resolve()
  }
  process.on('uncaughtException', handle)
  process.on('unhandledRejection', handle)
  return {
    first,
    get hasOccurred() {
      return hasOccurred
    },
  }
}

/** Describes a thrown value. Other properties of an error are left out: they may be large, such as a database client. */
function describeError(thrown: unknown): { type: string; message: string; stack?: string | undefined } {
  if (!(thrown instanceof Error)) return { type: typeof thrown, message: cut(inspect(thrown, { depth: 1 })) }
  return { type: thrown.name, message: cut(thrown.message), stack: thrown.stack && cut(thrown.stack) }
}

const cut = (text: string) => text.slice(0, MAX_MESSAGE_LENGTH)
