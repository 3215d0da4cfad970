// The time that the next search or batch call of an account is expected to take: a moving average of its calls before. A
// running statement cannot be interrupted, so the policy must know long calls before they start.

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
const MAX_ACCOUNTS = 10_000

export function createExpectedTimes(longMs: number): ExpectedTimes {
  const averages = new Map<string, number>()
  return {
    mayBeLong: (accountId) => (averages.get(accountId) ?? longMs) >= longMs,
    record: (accountId, ms) => {
      const before = averages.get(accountId) ?? ms
      averages.delete(accountId)
      averages.set(accountId, before + (ms - before) * LAST_CALL_WEIGHT)
      const [oldest] = averages.keys()
      if (averages.size > MAX_ACCOUNTS && oldest !== undefined) averages.delete(oldest)
    },
  }
}
