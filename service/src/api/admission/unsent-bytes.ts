// Limits the memory of responses that clients have not read (threat A-10). A call whose response can be large reserves
// its estimated size before it is charged; later the reservation is replaced with the bytes that are really in memory.
//
// While an account uses more than its budget, its next large calls wait. While the whole node uses more than its budget,
// the accounts wait that use more than an equal share of it. An account without large responses never waits, so other
// accounts' unread responses cannot block it, and a single response may be larger than a budget.
//
// The counts are in the memory of this process, which alone writes them; each node has its own budgets. If the process
// dies, the waiting calls end unanswered; none of them has been charged.
import { unreadAnswers } from '../../contract/errors.ts'

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
  reserve(accountId: string, bytes: number, signal: AbortSignal): Promise<MemoryReservation>
  /** Counts a response without waiting, whatever the budgets are. */
  count(accountId: string): MemoryReservation
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

interface Waiter {
  readonly bytes: number
  readonly sinceMs: number
  start(): void
  refuse(error: Error): void
}

interface Account {
  readonly id: string
  /** Reserved and unread bytes of the account's responses. */
  bytes: number
  /**
   * Bytes of responses that exist in memory, from the start of encoding until they are sent. Reservations of calls
   * without a response yet are not included.
   */
  unread: number
  /** Number of responses for which memory is counted. */
  reservations: number
  /** Time when the account's counted bytes last became fewer, because they were sent, compressed or dropped. */
  lastDecreaseAtMs: number
  readonly waiters: Waiter[]
}

interface State {
  readonly limits: UnsentLimits
  readonly nowMs: () => number
  /** Accounts that have responses in memory or waiting calls. */
  readonly accounts: Map<string, Account>
  readonly totals: { bytes: number; waiting: number; waited: number; refused: number }
  timer: NodeJS.Timeout | undefined
}

export function createUnsentBytes(limits: UnsentLimits, nowMs: () => number = () => performance.now()): UnsentBytes {
  const totals = { bytes: 0, waiting: 0, waited: 0, refused: 0 }
  const state: State = { limits, nowMs, accounts: new Map(), totals, timer: undefined }
  return {
    reserve: async (accountId, bytes, signal) => {
      signal.throwIfAborted()
      const account = findAccount(state, accountId)
      if (account.waiters.length === 0 && fitsBudgets(state, account, bytes))
        return openReservation(state, account, bytes)
      return wait(state, account, bytes, signal)
    },
    count: (accountId) => openReservation(state, findAccount(state, accountId), 0),
    counts: () => ({ ...totals }),
  }
}

function findAccount({ accounts, nowMs }: State, id: string): Account {
  const known = accounts.get(id)
  if (known) return known
  const account = { id, bytes: 0, unread: 0, reservations: 0, lastDecreaseAtMs: nowMs(), waiters: [] }
  accounts.set(id, account)
  return account
}

function removeIfUnused({ accounts }: State, { id, reservations, waiters }: Account): void {
  if (reservations === 0 && waiters.length === 0) accounts.delete(id)
}

function fitsBudgets(
  { limits, accounts, totals }: State,
  { bytes: used, reservations }: Account,
  bytes: number,
): boolean {
  if (reservations === 0) return true
  if (used + bytes > limits.accountBytes) return false
  return totals.bytes + bytes <= limits.nodeBytes || used + bytes <= limits.nodeBytes / accounts.size
}

function openReservation(state: State, account: Account, reserved: number): MemoryReservation {
  account.reservations += 1
  account.bytes += reserved
  state.totals.bytes += reserved
  let isOpen = true
  let [held, unread] = [reserved, 0]
  const change = (bytes: number) => {
    if (bytes < unread) account.lastDecreaseAtMs = state.nowMs()
    account.bytes += bytes - held
    account.unread += bytes - unread
    state.totals.bytes += bytes - held
    held = bytes
    unread = bytes
  }
  return {
    set: (bytes) => {
      if (!isOpen) return
      const isLess = bytes < held
      change(bytes)
      if (isLess) startWaiters(state)
    },
    release: () => {
      if (!isOpen) return
      isOpen = false
      change(0)
      account.reservations -= 1
      removeIfUnused(state, account)
      startWaiters(state)
    },
  }
}

/** Starts the waiting calls that fit into the budgets now, those of the accounts with the fewest bytes first. */
function startWaiters(state: State): void {
  if (state.totals.waiting === 0) return
  const queues = [...state.accounts.values()].filter(({ waiters }) => waiters.length > 0)
  for (const account of queues.toSorted((a, b) => a.bytes - b.bytes)) {
    for (let [first] = account.waiters; first && fitsBudgets(state, account, first.bytes); [first] = account.waiters) {
      leaveQueue(state, account, first)
      first.start()
    }
  }
}

function wait(state: State, account: Account, bytes: number, signal: AbortSignal): Promise<MemoryReservation> {
  const { totals, nowMs } = state
  return new Promise((resolve, reject) => {
    const waiter: Waiter = {
      bytes,
      sinceMs: nowMs(),
      start: () => {
        signal.removeEventListener('abort', leave)
        resolve(openReservation(state, account, bytes))
      },
      refuse: (error) => {
        signal.removeEventListener('abort', leave)
        reject(error)
      },
    }
    const leave = () => {
      leaveQueue(state, account, waiter)
      removeIfUnused(state, account)
      reject(signal.reason)
      startWaiters(state)
    }
    signal.addEventListener('abort', leave, { once: true })
    account.waiters.push(waiter)
    totals.waiting += 1
    totals.waited += 1
    state.timer ??= setInterval(() => refuseStalled(state), CHECK_INTERVAL_MS).unref()
  })
}

function leaveQueue(state: State, { waiters }: Account, waiter: Waiter): void {
  waiters.splice(waiters.indexOf(waiter), 1)
  state.totals.waiting -= 1
  if (state.totals.waiting > 0) return
  clearInterval(state.timer)
  state.timer = undefined
}

function refuseStalled(state: State): void {
  for (const account of state.accounts.values()) {
    // While all of the account's responses are still being prepared, none of them is unread.
    if (account.unread === 0) continue
    const isStalled = ({ sinceMs }: Waiter) => state.nowMs() - Math.max(account.lastDecreaseAtMs, sinceMs) >= STALL_MS
    for (const waiter of account.waiters.filter(isStalled)) {
      leaveQueue(state, account, waiter)
      state.totals.refused += 1
      waiter.refuse(unreadAnswers(account.unread))
    }
  }
  // Smaller calls may have waited behind the refused ones.
  startWaiters(state)
}
