// Decides how accounts share the slots of a database (turns.ts).
import type { AccountActivity } from './activity.ts'
import { createLongCalls, type LongCallState } from './long-calls.ts'
import { type Account, isExpensive, type KindQueue, type WorkKind } from './queue.ts'

export interface ShareLimits {
  /** Number of connections that all calls share. */
  readonly turns: number
  /** How many slots one account may hold for each type of work while others are active. Default: a third of all. */
  readonly turnsPerAccount: Readonly<Partial<Record<WorkKind, number>>>
}

export interface SharePolicy {
  /** Returns the calls of one account and type whose first call may start now. */
  findNext(): KindQueue | undefined
  /**
   * While others are active, returns true if the account has used more time than the bound and has at least as many
   * waiting calls as the average waiting account. An account with fewer does not make the queue long.
   */
  isOverShare(calls: KindQueue): boolean
  /** Returns true if the next call is waiting for another call of its account, or for a cooldown. */
  isBlockedByOwnCalls(calls: KindQueue): boolean
  /** Returns true if the next call is waiting for a long call of any account. */
  isBlockedByLongCalls(calls: KindQueue): boolean
  /** Returns true only while other accounts are active. */
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

  /** The last third of the slots is reserved for cheap calls. */
  const isFull = ({ kind }: KindQueue) =>
    isExpensive(kind) && queue.runningExpensive >= Math.max(1, limits.turns - third)

  const longCalls = createLongCalls(limits, state)

  const hasLongQueue = ({ waiting }: Account) => {
    let count = 0
    for (const account of queue.accounts.values()) if (account.waiting > 0) count += 1
    return waiting * count >= queue.waiting
  }

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
