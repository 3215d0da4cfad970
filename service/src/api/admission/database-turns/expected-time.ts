// The time that the next search or batch call of an account is expected to take, from its calls before. A running
// statement cannot be interrupted, so the policy must know long calls before they start.

export interface ExpectedTimes {
  /** Records the duration of an ended search or batch call. */
  record(accountId: string, ms: number): void
  /**
   * Returns whether the next call may take long. The first call of an account may, so that many new accounts cannot start
   * long calls at once.
   */
  mayBeLong(accountId: string): boolean
}

/**
 * Duration of a long call. If the whole database is slow, most calls are long; fewer of them then run at once, so their
 * durations fall again.
 */
const LONG_MS = 100
const MAX_ACCOUNTS = 10_000

export function createExpectedTimes(): ExpectedTimes {
  const times = new Map<string, number>()
  return {
    mayBeLong: (accountId) => (times.get(accountId) ?? LONG_MS) >= LONG_MS,
    record: (accountId, ms) => {
      // One long call counts for several calls after it, so that short calls between long ones do not hide them.
      const expectedMs = Math.max(ms, (times.get(accountId) ?? 0) / 2)
      times.delete(accountId)
      times.set(accountId, expectedMs)
      const [oldest] = times.keys()
      if (times.size > MAX_ACCOUNTS && oldest !== undefined) times.delete(oldest)
    },
  }
}
