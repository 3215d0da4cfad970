// The calls that wait for a turn or run, by account. Accounts, and the kinds of calls of an account, are kept
// in rotation: the one that was served last is at the end.
import type { DatabaseWork } from '../../../contract/endpoint.ts'

export type WorkKind = Exclude<DatabaseWork, 'none'>

/** Returns whether one call of this kind can use as much database time as hundreds of cheap calls. */
export function isExpensive(kind: WorkKind): boolean {
  return kind === 'search' || kind === 'batch'
}

export interface Account {
  readonly id: string
  readonly flows: Map<WorkKind, Flow>
  running: number
  waiting: number
  resting: number
}

/** The calls of one kind of one account, in the order of their arrival. */
export interface Flow {
  readonly account: Account
  readonly kind: WorkKind
  readonly waiting: Set<WaitingCall>
  running: number
  /** Number of ended calls whose places stay occupied for a while. */
  resting: number
}

export interface WaitingCall {
  readonly start: () => void
}

export interface TurnQueue {
  readonly running: number
  /** Number of running calls whose kind is expensive. */
  readonly runningExpensive: number
  readonly waiting: number
  /** Accounts with waiting or running calls, in rotation. */
  readonly accounts: ReadonlyMap<string, Account>
  add(accountId: string, kind: WorkKind, call: WaitingCall): Flow
  /** Removes a call that does not wait any longer. */
  remove(flow: Flow, call: WaitingCall): void
  /** Moves the first waiting call of a flow to the running calls, and the flow to the end of the rotation. */
  startFirst(flow: Flow): WaitingCall | undefined
  /** Ends a running call of a flow. With `rests`, its place in the flow stays occupied until `endRest`. */
  end(flow: Flow, rests: boolean): void
  endRest(flow: Flow): void
}

export function createTurnQueue(): TurnQueue {
  const accounts = new Map<string, Account>()
  const totals = { running: 0, runningExpensive: 0, waiting: 0 }
  const removeIdle = (account: Account) => {
    if (account.running + account.waiting + account.resting === 0) accounts.delete(account.id)
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
      const account = accounts.get(accountId) ?? { id: accountId, flows: new Map(), running: 0, waiting: 0, resting: 0 }
      accounts.set(accountId, account)
      const flow = account.flows.get(kind) ?? { account, kind, waiting: new Set(), running: 0, resting: 0 }
      account.flows.set(kind, flow)
      flow.waiting.add(call)
      countWaiting(totals, flow, 1)
      return flow
    },
    remove: (flow, call) => {
      if (!flow.waiting.delete(call)) return
      countWaiting(totals, flow, -1)
      removeIdle(flow.account)
    },
    startFirst: (flow) => {
      const [call] = flow.waiting
      if (!call) return undefined
      flow.waiting.delete(call)
      countWaiting(totals, flow, -1)
      countRunning(totals, flow, 1)
      moveToEnd(flow.account.flows, flow.kind, flow)
      moveToEnd(accounts, flow.account.id, flow.account)
      return call
    },
    end: (flow, rests) => {
      countRunning(totals, flow, -1)
      if (rests) countResting(flow, 1)
      removeIdle(flow.account)
    },
    endRest: (flow) => {
      countResting(flow, -1)
      removeIdle(flow.account)
    },
  }
}

interface Totals {
  running: number
  runningExpensive: number
  waiting: number
}

function countWaiting(totals: Totals, flow: Flow, change: 1 | -1): void {
  flow.account.waiting += change
  totals.waiting += change
}

function countRunning(totals: Totals, flow: Flow, change: 1 | -1): void {
  flow.running += change
  flow.account.running += change
  totals.running += change
  if (isExpensive(flow.kind)) totals.runningExpensive += change
}

function countResting(flow: Flow, change: 1 | -1): void {
  flow.resting += change
  flow.account.resting += change
}

function moveToEnd<Key, Value>(map: Map<Key, Value>, key: Key, value: Value): void {
  map.delete(key)
  map.set(key, value)
}
