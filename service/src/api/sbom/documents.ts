// What the request flow needs to answer calls with documents: memory for their bodies, turns, and the scan itself.
import type { SentDocument } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
import type { ScanOptions } from './scan.ts'
import { type BodyMemory, createBodyMemory } from './thread/body-memory.ts'
import type { ThreadSettings } from './thread/messages.ts'
import { createDocumentQueue, type DocumentTurn } from './thread/queue.ts'
import { createScanner } from './thread/scanner.ts'

export type ScanDocument = (sent: SentDocument, options: ScanOptions) => Promise<readonly string[]>

export interface Documents {
  readonly memory: BodyMemory
  /** Waits until a thread is ready and free for a document of the account. Throws 503 if the document is refused. */
  take(accountId: string): Promise<DocumentTurn>
  readonly scan: ScanDocument
  counts(): DocumentCounts
  close(): Promise<void>
}

export interface DocumentCounts {
  readonly waiting: number
  /** Bytes of all documents in memory. */
  readonly bytes: number
  /** Threads that were started since the process started. */
  readonly threads: number
  /** Documents by result: answered, rejected (400 or 413), failed (503 or 500), refused (never read). */
  readonly results: Readonly<Record<'answered' | 'rejected' | 'failed' | 'refused', number>>
}

export function createDocuments(settings: ThreadSettings): Documents {
  const [memory, queue, scanner] = [createBodyMemory(), createDocumentQueue(), createScanner(settings)]
  let [answered, rejected, failed] = [0, 0, 0]
  return {
    memory,
    take: async (accountId) => {
      const turn = await queue.take(accountId)
      try {
        // The time that a new thread takes to start does not count as time of the document.
        await scanner.prepare()
        return turn
      } catch (error) {
        turn.end()
        throw error
      }
    },
    scan: async (sent, options) => {
      try {
        const pieces = await scanner.scan(sent, options)
        answered += 1
        return pieces
      } catch (error) {
        if (isCallersFault(error)) rejected += 1
        else failed += 1
        throw error
      }
    },
    counts: () => {
      const { waiting, refused } = queue.counts()
      const results = { answered, rejected, failed, refused }
      return { waiting, bytes: memory.bytes(), threads: scanner.startedThreads(), results }
    },
    close: () => scanner.close(),
  }
}

function isCallersFault(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 'INVALID_PARAMETER' || error.code === 'PAYLOAD_TOO_LARGE')
}
