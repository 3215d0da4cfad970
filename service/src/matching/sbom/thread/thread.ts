// Runs tasks in one thread. A task that is aborted or takes too long is told to end. If it does not end soon, or if the
// thread runs out of memory, the thread is terminated and the next task starts a new one.
//
// The promise of a task settles when the task has ended in the thread, not when it is aborted.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { ApiError, unavailable } from '../../../contract/response/errors.ts'
import {
  type ThreadReply,
  type ThreadRequest,
  type ThreadResults,
  type ThreadSettings,
  type ThreadWork,
  toError,
} from './messages.ts'
import { SCAN_THREAD_FILE, SCAN_THREAD_NAME } from './scan-thread.ts'

export interface ThreadLimits {
  readonly timeLimitMs: number
  readonly heapMegabytes: number
  /**
   * Time within which an aborted task must end. Work that cannot be interrupted, such as JSON.parse, uses part of it.
   */
  readonly abortGraceMs: number
}

interface Done<Result> {
  readonly result: Result
  readonly pieces: readonly string[]
}

export interface Thread {
  /** Starts the thread if there is none, and waits until it has loaded its code. */
  readonly prepare: () => Promise<void>
  /** Rejects with the signal's reason if it aborted. */
  readonly run: <Work extends ThreadWork>(
    work: Work,
    signal: AbortSignal,
    transferred?: readonly ArrayBuffer[],
  ) => Promise<Done<ThreadResults[Work['kind']]>>
  /** Number of tasks that have not ended. */
  readonly running: () => number
  /** Number of threads started since the process started. */
  readonly startedThreads: () => number
  readonly close: () => Promise<void>
}

const YOUNG_GENERATION_MB = 32

interface Sent {
  readonly onReply: (reply: ThreadReply) => void
  readonly onEnd: (error: Error) => void
}

interface Running {
  readonly worker: Worker
  readonly works: Map<number, Sent>
  readonly ready: Promise<void>
}

export function createThread(settings: ThreadSettings, limits: ThreadLimits): Thread {
  let [current, started, isClosed, lastId]: [Running | undefined, number, boolean, number] = [undefined, 0, false, 0]

  const start = (): Running => {
    started += 1
    const running = startWorker(settings, limits)
    running.worker.once('exit', () => {
      if (current === running) current = undefined
    })
    return running
  }
  const prepare = async (): Promise<Running> => {
    if (isClosed) throw unavailable('The node stops.')
    current ??= start()
    const running = current
    await running.ready
    return running
  }
  return {
    prepare: async () => {
      await prepare()
    },
    run: async (work, signal, transferred = []) => {
      const running = await prepare()
      signal.throwIfAborted()
      lastId += 1
      // The cast is safe: the thread answers each type of work with its own type of result.
      return runIn(running, { id: lastId, work }, { signal, limits, transferred }) as never
    },
    running: () => current?.works.size ?? 0,
    startedThreads: () => started,
    close: async () => {
      isClosed = true
      await current?.worker.terminate()
    },
  }
}

function startWorker(settings: ThreadSettings, { heapMegabytes }: ThreadLimits): Running {
  const worker = new Worker(SCAN_THREAD_FILE, {
    name: SCAN_THREAD_NAME,
    workerData: { name: SCAN_THREAD_NAME, settings },
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes, maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
  })
  const works = new Map<number, Sent>()
  // An idle thread must not keep the process alive.
  worker.unref()
  let end: Error = unavailable('The thread that does this work has ended.')
  // Without a listener, an error in an idle thread would end the process.
  worker.on('error', (error) => {
    end = describeEnd(error)
  })
  worker.once('exit', () => {
    for (const { onEnd } of works.values()) onEnd(end)
    works.clear()
  })
  const ready = waitUntilReady(worker)
  // The calls waiting for the thread report that it did not start.
  ready.catch(() => undefined)
  void ready.then(
    () => worker.on('message', (reply: ThreadReply) => works.get(reply.id)?.onReply(reply)),
    () => undefined,
  )
  return { worker, works, ready }
}

/** Loading the code takes less than a second on an idle machine. */
const START_TIMEOUT_MS = 30_000

async function waitUntilReady(worker: Worker): Promise<void> {
  try {
    await once(worker, 'message', { signal: AbortSignal.timeout(START_TIMEOUT_MS) })
  } catch (error) {
    await worker.terminate()
    throw unavailable('The thread that does this work does not start.', error)
  }
}

interface RunOptions {
  readonly signal: AbortSignal
  readonly limits: ThreadLimits
  readonly transferred: readonly ArrayBuffer[]
}

function runIn(
  { worker, works }: Running,
  request: Extract<ThreadRequest, { readonly work: ThreadWork }>,
  { signal, limits, transferred }: RunOptions,
): Promise<Done<unknown>> {
  const { id } = request
  const { promise, resolve, reject } = Promise.withResolvers<Done<unknown>>()
  const pieces: string[] = []
  /** Set once the work has been told to end. */
  let reason: unknown
  let grace: NodeJS.Timeout | undefined
  const post = (message: ThreadRequest, moved: readonly ArrayBuffer[] = []) => worker.postMessage(message, [...moved])
  const abort = (why: unknown) => {
    if (reason !== undefined) return
    reason = why
    post({ id, isAborted: true })
    grace = setTimeout(() => void worker.terminate(), limits.abortGraceMs)
  }
  const onAbort = () => abort(signal.reason)
  works.set(id, {
    onReply: (reply) => {
      if ('pieces' in reply) pieces.push(...reply.pieces)
      else if (reason !== undefined) reject(reason)
      else if ('failure' in reply) reject(toError(reply.failure))
      else resolve({ result: reply.result, pieces })
    },
    onEnd: (error) => reject(reason ?? error),
  })
  const timer = setTimeout(() => abort(tookTooLong(limits.timeLimitMs)), limits.timeLimitMs)
  signal.addEventListener('abort', onAbort, { once: true })
  post(request, transferred)
  return promise.finally(() => {
    clearTimeout(timer)
    clearTimeout(grace)
    signal.removeEventListener('abort', onAbort)
    works.delete(id)
  })
}

function describeEnd(error: unknown): Error {
  if (!(error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'))
    return new Error(`the thread ended with ${error instanceof Error ? error.name : 'an exception'}`)
  return new ApiError(
    'PAYLOAD_TOO_LARGE',
    'The components need more memory than the service has for one call. Nothing was charged; send them in parts.',
  )
}

function tookTooLong(timeLimitMs: number): ApiError {
  return new ApiError(
    'SERVICE_UNAVAILABLE',
    `The components took longer than ${timeLimitMs / 1000} s. Nothing was charged; send them in parts, or retry.`,
    { headers: { 'Retry-After': '5' } },
  )
}
