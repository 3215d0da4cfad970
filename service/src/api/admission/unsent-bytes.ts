// Limits the memory used by responses that clients have not read (threat T-10). A call that may have a large response
// reserves its estimated size before it is charged; later the reservation is replaced by the bytes actually in memory.
//
// If an account is over its budget, its next large calls wait. While the node is over its budget, accounts above an
// equal share wait. An account without large responses never waits, so others' unread responses cannot block it, and a
// single response may exceed a budget. If the process dies, waiting calls end unanswered and uncharged.
import { unreadAnswers } from '../../contract/response/errors.ts'
import type { Owner } from './owner.ts'
import { createQuota, type Holding, type Quota } from './quota.ts'

interface UnsentLimits {
  readonly accountBytes: number
  readonly nodeBytes: number
}

export interface MemoryReservation {
  /** Replaces the reservation, or an earlier value, with the bytes actually in memory. */
  set(bytes: number): void
  release(): void
}

export interface UnsentBytes {
  /**
   * Waits until the budgets have room. Throws 503 if the account's unread bytes have not decreased for STALL_MS, and
   * the signal's reason if it aborts.
   */
  reserve(owner: Owner, bytes: number, signal: AbortSignal): Promise<MemoryReservation>
  /** Counts a response regardless of the budgets. */
  count(owner: Owner): MemoryReservation
  counts(): UnsentCounts
}

export interface UnsentCounts {
  /** Reserved and unread bytes of all responses. */
  readonly bytes: number
  readonly waiting: number
  /** Number of calls that had to wait since the process started. */
  readonly waited: number
  readonly refused: number
}

const STALL_MS = 5000
const CHECK_INTERVAL_MS = 250

/** One owner's responses in memory, from encoding until they are sent. */
interface Unread {
  bytes: number
  responses: number
  /** The last time bytes were sent, compressed or dropped. */
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

/** Throws if the owner's clients have not read anything for STALL_MS. */
async function waitForRoom(state: State, owner: Owner, bytes: number, signal: AbortSignal): Promise<Holding> {
  const { memory, nowMs } = state
  signal.throwIfAborted()
  const taken = memory.countWaiting(owner) === 0 ? memory.take(owner, bytes) : undefined
  if (typeof taken === 'object') return taken
  const [stalled, sinceMs] = [new AbortController(), nowMs()]
  const waiting = memory.wait(owner, bytes, AbortSignal.any([signal, stalled.signal]))
  const timer = setInterval(() => {
    const own = state.unread.get(owner)
    // While all responses of the owner are still being prepared, none is unread.
    if (!own || own.bytes === 0 || nowMs() - Math.max(own.lastDecreaseAtMs, sinceMs) < STALL_MS) return
    state.refused += 1
    stalled.abort(unreadAnswers(own.bytes))
  }, CHECK_INTERVAL_MS)
  return waiting.finally(() => clearInterval(timer))
}
