// Page state after a failed read: our error text, and the id that finds the call in the service's log.
import { TriangleAlert } from 'lucide-react'
import { isVisError, type VisError } from 'vis-sdk'
import { Button } from '../controls/button.tsx'
import { CopyButton } from '../controls/copy-button.tsx'
import { RateLimited } from './rate-limited.tsx'

interface ErrorStateProps {
  readonly error: unknown
  readonly onRetry?: () => void
}

export function ErrorState({ error, onRetry }: ErrorStateProps) {
  if (isVisError(error) && error.status === 429 && onRetry) {
    const { correlationId, retryAfter, message } = error
    // Each refused call gets its own countdown, even if two consecutive calls must wait equally long.
    return <RateLimited key={correlationId} retryAfter={retryAfter} message={message} onRetry={onRetry} />
  }
  const { title, message } = describeError(error)
  const correlationId = isVisError(error) ? error.correlationId : undefined
  return (
    <div role="alert" className="px-4 py-8 text-center">
      <TriangleAlert aria-hidden size={22} className="mx-auto mb-2 text-high" />
      <p className="font-medium">{title}</p>
      <p className="mx-auto mt-1 max-w-prose text-sm break-words text-ink-2">{message}</p>
      {isVisError(error) && <Suggestion error={error} />}
      {correlationId && (
        <p className="mt-3 flex flex-wrap items-center justify-center gap-2 text-xs text-ink-3">
          Call <code className="font-mono break-all">{correlationId}</code>
          <CopyButton text={correlationId} label="Copy the id of the call" />
        </p>
      )}
      {onRetry && (
        <Button className="mt-3" onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  )
}

function Suggestion({ error }: { readonly error: VisError }) {
  if (!error.didYouMean) return null
  return (
    <p className="mt-1 text-sm">
      Did you mean <code className="font-mono">{error.didYouMean}</code>?
    </p>
  )
}

function describeError(error: unknown): { readonly title: string; readonly message: string } {
  if (!isVisError(error)) return { title: 'The page failed', message: 'An error in the console stopped this page.' }
  const { code, status, message } = error
  if (code === 'NETWORK_ERROR' || code === 'TIMEOUT') {
    return { title: 'The service does not answer', message: 'Check your connection, or try again in a moment.' }
  }
  if (code === 'NOT_READY') return { title: 'No data is published yet', message }
  if (status === 404) return { title: 'Not found', message }
  if (status === 400) return { title: 'The service does not accept this request', message }
  if (status === 401) return { title: 'You are signed out', message: 'Sign in again to continue.' }
  if (status === 410) return { title: 'Not kept', message }
  if (status === 403) return { title: 'You may not do this', message }
  return { title: 'The service could not answer', message }
}
