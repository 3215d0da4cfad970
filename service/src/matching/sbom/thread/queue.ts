// The queue of documents for the one thread that reads them, and of calls that match components (ADR 0025). Accounts are
// served in rotation. If the queue is full, the account with the most waiting calls loses its last one, so that one
// account cannot keep others out.
//
// The state is in the memory of this process and nothing else writes it; each node has its own thread. If the process
// dies, the waiting calls end unanswered; none of them has been charged.
import { ApiError } from '../../../contract/response/errors.ts'

interface QueueLimits {
  /** Number of calls that the thread serves at once. */
  readonly slots: number
  readonly maxWaiting: number
  readonly maxWaitMs: number
}

const QUEUE_LIMITS: QueueLimits = { slots: 1, maxWaiting: 32, maxWaitMs: 30_000 }
/** Calls that match components are short, so that more of them wait for a shorter time. */
export const MATCH_QUEUE_LIMITS: QueueLimits = { slots: 4, maxWaiting: 128, maxWaitMs: 10_000 }

interface DocumentQueue {
  /**
   * Waits until the thread is free for a document of the account. Throws 503 if the queue is full, or after a time, and the
   * reason of `signal` if it aborts.
   */
  take(accountId: string, signal?: AbortSignal): Promise<DocumentTurn>
  counts(): { readonly waiting: number; readonly refused: number }
}

export interface DocumentTurn {
  /** Runs the work and ends the turn: the thread is not needed to send the answer. */
  readonly run: <T>(work: () => Promise<T>) => Promise<T>
  end(): void
}

interface Waiting {
  readonly accountId: string
  start(): void
  refuse(error: ApiError): void
}

export function createDocumentQueue(limits: Partial<QueueLimits> = {}): DocumentQueue {
  const { slots, maxWaiting, maxWaitMs } = { ...QUEUE_LIMITS, ...limits }
  /** Waiting documents by account. The first account is served next. */
  const accounts = new Map<string, Waiting[]>()
  let [running, waiting, refused] = [0, 0, 0]

  const remove = (document: Waiting) => {
    const left = (accounts.get(document.accountId) ?? []).filter((each) => each !== document)
    accounts.delete(document.accountId)
    if (left.length > 0) accounts.set(document.accountId, left)
    waiting -= 1
  }
  const refuse = (document: Waiting, message: string) => {
    remove(document)
    refused += 1
    document.refuse(new ApiError('SERVICE_UNAVAILABLE', message, { headers: { 'Retry-After': '5' } }))
  }
  const startNext = () => {
    const next = running >= slots ? undefined : accounts.values().next().value?.[0]
    if (next === undefined) return
    running += 1
    // Removing a document also moves its account behind all others.
    remove(next)
    next.start()
  }
  const end = () => {
    running -= 1
    startNext()
  }
  const add = (document: Waiting) => {
    const own = accounts.get(document.accountId) ?? []
    accounts.set(document.accountId, [...own, document])
    waiting += 1
    const longest = [...accounts.values()].reduce((a, b) => (b.length > a.length ? b : a))
    // Among accounts with equally many documents, the one that sent the new document loses it.
    const last = own.length + 1 >= longest.length ? document : longest.at(-1)
    if (waiting > maxWaiting && last) refuse(last, FULL)
  }

  return {
    take: (accountId, signal) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => refuse(document, LATE), maxWaitMs)
        const settle = (action: () => void) => {
          clearTimeout(timer)
          signal?.removeEventListener('abort', leave)
          action()
        }
        const leave = () => {
          remove(document)
          settle(() => reject(signal?.reason))
        }
        const document: Waiting = {
          accountId,
          start: () => settle(() => resolve(createTurn(end))),
          refuse: (error) => settle(() => reject(error)),
        }
        signal?.addEventListener('abort', leave, { once: true })
        add(document)
        startNext()
      }),
    counts: () => ({ waiting, refused }),
  }
}

const FULL =
  'Too many calls wait to be compared, and no account has more waiting than this one. Nothing was charged; please retry.'
const LATE = 'The call waited too long for its turn to be compared. Nothing was charged; please retry.'

function createTurn(onEnd: () => void): DocumentTurn {
  let hasEnded = false
  const end = () => {
    if (!hasEnded) onEnd()
    hasEnded = true
  }
  return {
    run: async (work) => {
      try {
        return await work()
      } finally {
        end()
      }
    },
    end,
  }
}
