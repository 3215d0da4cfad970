// The waiting and running calls of every account that has any. Accounts, and the kinds of calls of an account, are kept
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
}

/** The calls of one kind of one account, in the order of their arrival. */
export interface Flow {
  readonly account: Account
  readonly kind: WorkKind
  readonly waiting: Set<WaitingCall>
  running: number
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
  /** Ends a running call of a flow. */
  end(flow: Flow): void
}

export function createTurnQueue(): TurnQueue {
  const accounts = new Map<string, Account>()
  let [running, runningExpensive, waiting] = [0, 0, 0]
  const countWaiting = (flow: Flow, change: 1 | -1) => {
    flow.account.waiting += change
    waiting += change
  }
  const countRunning = (flow: Flow, change: 1 | -1) => {
    flow.running += change
    flow.account.running += change
    running += change
    if (isExpensive(flow.kind)) runningExpensive += change
  }
  const removeIdle = (account: Account) => {
    if (account.running === 0 && account.waiting === 0) accounts.delete(account.id)
  }
  return {
    accounts,
    get running() {
      return running
    },
    get runningExpensive() {
      return runningExpensive
    },
    get waiting() {
      return waiting
    },
    add: (accountId, kind, call) => {
      const account = accounts.get(accountId) ?? { id: accountId, flows: new Map(), running: 0, waiting: 0 }
      accounts.set(accountId, account)
      const flow = account.flows.get(kind) ?? { account, kind, waiting: new Set(), running: 0 }
      account.flows.set(kind, flow)
      flow.waiting.add(call)
      countWaiting(flow, 1)
      return flow
    },
    remove: (flow, call) => {
      if (!flow.waiting.delete(call)) return
      countWaiting(flow, -1)
      removeIdle(flow.account)
    },
    startFirst: (flow) => {
      const [call] = flow.waiting
      if (!call) return undefined
      flow.waiting.delete(call)
      countWaiting(flow, -1)
      countRunning(flow, 1)
      moveToEnd(flow.account.flows, flow.kind, flow)
      moveToEnd(accounts, flow.account.id, flow.account)
      return call
    },
    end: (flow) => {
      countRunning(flow, -1)
      removeIdle(flow.account)
    },
  }
}

function moveToEnd<Key, Value>(map: Map<Key, Value>, key: Key, value: Value): void {
  map.delete(key)
  map.set(key, value)
}
