// Handles calls that read documents or match components. It provides memory for bodies, a queue, and two threads: one
// for documents and long matches, one for other matches. Promises settle when the work has ended in its thread, even
// after an abort.
import type { SentDocument } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/response/errors.ts'
import type { MatchCall } from '../../matching/answer/answer.ts'
import type { ScanOptions } from '../../matching/sbom/scan.ts'
import { createMatcher, type Matcher } from '../../matching/sbom/thread/matcher.ts'
import type { ThreadSettings, WorkSize } from '../../matching/sbom/thread/messages.ts'
import { createDocumentQueue, type DocumentTurn, MATCH_QUEUE_LIMITS } from '../../matching/sbom/thread/queue.ts'
import { createScanner } from '../../matching/sbom/thread/scanner.ts'
import { type BodyMemory, createBodyMemory } from './body-memory.ts'

export type ScanDocument = (sent: SentDocument, options: ScanOptions, signal: AbortSignal) => Promise<readonly string[]>
type MatchInThread = (call: MatchCall, signal: AbortSignal) => Promise<readonly string[]>

export interface Documents {
  readonly memory: BodyMemory
  /** Waits for the thread, then calls `prepare`, which reads the document. Throws 503 if the document is refused. */
  take(accountId: string, prepare: Prepare, signal: AbortSignal): Promise<DocumentTurn>
  /** `prepare` estimates the work; long work waits for the document thread. */
  takeForMatch(accountId: string, prepare: Prepare, signal: AbortSignal): Promise<DocumentTurn>
  /** Called before the charge. Throws 400 or 413 if the document cannot be scanned. */
  readonly read: (sent: SentDocument, signal: AbortSignal) => Promise<WorkSize>
  readonly scan: ScanDocument
  /** Throws 400 if the estimated work exceeds what one call may cause. */
  readonly estimate: Matcher['estimate']
  readonly match: MatchInThread
  readonly findCves: Matcher['find']
  counts(): DocumentCounts
  close(): Promise<void>
}

/** Called once the call has its thread, before the charge. Throws if the call cannot be answered. */
type Prepare = () => Promise<WorkSize | undefined>

export interface DocumentCounts {
  readonly waiting: number
  readonly bytes: number
  /** Number of threads started since the process started. */
  readonly threads: number
  /** `rejected`: 400 or 413. `failed`: 503 or 500. `refused`: never read. */
  readonly results: Readonly<Record<'answered' | 'rejected' | 'failed' | 'refused', number>>
}

export interface ThreadsSettings {
  readonly documents: ThreadSettings
  readonly matches: ThreadSettings
}

export function createDocuments(settings: ThreadsSettings): Documents {
  const [memory, scanner, matcher] = [
    createBodyMemory(),
    createScanner(settings.documents),
    createMatcher(settings.matches),
  ]
  const [queue, matchQueue] = [createDocumentQueue(), createDocumentQueue(MATCH_QUEUE_LIMITS)]
  const { results, count } = countResults()
  /** The sizes of calls whose work has been estimated. */
  const sizes = new WeakMap<MatchCall['components'], WorkSize>()
  // The time to start a thread does not count as part of the call.
  const take = (accountId: string, prepare: Prepare, signal: AbortSignal) =>
    takePrepared(() => queue.take(accountId, signal), scanner.prepare, prepare)
  return {
    memory,
    take: async (accountId, prepare, signal) => (await take(accountId, prepare, signal)).turn,
    takeForMatch: async (accountId, prepare, signal) => {
      const small = await takePrepared(() => matchQueue.take(accountId, signal), matcher.prepare, prepare)
      if (small.size !== 'large') return small.turn
      small.turn.end()
      return (await take(accountId, async () => undefined, signal)).turn
    },
    read: async (sent, signal) => {
      await count(scanner.read(sent, signal), 'failure')
      return 'large'
    },
    scan: (sent, options, signal) => count(scanner.scan(sent, options, signal), 'both'),
    estimate: async (components, signal) => {
      const size = await matcher.estimate(components, signal)
      sizes.set(components, size)
      return size
    },
    match: (call, signal) => (sizes.get(call.components) === 'large' ? scanner : matcher).match(call, signal),
    findCves: matcher.find,
    counts: () => {
      const [documents, matches] = [queue.counts(), matchQueue.counts()]
      const refused = documents.refused + matches.refused
      return {
        waiting: documents.waiting + matches.waiting,
        bytes: memory.bytes(),
        threads: scanner.startedThreads() + matcher.startedThreads(),
        results: { ...results, refused },
      }
    },
    close: async () => {
      await Promise.all([scanner.close(), matcher.close()])
    },
  }
}

async function takePrepared(take: () => Promise<DocumentTurn>, start: () => Promise<void>, prepare: Prepare) {
  const turn = await take()
  try {
    await start()
    return { turn, size: await prepare() }
  } catch (error) {
    turn.end()
    throw error
  }
}

function countResults() {
  const results = { answered: 0, rejected: 0, failed: 0 }
  const count = async <T>(work: Promise<T>, counted: 'failure' | 'both'): Promise<T> => {
    try {
      const result = await work
      if (counted === 'both') results.answered += 1
      return result
    } catch (error) {
      results[isCallersFault(error) ? 'rejected' : 'failed'] += 1
      throw error
    }
  }
  return { results, count }
}

function isCallersFault(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 'INVALID_PARAMETER' || error.code === 'PAYLOAD_TOO_LARGE')
}
