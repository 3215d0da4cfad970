// Predicts which searches and batch calls will take long, because a running statement cannot be interrupted. The
// prediction is a moving average of the account's earlier calls.
//
// A call counts as long if the average reaches both the configured time and four times that of the fastest account.
// While the whole database is slow, ordinary accounts are slow too and must not wait behind an attacker.

export interface ExpectedTimes {
  /** Records a finished search or batch call. */
  record(accountId: string, ms: number): void
  /** Returns true for an account's first call, so that many new accounts cannot start long calls at once. */
  mayBeLong(accountId: string): boolean
}

/**
 * Weight of the last call in the average. One slow call among fast ones must not classify the account's calls as long.
 */
const LAST_CALL_WEIGHT = 0.25
/** A call is long if it takes this many times the average of the fastest account. */
const LONG_FACTOR = 4
/** Only accounts with a call within this time can be the fastest. */
const RECENT_MS = 60_000
/** Finding the fastest account reads all averages, so the result is cached. */
const BOUND_VALID_MS = 1_000
const MAX_ACCOUNTS = 10_000

interface Average {
  readonly ms: number
  readonly atMs: number
}

export function createExpectedTimes(longMs: number, nowMs: () => number): ExpectedTimes {
  const averages = new Map<string, Average>()
  let bound = { ms: longMs, untilMs: Number.NEGATIVE_INFINITY }

  const computeBoundMs = () => {
    let fastestMs = Number.POSITIVE_INFINITY
    for (const { ms, atMs } of averages.values()) {
      if (nowMs() - atMs <= RECENT_MS) fastestMs = Math.min(fastestMs, ms)
    }
    return Number.isFinite(fastestMs) ? Math.max(longMs, fastestMs * LONG_FACTOR) : longMs
  }

  const getBoundMs = () => {
    if (nowMs() >= bound.untilMs) bound = { ms: computeBoundMs(), untilMs: nowMs() + BOUND_VALID_MS }
    return bound.ms
  }

  return {
    mayBeLong: (accountId) => (averages.get(accountId)?.ms ?? Number.POSITIVE_INFINITY) >= getBoundMs(),
    record: (accountId, ms) => {
      const before = averages.get(accountId)?.ms ?? ms
      averages.delete(accountId)
      averages.set(accountId, { ms: before + (ms - before) * LAST_CALL_WEIGHT, atMs: nowMs() })
      const [oldest] = averages.keys()
      if (averages.size > MAX_ACCOUNTS && oldest !== undefined) averages.delete(oldest)
    },
  }
}
