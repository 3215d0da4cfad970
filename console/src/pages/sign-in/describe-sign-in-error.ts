// The text under the key field after a failed sign-in.
import { isVisError } from 'vis-sdk'
import { formatSeconds } from '../../text/format.ts'

export function describeSignInError(error: unknown): string {
  if (!isVisError(error)) return 'The sign-in failed because of an error in the console.'
  if (error.status === 401) return 'The service does not accept this key. Check that you copied all of it.'
  if (error.status === 429) {
    const wait = error.retryAfter === undefined ? 'in a minute' : `in ${formatSeconds(error.retryAfter)}`
    return `Too many attempts. Try again ${wait}.`
  }
  if (error.code === 'NETWORK_ERROR') return 'The service does not answer. Check your connection and try again.'
  return error.message
}
