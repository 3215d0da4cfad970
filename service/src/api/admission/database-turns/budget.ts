// Database time that each account has used. The budget of an account refills continuously. An account can save up only a
// quarter of a second of it, so that a few expensive calls already use it up, and owes at most the budget of a minute.

export interface DatabaseBudget {
  spend(accountId: string, ms: number): void
  /** Returns the database time that the account has used and that has not been refilled since. */
  getUsedMs(accountId: string): number
  /** Used database time above which the budget of an account is exceeded. */
  readonly allowedMs: number
}

/** An account can save up the budget of this time. */
const SAVED_MS = 250
const MINUTE_MS = 60_000
/** Number of accounts from which on the accounts whose budget is full again are removed from memory. */
const MAX_ACCOUNTS = 10_000

interface Usage {
  readonly usedMs: number
  readonly atMs: number
}

export function createBudget(msPerMinute: number, nowMs: () => number): DatabaseBudget {
  const refillRate = msPerMinute / MINUTE_MS
  const usages = new Map<string, Usage>()
  const refill = ({ usedMs, atMs }: Usage) => Math.max(0, usedMs - (nowMs() - atMs) * refillRate)
  const getUsedMs = (accountId: string) => {
    const usage = usages.get(accountId)
    return usage ? refill(usage) : 0
  }
  const removeRefilled = () => {
    for (const [accountId, usage] of usages) if (refill(usage) === 0) usages.delete(accountId)
  }
  return {
    allowedMs: refillRate * SAVED_MS,
    getUsedMs,
    spend: (accountId, ms) => {
      if (!usages.has(accountId) && usages.size >= MAX_ACCOUNTS) removeRefilled()
      usages.set(accountId, { usedMs: Math.min(getUsedMs(accountId) + ms, msPerMinute), atMs: nowMs() })
    },
  }
}
