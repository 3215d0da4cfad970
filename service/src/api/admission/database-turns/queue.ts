// Holds waiting and running calls by account. Accounts rotate, as do the types of calls within an account: the one
// served last moves to the end.
import type { DatabaseWork } from '../../../contract/endpoint.ts'

export type WorkKind = Exclude<DatabaseWork, 'none'>

/** A single such call can use as much database time as hundreds of cheap calls. */
export function isExpensive(kind: WorkKind): boolean {
  return kind === 'search' || kind === 'batch'
}

export interface Account {
  readonly id: string
  readonly kinds: Map<WorkKind, KindQueue>
  running: number
  waiting: number
  inCooldown: number
}

export interface KindQueue {
  readonly account: Account
  readonly kind: WorkKind
  /** Waiting calls in order of arrival. */
  readonly waiting: Set<WaitingCall>
  running: number
  /** Finished calls that still count towards the limit for their type. */
  inCooldown: number
}

export interface WaitingCall {
  readonly start: () => void
}

export interface TurnQueue {
  readonly running: number
  readonly runningExpensive: number
  readonly waiting: number
  /** Accounts with calls that are waiting, running or in cooldown. The one served last is at the end. */
  readonly accounts: ReadonlyMap<string, Account>
  add(accountId: string, kind: WorkKind, call: WaitingCall): KindQueue
  remove(calls: KindQueue, call: WaitingCall): void
  /** Moves the account and the type of call to the end of the rotation. */
  startFirst(calls: KindQueue): WaitingCall | undefined
  /** With a cooldown, the call counts towards the limit for its type until `endCooldown`. */
  end(calls: KindQueue, withCooldown: boolean): void
  endCooldown(calls: KindQueue): void
}

export function createTurnQueue(): TurnQueue {
  const accounts = new Map<string, Account>()
  const totals = { running: 0, runningExpensive: 0, waiting: 0 }
  const removeIdle = (account: Account) => {
    if (account.running + account.waiting + account.inCooldown === 0) accounts.delete(account.id)
  }
  return {
    accounts,
    get running() {
      return totals.running
    },
    get runningExpensive() {
      return totals.runningExpensive
    },
    get waiting() {
      return totals.waiting
    },
    add: (accountId, kind, call) => {
      const account = accounts.get(accountId) ?? {
        id: accountId,
        kinds: new Map(),
        running: 0,
        waiting: 0,
        inCooldown: 0,
      }
      accounts.set(accountId, account)
      const calls = account.kinds.get(kind) ?? { account, kind, waiting: new Set(), running: 0, inCooldown: 0 }
      account.kinds.set(kind, calls)
      calls.waiting.add(call)
      countWaiting(totals, calls, 1)
      return calls
    },
    remove: (calls, call) => {
      if (!calls.waiting.delete(call)) return
      countWaiting(totals, calls, -1)
      removeIdle(calls.account)
    },
    startFirst: (calls) => {
      const [call] = calls.waiting
      if (!call) return undefined
      calls.waiting.delete(call)
      countWaiting(totals, calls, -1)
      countRunning(totals, calls, 1)
      moveToEnd(calls.account.kinds, calls.kind, calls)
      moveToEnd(accounts, calls.account.id, calls.account)
      return call
    },
    end: (calls, withCooldown) => {
      countRunning(totals, calls, -1)
      if (withCooldown) countInCooldown(calls, 1)
      removeIdle(calls.account)
    },
    endCooldown: (calls) => {
      countInCooldown(calls, -1)
      removeIdle(calls.account)
    },
  }
}

interface Totals {
  running: number
  runningExpensive: number
  waiting: number
}

function countWaiting(totals: Totals, calls: KindQueue, change: 1 | -1): void {
  calls.account.waiting += change
  totals.waiting += change
}

function countRunning(totals: Totals, calls: KindQueue, change: 1 | -1): void {
  calls.running += change
  calls.account.running += change
  totals.running += change
  if (isExpensive(calls.kind)) totals.runningExpensive += change
}

function countInCooldown(calls: KindQueue, change: 1 | -1): void {
  calls.inCooldown += change
  calls.account.inCooldown += change
}

function moveToEnd<Key, Value>(map: Map<Key, Value>, key: Key, value: Value): void {
  map.delete(key)
  map.set(key, value)
}
