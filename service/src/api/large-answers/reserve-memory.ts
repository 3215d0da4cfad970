import type { Caller } from '../../accounts/keys/find-caller.ts'
import type { MemoryReservation, UnsentBytes } from '../admission/unsent-bytes.ts'
import { LARGE_BYTES } from './pieces.ts'

/**
 * Reserves memory for a large response before the call is charged (unsent-bytes.ts). Throws 503 if the account's
 * clients do not read, and the reason of `signal` if it aborts. The caller releases the memory.
 */
export async function reserveResponseMemory(
  estimatedBytes: number | undefined,
  { accountId }: Caller,
  signal: AbortSignal,
  unsent: UnsentBytes,
): Promise<MemoryReservation | undefined> {
  if (estimatedBytes === undefined || estimatedBytes <= LARGE_BYTES) return undefined
  return unsent.reserve(accountId, estimatedBytes, signal)
}
