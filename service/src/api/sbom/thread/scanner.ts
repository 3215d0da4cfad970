// Starts and watches the thread that reads documents. A thread that runs out of memory, or works too long on a document,
// is ended; the next document starts another one.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { SentDocument } from '../../../contract/endpoint.ts'
import { ApiError, unavailable } from '../../../contract/errors.ts'
import type { ScanOptions } from '../scan.ts'
import { type ScanReply, type ScanRequest, type ThreadSettings, toError } from './messages.ts'
import { SCAN_THREAD_FILE, SCAN_THREAD_NAME } from './scan-thread.ts'

export interface Scanner {
  /** Starts the thread if there is none, and waits until it has loaded its code. */
  prepare(): Promise<void>
  /** Scans one document. Must not be called before the previous call has ended. */
  scan(sent: SentDocument, options: ScanOptions): Promise<readonly string[]>
  /** Number of threads that were started since the process started. */
  startedThreads(): number
  close(): Promise<void>
}

export interface ScannerLimits {
  readonly timeLimitMs: number
  readonly heapMegabytes: number
}

/** Less than the time limit of answers (answer.ts), so that the caller gets the more exact error. */
export const SCANNER_LIMITS: ScannerLimits = { timeLimitMs: 9000, heapMegabytes: 256 }

const YOUNG_GENERATION_MB = 32

export function createScanner(settings: ThreadSettings, limits: ScannerLimits = SCANNER_LIMITS): Scanner {
  let [thread, started, isClosed]: [Worker | undefined, number, boolean] = [undefined, 0, false]

  const start = () => {
    started += 1
    const created = new Worker(SCAN_THREAD_FILE, {
      name: SCAN_THREAD_NAME,
      workerData: { name: SCAN_THREAD_NAME, settings },
      resourceLimits: {
        maxOldGenerationSizeMb: limits.heapMegabytes,
        maxYoungGenerationSizeMb: YOUNG_GENERATION_MB,
      },
    })
    // A thread that waits for documents does not keep the process alive.
    created.unref()
    // Without a listener, an error of a thread that waits would end the process.
    created.on('error', () => {})
    created.once('exit', () => {
      if (thread === created) thread = undefined
    })
    return created
  }

  const prepare = async () => {
    if (isClosed) throw unavailable('The node stops.')
    if (thread !== undefined) return thread
    const created = start()
    thread = created
    await waitUntilReady(created)
    return created
  }

  return {
    prepare: async () => {
      await prepare()
    },
    scan: async (sent, options) => {
      const used = await prepare()
      try {
        return await runInThread(used, { sent, options }, limits.timeLimitMs)
      } catch (error) {
        if (error instanceof ThreadEndedError) {
          thread = undefined
          await used.terminate()
          throw error.shown
        }
        throw error
      }
    },
    startedThreads: () => started,
    close: async () => {
      isClosed = true
      await thread?.terminate()
    },
  }
}

/** Maximum time that a thread takes to load its code; on an idle machine it takes less than a second. */
const START_TIMEOUT_MS = 30_000

async function waitUntilReady(thread: Worker): Promise<void> {
  try {
    await once(thread, 'message', { signal: AbortSignal.timeout(START_TIMEOUT_MS) })
  } catch (error) {
    await thread.terminate()
    throw unavailable('The thread that reads documents does not start.', error)
  }
}

/** The thread must be replaced. `shown` is the error that the caller gets. */
class ThreadEndedError extends Error {
  readonly shown: Error

  constructor(shown: Error) {
    super(shown.message)
    this.shown = shown
  }
}

function runInThread(thread: Worker, request: ScanRequest, timeLimitMs: number): Promise<readonly string[]> {
  const { promise, resolve, reject } = Promise.withResolvers<readonly string[]>()
  const onMessage = (reply: ScanReply) => ('pieces' in reply ? resolve(reply.pieces) : reject(toError(reply.failure)))
  const onError = (error: Error) => reject(new ThreadEndedError(describeEnd(error)))
  const onExit = () => reject(new ThreadEndedError(unavailable('The thread that reads documents has ended.')))
  thread.on('message', onMessage).on('error', onError).on('exit', onExit)
  const timer = setTimeout(() => reject(new ThreadEndedError(tookTooLong(timeLimitMs))), timeLimitMs)
  thread.postMessage(request, [request.sent.bytes.buffer])
  return promise.finally(() => {
    clearTimeout(timer)
    thread.off('message', onMessage).off('error', onError).off('exit', onExit)
  })
}

function describeEnd(error: Error): Error {
  if (!('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'))
    return new Error(`the thread that reads documents ended with ${error.name}`)
  return new ApiError(
    'PAYLOAD_TOO_LARGE',
    'The document needs more memory than the service has for one document. Nothing was charged; send it in parts.',
  )
}

function tookTooLong(timeLimitMs: number): ApiError {
  return new ApiError(
    'SERVICE_UNAVAILABLE',
    `The document took longer than ${timeLimitMs / 1000} s. Nothing was charged; send it in parts, or retry.`,
    { headers: { 'Retry-After': '5' } },
  )
}
