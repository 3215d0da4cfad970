// The rules by which accounts share the turns of a database. See turns.ts.
import type { AccountActivity } from './activity.ts'
import { createLongCalls, type LongCallState } from './long-calls.ts'
import { type Account, isExpensive, type KindQueue, type WorkKind } from './queue.ts'

export interface ShareLimits {
  /** Number of connections that all calls share. */
  readonly turns: number
  /** Number of turns of a kind that one account may hold while other accounts are active. Default: a third of all. */
  readonly turnsPerAccount: Readonly<Partial<Record<WorkKind, number>>>
}

export interface SharePolicy {
  /** Returns the account's calls of one kind, the first of which may start now. */
  findNext(): KindQueue | undefined
  /**
   * Returns whether the account exceeds the bound of used time and has at least as many waiting calls as the average
   * waiting account, while other accounts are active. An account with few waiting calls does not make the queue long.
   */
  isOverShare(calls: KindQueue): boolean
  /** Returns whether the next call waits for another call of the same account, or for its cooldown, to end. */
  isBlockedByOwnCalls(calls: KindQueue): boolean
  /** Returns whether the next call waits until a long call of any account ends. */
  isBlockedByLongCalls(calls: KindQueue): boolean
  /** Returns whether a cooldown must follow a long call of this kind: other accounts are active. */
  needsCooldown(calls: KindQueue): boolean
}

interface ShareState extends LongCallState {
  readonly activity: AccountActivity
}

export function createSharePolicy(limits: ShareLimits, state: ShareState): SharePolicy {
  const { queue, activity } = state
  const third = Math.max(1, Math.floor(limits.turns / 3))

  const areOthersActive = ({ id }: Account) => queue.accounts.size > 1 || activity.wasOtherActive(id)

  const isAtLimit = ({ account, kind, running, inCooldown }: KindQueue) =>
    account.running >= third || running + inCooldown >= (limits.turnsPerAccount[kind] ?? third)

  /** Searches and batch calls never hold the last third of the turns, which is left to cheap calls. */
  const isFull = ({ kind }: KindQueue) =>
    isExpensive(kind) && queue.runningExpensive >= Math.max(1, limits.turns - third)

  const longCalls = createLongCalls(limits, state)

  /** Returns whether the account has at least as many waiting calls as the average account that waits. */
  const hasLongQueue = ({ waiting }: Account) => {
    let count = 0
    for (const account of queue.accounts.values()) if (account.waiting > 0) count += 1
    return waiting * count >= queue.waiting
  }

  /** Returns the kind of calls of the account whose first waiting call may start. */
  const findCalls = (account: Account, boundMs: number): KindQueue | undefined => {
    const mustShare = areOthersActive(account)
    for (const calls of account.kinds.values()) {
      if (calls.waiting.size === 0) continue
      if (!mustShare) return calls
      if (!isAtLimit(calls) && !isFull(calls) && !longCalls.areFull(calls, boundMs)) return calls
    }
    return undefined
  }

  const isBlockedByLongCalls = (calls: KindQueue) =>
    areOthersActive(calls.account) && longCalls.areFull(calls, longCalls.computeBound())

  return {
    findNext: () => {
      if (queue.running >= limits.turns || queue.waiting === 0) return undefined
      const boundMs = longCalls.computeBound()
      for (const isOver of [false, true]) {
        for (const account of queue.accounts.values()) {
          if (account.waiting === 0 || longCalls.isOverBound(account, boundMs) !== isOver) continue
          const calls = findCalls(account, boundMs)
          if (calls) return calls
        }
      }
      return undefined
    },
    isOverShare: ({ account }) =>
      areOthersActive(account) && hasLongQueue(account) && longCalls.isOverBound(account, longCalls.computeBound()),
    needsCooldown: ({ account, kind }) => isExpensive(kind) && areOthersActive(account),
    isBlockedByOwnCalls: (calls) =>
      areOthersActive(calls.account) && (isAtLimit(calls) || (calls.running > 0 && isBlockedByLongCalls(calls))),
    isBlockedByLongCalls,
  }
}
