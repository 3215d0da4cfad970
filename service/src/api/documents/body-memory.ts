// Limits the memory for documents that are being received, waiting or being read. A document can be up to 10 MiB, 160
// times the limit of most endpoints, so a few hundred would fill the node's memory. If none is left, an account below
// its equal share gets the memory of the newest unfinished document of the account that uses the most.
import { type ApiError, unavailable } from '../../contract/response/errors.ts'
import type { Owner } from '../admission/owner.ts'
import { createQuota, type QuotaLimits } from '../admission/quota.ts'

const MEGABYTE = 1024 * 1024

const BODY_MEMORY_LIMITS: QuotaLimits = { perOwner: 32 * MEGABYTE, perNode: 96 * MEGABYTE }

export interface BodyMemory {
  /** Calls `onReclaim` if the body must not be received any further. */
  open(owner: Owner, onReclaim: (error: ApiError) => void): CountedBody
  bytes(): number
}

export interface CountedBody {
  /** Throws 503 if the account or the node has too many bytes in memory. */
  readonly add: (bytes: number) => void
  /** The body has arrived, so its memory can no longer be taken back. */
  complete(): void
  release(): void
}

export function createBodyMemory(limits: QuotaLimits = BODY_MEMORY_LIMITS): BodyMemory {
  const memory = createQuota(limits)
  return {
    open: (owner, onReclaim) => {
      const body = memory.take(owner, 0, () => onReclaim(tooManyDocuments()))
      if (typeof body === 'string') throw tooManyDocuments()
      return {
        add: (bytes) => {
          const refusal = body.add(bytes)
          if (refusal === 'owner') throw unavailable('This account sends too many documents at once.')
          if (refusal === 'node') throw tooManyDocuments()
        },
        complete: () => body.keep(),
        release: () => body.release(),
      }
    },
    bytes: () => memory.counts().used,
  }
}

const tooManyDocuments = () =>
  unavailable('This account has its share of the memory for documents, and the node has none left.')
