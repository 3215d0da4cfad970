// A cap on the calls of one account in flight on this node, so that one account cannot take all of it (threat A-29).
//
// State: a count per account, in this process. It dies with the calls it counts.
import { unavailable } from '../../contract/errors.ts'

export interface ConcurrencyLimit {
  /** Returns the function that ends the call. */
  enter(accountId: string): () => void
}

export function limitConcurrency(most: number): ConcurrencyLimit {
  const inFlight = new Map<string, number>()
  return {
    enter: (accountId) => {
      const count = inFlight.get(accountId) ?? 0
      if (count >= most) throw unavailable(`This account has ${most} calls in flight already; wait for some to end.`)
      inFlight.set(accountId, count + 1)
      return () => {
        const left = (inFlight.get(accountId) ?? 1) - 1
        if (left > 0) inFlight.set(accountId, left)
        else inFlight.delete(accountId)
      }
    },
  }
}
