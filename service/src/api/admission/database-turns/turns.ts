// Shares the connections of a database pool fairly between accounts (threat T-29, ADR 0008). A call takes a slot,
// called a turn, before it uses the database; there are as many turns as connections.
//
// While no other account is active, an account may hold every turn. While others are active, it holds at most a third
// of the turns, and fewer for expensive work. A cooldown follows each long call, accounts are served in rotation, those
// over their budget of database time wait behind all others, and few long calls run at once.
//
// The state is in memory; each node shares its own connections. If the process dies, waiting calls end unanswered and
// uncharged.
import { createActivity } from './activity.ts'
import { createBudget, type DatabaseBudget } from './budget.ts'
import { createExpectedTimes } from './expected-time.ts'
import { createTurnQueue, isExpensive, type KindQueue, type WaitingCall, type WorkKind } from './queue.ts'
import { chooseRefusal, refuse, type TurnRefusal } from './refusal.ts'
import { createSharePolicy, type ShareLimits } from './share.ts'

export interface TurnLimits extends ShareLimits {
  /** Database time per minute; an account that uses more waits behind the others. */
  readonly budgetMsPerMinute: number
  /** Searches and batch calls count as long if their average duration is at least this. */
  readonly longCallMs: number
  /** A call that has waited this long is refused if its account uses more than its share while others wait. */
  readonly refuseAfterMs: number
  /** Any call that has waited this long is refused. */
  readonly maxWaitMs: number
}

export interface TurnEvents {
  onTurn(kind: WorkKind, waitedMs: number): void
  onRefusal(kind: WorkKind, reason: TurnRefusal): void
}

export interface Turn {
  /** Counts the duration of the work towards the budget. */
  readonly run: <T>(work: () => Promise<T>) => Promise<T>
  end(): void
}

export interface DatabaseTurns {
  /** Throws 503 if the call is refused, and the signal's reason if it aborts. */
  take(accountId: string, kind: WorkKind, signal?: AbortSignal): Promise<Turn>
  counts(): { readonly running: number; readonly waiting: number }
}

export function createDatabaseTurns(
  limits: TurnLimits,
  events: TurnEvents,
  nowMs: () => number = () => performance.now(),
): DatabaseTurns {
  const queue = createTurnQueue()
  const [budget, activity] = [createBudget(limits.budgetMsPerMinute, nowMs), createActivity(nowMs)]
  const expectedTimes = createExpectedTimes(limits.longCallMs, nowMs)
  const policy = createSharePolicy(limits, { queue, budget, expectedTimes, activity })

  const startCalls = () => {
    for (let calls = policy.findNext(); calls; calls = policy.findNext()) queue.startFirst(calls)?.start()
  }

  const endTurn = (calls: KindQueue, usedMs: number) => {
    activity.note(calls.account.id)
    // A call that ended before its work began says nothing about durations.
    if (isExpensive(calls.kind) && usedMs > 0) expectedTimes.record(calls.account.id, usedMs)
    const cooldownMs = policy.needsCooldown(calls) ? computeCooldownMs(usedMs) : 0
    queue.end(calls, cooldownMs > 0)
    startCalls()
    if (cooldownMs > 0) setTimeout(endCooldown, cooldownMs, calls).unref()
  }

  const endCooldown = (calls: KindQueue) => {
    queue.endCooldown(calls)
    startCalls()
  }

  return {
    take: (accountId, kind, signal) =>
      new Promise<Turn>((resolve, reject) => {
        activity.note(accountId)
        const queuedMs = nowMs()
        let stopWaiting = () => {}
        const call: WaitingCall = {
          start: () => {
            stopWaiting()
            events.onTurn(kind, nowMs() - queuedMs)
            resolve(createTurn(calls, budget, nowMs, endTurn))
          },
        }
        const end = (error: unknown) => {
          stopWaiting()
          queue.remove(calls, call)
          reject(error)
          // If this was the other account's only call, the remaining account may now hold more slots.
          startCalls()
        }
        const leave = () => end(signal?.reason)
        const refuseLateCall = () => {
          const reason = chooseRefusal({ queue, policy, maxWaitMs: limits.maxWaitMs }, calls, nowMs() - queuedMs)
          // Other accounts may have become inactive, so this one may start more calls.
          if (!reason) return startCalls()
          events.onRefusal(kind, reason)
          end(refuse(kind, reason))
        }
        const calls = queue.add(accountId, kind, call)
        startCalls()
        if (!calls.waiting.has(call)) return
        stopWaiting = watchWaiting(limits.refuseAfterMs, refuseLateCall, signal, leave)
      }),
    counts: () => ({ running: queue.running, waiting: queue.waiting }),
  }
}

/** Returns a function that stops watching. */
function watchWaiting(
  intervalMs: number,
  check: () => void,
  signal: AbortSignal | undefined,
  leave: () => void,
): () => void {
  const timer = setInterval(check, intervalMs)
  signal?.addEventListener('abort', leave, { once: true })
  return () => {
    clearInterval(timer)
    signal?.removeEventListener('abort', leave)
  }
}

/** A search or batch call this short is not followed by a cooldown. */
const ORDINARY_MS = 25
const COOLDOWN_FACTOR = 4
const MAX_COOLDOWN_MS = 1000

/** Limits the share of database and event loop time that one account's longest calls can take. */
function computeCooldownMs(usedMs: number): number {
  return Math.min(MAX_COOLDOWN_MS, Math.max(0, usedMs - ORDINARY_MS) * COOLDOWN_FACTOR)
}

function createTurn(
  calls: KindQueue,
  budget: DatabaseBudget,
  nowMs: () => number,
  onEnd: (calls: KindQueue, usedMs: number) => void,
): Turn {
  let [hasEnded, usedMs] = [false, 0]
  return {
    run: async (work) => {
      const startedMs = nowMs()
      try {
        return await work()
      } finally {
        const ms = nowMs() - startedMs
        usedMs += ms
        budget.spend(calls.account.id, ms)
      }
    },
    end: () => {
      if (hasEnded) return
      hasEnded = true
      onEnd(calls, usedMs)
    },
  }
}
