// Limits the calls in flight of one owner (threat T-29). A call is in flight until its work has ended and its answer is
// sent, so that work which outlives its call still counts.
import { type ApiError, unavailable } from '../../contract/response/errors.ts'
import { nameOwner, type Owner } from './owner.ts'
import { createQuota } from './quota.ts'

export interface ConcurrencyLimit {
  /** Counts a call, or throws 503 if the owner has too many. Returns the function that ends the call. */
  enter(owner: Owner): () => void
}

/** Reason for refusing a call: the owner has too many in flight, or the node is overloaded. */
type ConcurrencyRefusal = 'limit' | 'overload'

/**
 * Creates the limit. While `isOverloaded` returns true, an owner is refused as soon as it has an equal share of all calls in
 * flight, so that the owners with the most calls are refused first.
 */
export function limitConcurrency(
  maxConcurrent: number,
  isOverloaded: () => boolean,
  onRefusal: (reason: ConcurrencyRefusal) => void,
): ConcurrencyLimit {
  const calls = createQuota({ perOwner: maxConcurrent, perNode: Number.POSITIVE_INFINITY })
  const refuse = (reason: ConcurrencyRefusal, sentence: string): ApiError => {
    onRefusal(reason)
    return unavailable(sentence)
  }
  const hasEqualShare = (count: number) => {
    const { used, owners } = calls.counts()
    return count >= Math.floor(used / owners)
  }
  return {
    enter: (owner) => {
      const count = calls.used(owner)
      if (count > 0 && isOverloaded() && hasEqualShare(count))
        throw refuse(
          'overload',
          `This node is overloaded. ${nameOwner(owner)} has at least an equal share of the calls in flight (${count}).`,
        )
      const call = calls.take(owner, 1)
      if (typeof call === 'string')
        throw refuse(
          'limit',
          `${nameOwner(owner)} already has ${maxConcurrent} calls in flight; wait until some have ended.`,
        )
      return () => call.release()
    },
  }
}
