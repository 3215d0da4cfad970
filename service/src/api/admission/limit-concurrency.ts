// Limits the concurrent requests of one account on this node, so that one account cannot use the whole node (threat
// The counts are kept in the memory of this process.
import { unavailable } from '../../contract/errors.ts'

export interface ConcurrencyLimit {
  /**
   * Counts a request of an account, or throws 503 if the account has reached its limit. Returns the function to call
   * when the request ends.
   */
  enter(accountId: string): () => void
}

export function limitConcurrency(maxConcurrent: number): ConcurrencyLimit {
  const inFlight = new Map<string, number>()
  return {
    enter: (accountId) => {
      const count = inFlight.get(accountId) ?? 0
      if (count >= maxConcurrent)
        throw unavailable(`This account has ${maxConcurrent} calls in flight already; wait for some to end.`)
      inFlight.set(accountId, count + 1)
      return () => {
        const left = (inFlight.get(accountId) ?? 1) - 1
        if (left > 0) inFlight.set(accountId, left)
        else inFlight.delete(accountId)
      }
    },
  }
}
