// Limits the memory of documents that are being received, wait, or are read. A body of 10 MiB is 160 times larger than
// that of most endpoints, so that a few hundred of them would fill the memory of the node.
//
// The counts are in the memory of this process, which alone writes them; each node has its own limits.
import { unavailable } from '../../../contract/errors.ts'

interface MemoryLimits {
  readonly accountBytes: number
  readonly nodeBytes: number
}

const MEGABYTE = 1024 * 1024

const BODY_MEMORY_LIMITS: MemoryLimits = { accountBytes: 32 * MEGABYTE, nodeBytes: 96 * MEGABYTE }

export interface BodyMemory {
  /** Opens the count of one body. */
  open(accountId: string): CountedBody
  bytes(): number
}

interface CountedBody {
  /** Counts bytes that have arrived. Throws 503 if the account or the node has too many bytes in memory. */
  readonly add: (bytes: number) => void
  release(): void
}

export function createBodyMemory({ accountBytes, nodeBytes }: MemoryLimits = BODY_MEMORY_LIMITS): BodyMemory {
  const accounts = new Map<string, number>()
  let total = 0
  const change = (accountId: string, bytes: number) => {
    total += bytes
    const left = (accounts.get(accountId) ?? 0) + bytes
    if (left > 0) accounts.set(accountId, left)
    else accounts.delete(accountId)
  }
  return {
    open: (accountId) => {
      let own = 0
      return {
        add: (bytes) => {
          if ((accounts.get(accountId) ?? 0) + bytes > accountBytes)
            throw unavailable('This account sends too many documents at once.')
          if (total + bytes > nodeBytes) throw unavailable('Too many documents are sent to this node at once.')
          own += bytes
          change(accountId, bytes)
        },
        release: () => {
          change(accountId, -own)
          own = 0
        },
      }
    },
    bytes: () => total,
  }
}
