// Limits the calls in flight of one account on this node, so that one account cannot use the whole node (threat A-29). A
// call is in flight until its last byte is sent. The counts are in the memory of this process.
import { type ApiError, unavailable } from '../../contract/errors.ts'

export interface ConcurrencyLimit {
  /**
   * Counts a call of an account, or throws 503 if the account has reached its limit. Returns the function to call when
   * the call ends.
   */
  enter(accountId: string): () => void
}

/** Reason for refusing a call: the account has too many calls in flight, or the node is overloaded. */
type ConcurrencyRefusal = 'limit' | 'overload'

/**
 * Creates the limit. While `isOverloaded` returns true, an account is refused as soon as it has an equal share of all
 * calls in flight, so that the accounts with the most calls are refused first.
 */
export function limitConcurrency(
  maxConcurrent: number,
  isOverloaded: () => boolean,
  onRefusal: (reason: ConcurrencyRefusal) => void,
): ConcurrencyLimit {
  const inFlight = new Map<string, number>()
  let total = 0
  const refuse = (reason: ConcurrencyRefusal, sentence: string): ApiError => {
    onRefusal(reason)
    return unavailable(sentence)
  }
  const leave = (accountId: string) => {
    total -= 1
    const left = (inFlight.get(accountId) ?? 1) - 1
    if (left > 0) inFlight.set(accountId, left)
    else inFlight.delete(accountId)
  }
  return {
    enter: (accountId) => {
      const count = inFlight.get(accountId) ?? 0
      if (count >= maxConcurrent)
        throw refuse('limit', `This account already has ${maxConcurrent} calls in flight; wait until some have ended.`)
      if (count > 0 && isOverloaded() && count >= Math.floor(total / inFlight.size))
        throw refuse(
          'overload',
          `This node is overloaded, and this account has at least an equal share of the calls in flight (${count}).`,
        )
      inFlight.set(accountId, count + 1)
      total += 1
      return () => leave(accountId)
    },
  }
}
