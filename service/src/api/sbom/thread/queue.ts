// The queue of documents for the one thread that reads them (ADR 0040). Accounts are served in rotation. If the queue is
// full, the account with the most waiting documents loses its last one, so that one account cannot keep others out.
//
// The state is in the memory of this process and nothing else writes it; each node has its own thread. If the process
// dies, the waiting calls end unanswered; none of them has been charged.
import { ApiError } from '../../../contract/errors.ts'

interface QueueLimits {
  readonly maxWaiting: number
  readonly maxWaitMs: number
}

const QUEUE_LIMITS: QueueLimits = { maxWaiting: 32, maxWaitMs: 30_000 }

interface DocumentQueue {
  /** Waits until the thread is free for a document of the account. Throws 503 if the queue is full, or after a time. */
  take(accountId: string): Promise<DocumentTurn>
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

export function createDocumentQueue({ maxWaiting, maxWaitMs }: QueueLimits = QUEUE_LIMITS): DocumentQueue {
  /** Waiting documents by account. The first account is served next. */
  const accounts = new Map<string, Waiting[]>()
  let [isBusy, waiting, refused] = [false, 0, 0]

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
    const next = isBusy ? undefined : accounts.values().next().value?.[0]
    if (next === undefined) return
    isBusy = true
    // Removing a document also moves its account behind all others.
    remove(next)
    next.start()
  }
  const end = () => {
    isBusy = false
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
    take: (accountId) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => refuse(document, LATE), maxWaitMs)
        const settle = (action: () => void) => {
          clearTimeout(timer)
          action()
        }
        const document: Waiting = {
          accountId,
          start: () => settle(() => resolve(createTurn(end))),
          refuse: (error) => settle(() => reject(error)),
        }
        add(document)
        startNext()
      }),
    counts: () => ({ waiting, refused }),
  }
}

const FULL =
  'Too many documents wait to be read, and no account has more waiting than this one. Nothing was charged; please retry.'
const LATE = 'The document waited too long for its turn to be read. Nothing was charged; please retry.'

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
