import type { SentDocument } from '../../../contract/endpoint.ts'
import type { MatchCall } from '../../answer/answer.ts'
import type { ScanOptions } from '../scan.ts'
import type { ThreadSettings } from './messages.ts'
import { createThread, type Thread, type ThreadLimits } from './thread.ts'

export interface Scanner extends Omit<Thread, 'run'> {
  /** Transfers the document's bytes to the thread. Throws 400 or 413 if it cannot be scanned. */
  readonly read: (sent: SentDocument, signal: AbortSignal) => Promise<void>
  /** Reads the document again if another one has been read since. Calls must not overlap. */
  readonly scan: (sent: SentDocument, options: ScanOptions, signal: AbortSignal) => Promise<readonly string[]>
  /** Matches components that need the thread to themselves. */
  readonly match: (call: MatchCall, signal: AbortSignal) => Promise<readonly string[]>
}

/** Shorter than the time limit for answers (register.ts), so that the caller gets the more specific error. */
export const SCANNER_LIMITS: ThreadLimits = { timeLimitMs: 9000, heapMegabytes: 256, abortGraceMs: 250 }

export function createScanner(settings: ThreadSettings, limits: ThreadLimits = SCANNER_LIMITS): Scanner {
  const { run, ...thread } = createThread(settings, limits)
  let lastRead: SentDocument | undefined
  const read = async (sent: SentDocument, signal: AbortSignal) => {
    lastRead = undefined
    await run({ kind: 'read', sent }, signal, [sent.bytes.buffer])
    lastRead = sent
  }
  return {
    ...thread,
    read,
    scan: async (sent, options, signal) => {
      if (lastRead !== sent) await read(sent, signal)
      lastRead = undefined
      return (await run({ kind: 'scan', options }, signal)).pieces
    },
    match: async (call, signal) => (await run({ kind: 'match', call }, signal)).pieces,
  }
}
