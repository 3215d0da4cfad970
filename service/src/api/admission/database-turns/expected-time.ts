// Predicts which searches and batch calls take long, from a moving average of the account's earlier calls. A running
// statement cannot be interrupted, so the policy must recognise long calls before they start.
//
// A call counts as long if its account's average reaches the configured time and is at least four times that of the fastest
// account. While the whole database is slow, ordinary accounts are slow too and must not wait behind an attacker.

export interface ExpectedTimes {
  /** Records the duration of an ended search or batch call. */
  record(accountId: string, ms: number): void
  /**
   * Returns whether the next call may take long. The first call of an account may, so that many new accounts cannot start
   * long calls at once.
   */
  mayBeLong(accountId: string): boolean
}

/** Part of the average that the last call contributes. A single slow call among fast ones must not make it long. */
const LAST_CALL_WEIGHT = 0.25
/** Calls that take this many times as long as those of the fastest account are long. */
const LONG_FACTOR = 4
/** The fastest account is chosen among those with a call in this time. */
const RECENT_MS = 60_000
/** The fastest account is chosen again after this time, because it reads the averages of all accounts. */
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
