// The time that the calls of each account have used: reading the database, and building, encoding and compressing the
// answers. The used time falls continuously at the rate of the budget. An account is within its budget up to 250 ms of
// used time at the default rate, so a few expensive calls exceed it. The recorded time is at most the budget of a minute.

export interface DatabaseBudget {
  spend(accountId: string, ms: number): void
  /** Returns the time that the account has used, less what has been refilled since. */
  getUsedMs(accountId: string): number
  /** Used time above which the budget of an account is exceeded. */
  readonly allowedMs: number
}

/** An account may use the budget of this time at once. */
const BURST_MS = 250
const MINUTE_MS = 60_000
/** While this many accounts are in memory, those without used time are removed. There may be more accounts than this. */
const CLEANUP_AT_ACCOUNTS = 10_000

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
    allowedMs: refillRate * BURST_MS,
    getUsedMs,
    spend: (accountId, ms) => {
      if (!usages.has(accountId) && usages.size >= CLEANUP_AT_ACCOUNTS) removeRefilled()
      usages.set(accountId, { usedMs: Math.min(getUsedMs(accountId) + ms, msPerMinute), atMs: nowMs() })
    },
  }
}
