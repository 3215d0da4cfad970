// Tells whether another account has used the database lately. The last two active accounts are enough: one of them is
// not the account that asks.

/** An account is active for this long after its last call. */
const ACTIVE_MS = 1000

export interface AccountActivity {
  note(accountId: string): void
  wasOtherActive(accountId: string): boolean
}

export function createActivity(nowMs: () => number): AccountActivity {
  // Plain variables, because an object per call would be garbage of every call.
  let [latest, latestMs]: [string | undefined, number] = [undefined, 0]
  let [earlier, earlierMs]: [string | undefined, number] = [undefined, 0]
  return {
    note: (accountId) => {
      if (latest !== accountId) {
        earlier = latest
        earlierMs = latestMs
      }
      latest = accountId
      latestMs = nowMs()
    },
    wasOtherActive: (accountId) => {
      const [other, atMs] = latest === accountId ? [earlier, earlierMs] : [latest, latestMs]
      return other !== undefined && nowMs() - atMs < ACTIVE_MS
    },
  }
}
