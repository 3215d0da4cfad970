// Page state after a 429: counts down, then retries automatically.
import { Hourglass } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { formatSeconds } from '../../text/format.ts'
import { Button } from '../controls/button.tsx'

/** Wait if the service does not say how long: the length of its rate window. */
const DEFAULT_SECONDS = 60
/** A longer wait, such as until tomorrow, is only displayed: there is no countdown and no automatic retry. */
const MAX_AUTOMATIC_SECONDS = 120

interface RateLimitedProps {
  /** Seconds from the Retry-After header. */
  readonly retryAfter: number | undefined
  readonly message?: string | undefined
  readonly onRetry: () => void
}

export function RateLimited({ retryAfter = DEFAULT_SECONDS, message, onRetry }: RateLimitedProps) {
  const { left, isAutomatic } = useRetry(retryAfter, onRetry)
  return (
    <div role="alert" className="px-4 py-8 text-center">
      <Hourglass aria-hidden size={22} className="mx-auto mb-2 text-ink-3" />
      <p className="font-medium">{isAutomatic ? 'Too many reads in a minute' : 'Too many reads today'}</p>
      <p className="mx-auto mt-1 max-w-prose text-sm text-ink-2">
        {message ?? 'The console may read a limited number of times per minute and per day.'}
      </p>
      <p aria-hidden className="mt-3 text-sm text-ink-2">
        {isAutomatic ? 'The page continues by itself in ' : 'Reads are possible again in '}
        <span className="font-semibold text-ink">{formatWait(left)}</span>.
      </p>
      <p className="sr-only">Reads are possible again in {formatWait(retryAfter)}.</p>
      <Button className="mt-3" disabled={left > 0} onClick={onRetry}>
        Read again
      </Button>
    </div>
  )
}

/** The same on one line, for an optional part of a page. */
export function RateLimitedLine({ retryAfter = DEFAULT_SECONDS, message, onRetry }: RateLimitedProps) {
  const { left } = useRetry(retryAfter, onRetry)
  return (
    <span>
      {message} <span className="sr-only">They continue in {formatWait(retryAfter)}.</span>
      <span aria-hidden>They continue in {formatWait(left)}.</span>
    </span>
  )
}

/** Counts down and then calls `onRetry` once, unless the wait is too long. */
function useRetry(retryAfter: number, onRetry: () => void) {
  const left = useCountdown(retryAfter)
  const isAutomatic = retryAfter <= MAX_AUTOMATIC_SECONDS
  // The page may pass a new function on each render. Only the end of the countdown starts the read, and only once.
  const retry = useEffectEvent(onRetry)
  useEffect(() => {
    if (left === 0 && isAutomatic) retry()
  }, [left, isAutomatic])
  return { left, isAutomatic }
}

function formatWait(seconds: number): string {
  return seconds < 3600 ? formatSeconds(seconds) : `${Math.ceil(seconds / 3600)} hours`
}

function useCountdown(seconds: number): number {
  const [left, setLeft] = useState(seconds)
  useEffect(() => {
    const end = Date.now() + seconds * 1000
    setLeft(seconds)
    const timer = setInterval(() => setLeft(Math.max(0, Math.ceil((end - Date.now()) / 1000))), 500)
    return () => clearInterval(timer)
  }, [seconds])
  return left
}
