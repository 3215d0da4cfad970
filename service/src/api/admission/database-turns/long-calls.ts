// Limits long calls to a tenth of the database slots while several accounts are active. Long calls are those of
// accounts that have used much time, and searches and batch calls that may take long.
import type { DatabaseBudget } from './budget.ts'
import type { ExpectedTimes } from './expected-time.ts'
import { type Account, isExpensive, type KindQueue, type TurnQueue } from './queue.ts'

export interface LongCallState {
  readonly queue: TurnQueue
  readonly budget: DatabaseBudget
  readonly expectedTimes: ExpectedTimes
}

export interface LongCalls {
  /**
   * The used time above which an account waits behind others: its budget, but at least the average of all queued
   * accounts. While the whole database is slow, many budgets are exceeded, and only the heaviest users must wait.
   */
  computeBound(): number
  isOverBound(account: Account, boundMs: number): boolean
  /** True if the next of these calls would be one long call too many. */
  areFull(calls: KindQueue, boundMs: number): boolean
}

export function createLongCalls({ turns }: { readonly turns: number }, state: LongCallState): LongCalls {
  const { queue, budget, expectedTimes } = state
  const tenth = Math.max(1, Math.floor(turns / 10))
  const isOverBound = ({ id }: Account, boundMs: number) => budget.getUsedMs(id) > boundMs
  const isLong = ({ account, kind }: KindQueue, boundMs: number) =>
    isOverBound(account, boundMs) || (isExpensive(kind) && expectedTimes.mayBeLong(account.id))
  const countRunning = (boundMs: number) => {
    let count = 0
    for (const { running, kinds } of queue.accounts.values()) {
      if (running === 0) continue
      for (const calls of kinds.values()) if (calls.running > 0 && isLong(calls, boundMs)) count += calls.running
    }
    return count
  }
  return {
    computeBound: () => {
      let usedMs = 0
      for (const { id } of queue.accounts.values()) usedMs += budget.getUsedMs(id)
      return Math.max(budget.allowedMs, usedMs / queue.accounts.size)
    },
    isOverBound,
    areFull: (calls, boundMs) => isLong(calls, boundMs) && countRunning(boundMs) >= tenth,
  }
}
