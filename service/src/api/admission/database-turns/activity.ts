// Reports whether another account has used the database recently. Remembering the last two active accounts is enough,
// because at most one of them is the account in question.

/** How long an account counts as active after its last call. */
const ACTIVE_MS = 1000

export interface AccountActivity {
  note(accountId: string): void
  wasOtherActive(accountId: string): boolean
}

export function createActivity(nowMs: () => number): AccountActivity {
  // Plain variables, because an object per call would create garbage.
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
