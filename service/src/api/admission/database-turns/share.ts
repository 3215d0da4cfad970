// The rules by which accounts share the turns of a database. See turns.ts.
import type { AccountActivity } from './activity.ts'
import type { DatabaseBudget } from './budget.ts'
import type { ExpectedTimes } from './expected-time.ts'
import { type Account, type Flow, isExpensive, type TurnQueue, type WorkKind } from './queue.ts'

export interface ShareLimits {
  /** Number of connections that all calls share. */
  readonly turns: number
  /** Number of turns of a kind that one account may hold while other accounts are active. Default: a third of all. */
  readonly turnsPerAccount: Readonly<Partial<Record<WorkKind, number>>>
}

export interface SharePolicy {
  /** Returns the flow whose first waiting call may start now. */
  findNext(): Flow | undefined
  /**
   * Returns whether the account of the flow uses more database time than its share while others are active, and has more
   * waiting calls than others. An account with few waiting calls is not the reason for a long queue.
   */
  isOverShare(flow: Flow): boolean
  /** Returns whether the next call of the flow waits for another call of the same account to end. */
  isLimited(flow: Flow): boolean
  /** Returns whether a pause must follow an ended call of the flow: it was expensive, and other accounts are active. */
  mustRest(flow: Flow): boolean
}

interface ShareState {
  readonly queue: TurnQueue
  readonly budget: DatabaseBudget
  readonly expectedTimes: ExpectedTimes
  readonly activity: AccountActivity
}

export function createSharePolicy(limits: ShareLimits, state: ShareState): SharePolicy {
  const { queue, budget, expectedTimes, activity } = state
  const third = Math.max(1, Math.floor(limits.turns / 3))
  const tenth = Math.max(1, Math.floor(limits.turns / 10))

  const areOthersActive = ({ id }: Account) => queue.accounts.size > 1 || activity.wasOtherActive(id)

  const isAtLimit = ({ account, kind, running, resting }: Flow) =>
    account.running >= third || running + resting >= (limits.turnsPerAccount[kind] ?? third)

  /** Searches and batch calls never hold the last third of the turns, which is left to cheap calls. */
  const isFull = ({ kind }: Flow) => isExpensive(kind) && queue.runningExpensive >= Math.max(1, limits.turns - third)

  /**
   * Returns the used database time above which an account waits behind others: its budget, but at least the average of
   * all accounts in the queue. While the whole database is slow, many budgets are exceeded, and only the accounts that
   * use the most must wait.
   */
  const computeBound = () => {
    let usedMs = 0
    for (const { id } of queue.accounts.values()) usedMs += budget.getUsedMs(id)
    return Math.max(budget.allowedMs, usedMs / queue.accounts.size)
  }

  const isHeavy = ({ account, kind }: Flow, boundMs: number) =>
    budget.getUsedMs(account.id) > boundMs || (isExpensive(kind) && expectedTimes.mayBeLong(account.id))

  /** Returns whether the account has at least as many waiting calls as the average account that waits. */
  const hasLongQueue = ({ waiting }: Account) => {
    let count = 0
    for (const account of queue.accounts.values()) if (account.waiting > 0) count += 1
    return waiting * count >= queue.waiting
  }

  const countRunningHeavy = (boundMs: number) => {
    let count = 0
    for (const { running, flows } of queue.accounts.values()) {
      if (running === 0) continue
      for (const flow of flows.values()) if (flow.running > 0 && isHeavy(flow, boundMs)) count += flow.running
    }
    return count
  }

  /** Returns the flow of the account whose first call may start. */
  const findFlow = (account: Account, boundMs: number): Flow | undefined => {
    const mustShare = areOthersActive(account)
    for (const flow of account.flows.values()) {
      if (flow.waiting.size === 0) continue
      if (!mustShare) return flow
      if (isAtLimit(flow) || isFull(flow)) continue
      if (!isHeavy(flow, boundMs) || countRunningHeavy(boundMs) < tenth) return flow
    }
    return undefined
  }

  return {
    findNext: () => {
      if (queue.running >= limits.turns || queue.waiting === 0) return undefined
      const boundMs = computeBound()
      for (const isOver of [false, true]) {
        for (const account of queue.accounts.values()) {
          if (account.waiting === 0 || budget.getUsedMs(account.id) > boundMs !== isOver) continue
          const flow = findFlow(account, boundMs)
          if (flow) return flow
        }
      }
      return undefined
    },
    isOverShare: ({ account }) =>
      areOthersActive(account) && hasLongQueue(account) && budget.getUsedMs(account.id) > computeBound(),
    mustRest: ({ account, kind }) => isExpensive(kind) && areOthersActive(account),
    isLimited: (flow) =>
      areOthersActive(flow.account) && (isAtLimit(flow) || (flow.running > 0 && isHeavy(flow, computeBound()))),
  }
}
