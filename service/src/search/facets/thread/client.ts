// The main thread's side of the thread that counts facets. If the thread cannot count a search, the caller counts it in
// the database.
import { Worker } from 'node:worker_threads'
import type { FacetCounts, FacetQuery } from '../facet-query.ts'
import type { ColumnsReply, ColumnsSettings, CountRequest, LoadedColumns, SearchState } from './messages.ts'
import { COLUMNS_THREAD_FILE, COLUMNS_THREAD_NAME } from './thread.ts'

export interface ColumnsThread {
  /** Reads the columns ahead of the first call. */
  readonly start: () => void
  /** Returns undefined if the columns in memory do not show the state of the search. */
  readonly count: (query: FacetQuery, state: SearchState) => Promise<FacetCounts | undefined>
  /** Numbers of searches since the process started, by who counted them. */
  counts(): { readonly memory: number; readonly database: number }
  close(): Promise<void>
}

interface ThreadEvents {
  onLoaded(loaded: LoadedColumns): void
  onFailure(reason: string): void
}

/** The columns are in typed arrays outside this heap; it holds the names of products. */
const HEAP_MEGABYTES = 192
const YOUNG_GENERATION_MB = 16
/** After the thread has ended, it is not started again at once: it may end for the same reason again. */
const RESTART_AFTER_MS = 10_000

interface Running {
  readonly worker: Worker
  readonly waiting: Map<number, (counts: FacetCounts | undefined) => void>
}

export function createColumnsThread(settings: ColumnsSettings, events: ThreadEvents): ColumnsThread {
  let [current, lastId, isClosed, endedAtMs]: [Running | undefined, number, boolean, number] = [
    undefined,
    0,
    false,
    Number.NEGATIVE_INFINITY,
  ]
  const counted = { memory: 0, database: 0 }
  const start = () => {
    if (isClosed || current || performance.now() - endedAtMs < RESTART_AFTER_MS) return
    const running = startThread(settings, events)
    current = running
    running.worker.once('exit', () => {
      endedAtMs = performance.now()
      current = undefined
      for (const resolve of running.waiting.values()) resolve(undefined)
    })
  }
  const send = (query: FacetQuery, state: SearchState) =>
    new Promise<FacetCounts | undefined>((resolve) => {
      start()
      if (!current) return resolve(undefined)
      lastId += 1
      current.waiting.set(lastId, resolve)
      const request: CountRequest = { id: lastId, query, state }
      current.worker.postMessage(request, [])
    })
  return {
    start,
    count: async (query, state) => {
      const counts = await send(query, state)
      counted[counts ? 'memory' : 'database'] += 1
      return counts
    },
    counts: () => ({ ...counted }),
    close: async () => {
      isClosed = true
      await current?.worker.terminate()
    },
  }
}

function startThread(settings: ColumnsSettings, events: ThreadEvents): Running {
  const worker = new Worker(COLUMNS_THREAD_FILE, {
    name: COLUMNS_THREAD_NAME,
    workerData: { name: COLUMNS_THREAD_NAME, settings },
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MEGABYTES, maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
  })
  const waiting: Running['waiting'] = new Map()
  // The thread must not keep the process alive.
  worker.unref()
  worker.on('error', (error) => events.onFailure(`the thread ended: ${error instanceof Error ? error.message : ''}`))
  worker.on('message', (reply: ColumnsReply) => {
    if (reply === 'ready') return
    if ('loaded' in reply) return events.onLoaded(reply.loaded)
    if (reply.failure !== undefined) events.onFailure(reply.failure)
    if (!('id' in reply)) return
    waiting.get(reply.id)?.(reply.counts)
    waiting.delete(reply.id)
  })
  return { worker, waiting }
}
