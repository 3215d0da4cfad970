// Limits the calls that wait for a change (long polls). They are no calls in flight: they use neither the database nor the
// processor, only a connection of the client.
import { unavailable } from '../../contract/errors.ts'

export interface WaitLimit {
  /** Counts a waiting call, or throws 503 if the account or the node has too many. Returns the function that ends it. */
  enter(accountId: string): () => void
}

export const WAITS_PER_ACCOUNT = 16
export const WAITS_PER_NODE = 512

export function limitWaits(
  limits: { readonly perAccount: number; readonly perNode: number },
  onRefusal: (reason: 'waits') => void,
): WaitLimit {
  const waiting = new Map<string, number>()
  let total = 0
  const leave = (accountId: string) => {
    total -= 1
    const left = (waiting.get(accountId) ?? 1) - 1
    if (left > 0) waiting.set(accountId, left)
    else waiting.delete(accountId)
  }
  return {
    enter: (accountId) => {
      const count = waiting.get(accountId) ?? 0
      if (count >= limits.perAccount || total >= limits.perNode) {
        onRefusal('waits')
        throw unavailable(
          count >= limits.perAccount
            ? `This account already has ${limits.perAccount} calls that wait for changes; use one of them, or ask with wait=0.`
            : 'Too many calls wait for changes on this node; ask with wait=0.',
        )
      }
      waiting.set(accountId, count + 1)
      total += 1
      return () => leave(accountId)
    },
  }
}
