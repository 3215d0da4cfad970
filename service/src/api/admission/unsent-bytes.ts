// Limits the memory of responses that clients have not read (threat T-10). A call whose response can be large reserves
// its estimated size before it is charged; later the reservation is replaced with the bytes that are really in memory.
//
// While an account uses more than its budget, its next large calls wait. While the whole node uses more than its budget,
// the accounts wait that use more than an equal share of it. An account without large responses never waits, so other
// accounts' unread responses cannot block it, and a single response may be larger than a budget.
//
// If the process dies, the waiting calls end unanswered; none of them has been charged.
import { unreadAnswers } from '../../contract/response/errors.ts'
import type { Owner } from './owner.ts'
import { createQuota, type Holding, type Quota } from './quota.ts'

interface UnsentLimits {
  readonly accountBytes: number
  readonly nodeBytes: number
}

/** Memory that is counted for one response. */
export interface MemoryReservation {
  /** Replaces the reservation, or the earlier value, with the number of bytes of the response that are in memory. */
  set(bytes: number): void
  release(): void
}

export interface UnsentBytes {
  /**
   * Reserves memory for a response of the account, as soon as the budgets allow it. Throws a 503 error if the account's
   * unread bytes have not become fewer for STALL_MS, and the reason of `signal` if it is aborted.
   */
  reserve(owner: Owner, bytes: number, signal: AbortSignal): Promise<MemoryReservation>
  /** Counts a response without waiting, whatever the budgets are. */
  count(owner: Owner): MemoryReservation
  counts(): UnsentCounts
}

export interface UnsentCounts {
  /** Reserved and unread bytes of all responses. */
  readonly bytes: number
  /** Number of calls that wait now. */
  readonly waiting: number
  /** Number of calls that had to wait since the process started. */
  readonly waited: number
  readonly refused: number
}

/** A waiting call is refused if its account's unread bytes have not become fewer for this time. */
const STALL_MS = 5000
const CHECK_INTERVAL_MS = 250

/** Responses of one owner that exist in memory, from the start of encoding until they are sent. */
interface Unread {
  bytes: number
  responses: number
  /** Time when the bytes last became fewer, because they were sent, compressed or dropped. */
  lastDecreaseAtMs: number
}

interface State {
  readonly memory: Quota
  readonly nowMs: () => number
  readonly unread: Map<Owner, Unread>
  refused: number
}

export function createUnsentBytes(limits: UnsentLimits, nowMs: () => number = () => performance.now()): UnsentBytes {
  const memory = createQuota({ perOwner: limits.accountBytes, perNode: limits.nodeBytes, isElastic: true })
  const state: State = { memory, nowMs, unread: new Map(), refused: 0 }
  return {
    reserve: async (owner, bytes, signal) =>
      openReservation(state, owner, await waitForRoom(state, owner, bytes, signal)),
    count: (owner) => {
      const counted = memory.take(owner, 0)
      if (typeof counted === 'string') throw new Error('a response without bytes was refused')
      return openReservation(state, owner, counted)
    },
    counts: () => {
      const { used, waiting, waited } = memory.counts()
      return { bytes: used, waiting, waited, refused: state.refused }
    },
  }
}

function openReservation({ unread, nowMs }: State, owner: Owner, held: Holding): MemoryReservation {
  const own = unread.get(owner) ?? { bytes: 0, responses: 0, lastDecreaseAtMs: nowMs() }
  unread.set(owner, own)
  own.responses += 1
  let [isOpen, bytes] = [true, 0]
  const change = (next: number) => {
    if (next < bytes) own.lastDecreaseAtMs = nowMs()
    own.bytes += next - bytes
    bytes = next
  }
  return {
    set: (next) => {
      if (!isOpen) return
      change(next)
      held.set(next)
    },
    release: () => {
      if (!isOpen) return
      isOpen = false
      change(0)
      own.responses -= 1
      if (own.responses === 0) unread.delete(owner)
      held.release()
    },
  }
}

/** Waits until the bytes fit, or the owner's clients have not read for STALL_MS. */
async function waitForRoom(state: State, owner: Owner, bytes: number, signal: AbortSignal): Promise<Holding> {
  const { memory, nowMs } = state
  signal.throwIfAborted()
  const taken = memory.countWaiting(owner) === 0 ? memory.take(owner, bytes) : undefined
  if (typeof taken === 'object') return taken
  const [stalled, sinceMs] = [new AbortController(), nowMs()]
  const waiting = memory.wait(owner, bytes, AbortSignal.any([signal, stalled.signal]))
  const timer = setInterval(() => {
    const own = state.unread.get(owner)
    // While all of the owner's responses are still being prepared, none of them is unread.
    if (!own || own.bytes === 0 || nowMs() - Math.max(own.lastDecreaseAtMs, sinceMs) < STALL_MS) return
    state.refused += 1
    stalled.abort(unreadAnswers(own.bytes))
  }, CHECK_INTERVAL_MS)
  return waiting.finally(() => clearInterval(timer))
}
