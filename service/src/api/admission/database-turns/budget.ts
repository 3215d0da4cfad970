// Tracks the time that each account's calls have used for reading the database and for building, encoding and
// compressing answers. The used time falls continuously at the budget's rate. At the default rate, 250 ms are within
// the budget, so a few expensive calls exceed it. No more than one minute's budget is recorded.

export interface DatabaseBudget {
  spend(accountId: string, ms: number): void
  /** The used time minus what has been refilled since. */
  getUsedMs(accountId: string): number
  /** The budget is exceeded if the used time is above this. */
  readonly allowedMs: number
}

/** The budget for this much time may be used at once. */
const BURST_MS = 250
const MINUTE_MS = 60_000
/** Once this many accounts are tracked, those without used time are removed. */
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
