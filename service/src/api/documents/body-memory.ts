// Limits the memory of documents that are being received, wait, or are read. A body of 10 MiB is 160 times larger than
// that of most endpoints, so that a few hundred of them would fill the memory of the node. If the node has no memory left, a
// document of an account below its equal share takes that of the newest unfinished document of the account with the most.
import { type ApiError, unavailable } from '../../contract/response/errors.ts'
import type { Owner } from '../admission/owner.ts'
import { createQuota, type QuotaLimits } from '../admission/quota.ts'

const MEGABYTE = 1024 * 1024

const BODY_MEMORY_LIMITS: QuotaLimits = { perOwner: 32 * MEGABYTE, perNode: 96 * MEGABYTE }

export interface BodyMemory {
  /** Opens the count of one body. Calls `onReclaim` if the body must not be received any further. */
  open(owner: Owner, onReclaim: (error: ApiError) => void): CountedBody
  bytes(): number
}

export interface CountedBody {
  /** Counts bytes that have arrived. Throws 503 if the account or the node has too many bytes in memory. */
  readonly add: (bytes: number) => void
  /** Called when the body has arrived: from now on its memory is not taken back. */
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
