// Queues calls for the thread that reads documents and for the one that matches components (ADR 0025). Accounts are
// served in rotation. If the queue is full, the account with the most waiting calls loses its last one, so no account
// can keep others out.
//
// The state is in memory, with one queue per node. If the process dies, waiting calls end unanswered and uncharged.
import { ApiError } from '../../../contract/response/errors.ts'

interface QueueLimits {
  /** Number of calls that the thread serves at the same time. */
  readonly slots: number
  readonly maxWaiting: number
  readonly maxWaitMs: number
}

const QUEUE_LIMITS: QueueLimits = { slots: 1, maxWaiting: 32, maxWaitMs: 30_000 }
/** Matching calls are short, so more of them may wait, but for less time. */
export const MATCH_QUEUE_LIMITS: QueueLimits = { slots: 4, maxWaiting: 128, maxWaitMs: 10_000 }

interface DocumentQueue {
  /** Throws 503 if the queue is full or the wait is too long, and the signal's reason if it aborts. */
  take(accountId: string, signal?: AbortSignal): Promise<DocumentTurn>
  counts(): { readonly waiting: number; readonly refused: number }
}

export interface DocumentTurn {
  /** Frees the slot when the work is done: sending the answer does not need the thread. */
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
  /** Waiting calls by account. The first account is served next. */
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
    // This also moves the account to the end of the line.
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
    // On a tie, the account that sent the new document loses it.
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
