// Tells whether any other account has used the database lately. Only the two accounts that were active last are kept:
// one of them is always another account than the one that asks.

/** Time for which an account counts as active after its last call. */
const ACTIVE_MS = 1000

export interface AccountActivity {
  note(accountId: string): void
  wasOtherActive(accountId: string): boolean
}

interface Activity {
  readonly accountId: string
  readonly atMs: number
}

export function createActivity(nowMs: () => number): AccountActivity {
  let latest: Activity | undefined
  let earlier: Activity | undefined
  return {
    note: (accountId) => {
      if (latest && latest.accountId !== accountId) earlier = latest
      latest = { accountId, atMs: nowMs() }
    },
    wasOtherActive: (accountId) => {
      const other = latest?.accountId === accountId ? earlier : latest
      return other !== undefined && nowMs() - other.atMs < ACTIVE_MS
    },
  }
}
