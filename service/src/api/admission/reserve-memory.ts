// Reserves memory for a large response before the call is charged. The call waits while its account or the node has too
// many unread bytes (unsent-bytes.ts).
import type { ServerResponse } from 'node:http'
import type { Caller } from '../../accounts/find-caller.ts'
import { ApiError } from '../../contract/errors.ts'
import { callWhenSent } from '../call-when-sent.ts'
import { LARGE_BYTES } from '../large-answers/pieces.ts'
import type { MemoryReservation, UnsentBytes } from './unsent-bytes.ts'

/**
 * Reserves memory for the response of a call, if the response can be large. Throws a 503 error if the account's clients
 * do not read. Whatever happens to the call, the memory is released at the end of the response.
 */
export async function reserveResponseMemory(
  estimatedBytes: number | undefined,
  { accountId }: Caller,
  response: ServerResponse,
  unsent: UnsentBytes,
): Promise<MemoryReservation | undefined> {
  if (estimatedBytes === undefined || estimatedBytes <= LARGE_BYTES) return undefined
  const closed = new AbortController()
  let reservation: MemoryReservation | undefined
  callWhenSent(response, () => {
    // Only a call that waits needs the error, and every error takes time to record its stack.
    if (reservation) reservation.release()
    else closed.abort(new ApiError('REQUEST_TIMEOUT', 'The client closed the connection.'))
  })
  reservation = await unsent.reserve(accountId, estimatedBytes, closed.signal)
  if (closed.signal.aborted) reservation.release()
  return reservation
}
