// Limits calls that wait for a change (long polls). They use neither the database nor the processor, only a client
// connection. If the node has too many, owners with more than an equal share lose their newest ones, which are answered
// at once as if nothing had changed.
import { unavailable } from '../../contract/response/errors.ts'
import type { Owner } from './owner.ts'
import { createQuota, type QuotaLimits } from './quota.ts'

export interface WaitLimit {
  /**
   * Throws 503 if there are too many waiting calls. Calls `endEarly` if the call must be answered now. Returns the
   * function that ends the wait.
   */
  enter(owner: Owner, endEarly: () => void): () => void
}

export const WAITS: QuotaLimits = { perOwner: 16, perNode: 512 }

export function limitWaits(limits: QuotaLimits, onRefusal: (reason: 'waits') => void): WaitLimit {
  const waits = createQuota(limits)
  return {
    enter: (owner, endEarly) => {
      const wait = waits.take(owner, 1, endEarly)
      if (typeof wait !== 'string') return () => wait.release()
      onRefusal('waits')
      throw unavailable(
        wait === 'owner'
          ? `This account already has ${limits.perOwner} calls that wait for changes; use one of them, or ask with wait=0.`
          : 'Too many calls wait for changes on this node; ask with wait=0.',
      )
    },
  }
}
