// Limits an owner's calls in flight (threat T-29). A call counts until its answer is sent and its work has ended, even
// if the work outlives the answer.
import { type ApiError, unavailable } from '../../contract/response/errors.ts'
import { nameOwner, type Owner } from './owner.ts'
import { createQuota } from './quota.ts'

export interface ConcurrencyLimit {
  /** Throws 503 if the owner has too many calls. Returns the function that ends the call. */
  enter(owner: Owner): () => void
}

type ConcurrencyRefusal = 'limit' | 'overload'

/**
 * While `isOverloaded` returns true, owners with at least an equal share of all calls are refused. This affects the
 * owners with the most calls first.
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
