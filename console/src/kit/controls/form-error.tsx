import { isVisError } from 'vis-sdk'
import { formatSeconds } from '../../text/format.ts'

interface FormErrorProps {
  readonly error: unknown
}

/** The message about a failed change. Screen readers announce it as soon as it appears. */
export function FormError({ error }: FormErrorProps) {
  return (
    <div role="alert" className="text-sm break-words text-critical">
      {error !== null && error !== undefined && <p className="mt-3">{describeChangeError(error)}</p>}
    </div>
  )
}

/** Describes why a change failed and what the person can do. */
export function describeChangeError(error: unknown): string {
  if (!isVisError(error)) return 'An error in the console stopped this. Load the page again.'
  const { code, status, retryAfter, message } = error
  if (code === 'NETWORK_ERROR' || code === 'TIMEOUT') {
    return 'The service does not answer. Load the page again to see whether the change was made.'
  }
  if (status === 401) return 'You are signed out. Sign in again to continue.'
  if (status === 429 && retryAfter !== undefined) return `${message} Try again in ${formatSeconds(retryAfter)}.`
  return message
}
