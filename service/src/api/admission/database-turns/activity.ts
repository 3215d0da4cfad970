// Tells whether any other account has used the database lately. Only the two accounts that were active last are kept:
// one of them is always another account than the one that asks.

/** Time for which an account counts as active after its last call. */
const ACTIVE_MS = 1000

export interface AccountActivity {
  note(accountId: string): void
  wasOtherActive(accountId: string): boolean
}

export function createActivity(nowMs: () => number): AccountActivity {
  // Plain variables: an object for each call would be garbage of every call.
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
