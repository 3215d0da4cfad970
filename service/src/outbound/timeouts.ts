// Time limits of a download, and the timers that enforce them.
import { type DownloadError, transient } from './request-error.ts'

export interface Timeouts {
  /** Maximum time from the DNS lookup to the end of the TLS handshake. */
  readonly connectMs: number
  /** Maximum time until the response starts, and then between two chunks of the response. */
  readonly idleMs: number
  /** Maximum time for all download attempts together, including the delays between them. */
  readonly totalMs: number
  readonly minBytesPerSecond: number
  /** Period over which the download speed is averaged. */
  readonly speedWindowMs: number
}

export const DEFAULT_TIMEOUTS: Timeouts = {
  connectMs: 10_000,
  idleMs: 30_000,
  totalMs: 15 * 60_000,
  minBytesPerSecond: 1024,
  speedWindowMs: 30_000,
}

export interface RequestTimers {
  connected(): void
  responded(): void
  received(bytes: number): void
  end(): void
}

/** Calls `abort` once when a time limit is exceeded. */
export function startRequestTimers(timeouts: Timeouts, abort: (error: DownloadError) => void): RequestTimers {
  const { connectMs, idleMs, minBytesPerSecond, speedWindowMs } = timeouts
  const startTimer = (ms: number, message: string) => setTimeout(() => abort(transient(message)), ms)
  let waiting = startTimer(connectMs, `no connection was established within ${formatDuration(connectMs)}`)
  let speed: NodeJS.Timeout | undefined
  let recentBytes = 0

  const waitForBytes = (message: string) => {
    clearTimeout(waiting)
    waiting = startTimer(idleMs, message)
  }
  const checkSpeed = () => {
    if (recentBytes * 1000 < minBytesPerSecond * speedWindowMs)
      abort(
        transient(
          `the server sent only ${recentBytes} bytes in ${formatDuration(speedWindowMs)}, expected at least ${minBytesPerSecond} bytes per second`,
        ),
      )
    recentBytes = 0
  }
  return {
    connected: () => waitForBytes(`the server did not start to respond within ${formatDuration(idleMs)}`),
    responded: () => {
      waitForBytes(`the server sent nothing for ${formatDuration(idleMs)} in the middle of its response`)
      speed = setInterval(checkSpeed, speedWindowMs)
    },
    received: (bytes) => {
      waiting.refresh()
      recentBytes += bytes
    },
    end: () => {
      clearTimeout(waiting)
      clearInterval(speed)
    },
  }
}

export function formatDuration(ms: number): string {
  return ms % 60_000 === 0 ? `${ms / 60_000} min` : `${ms / 1000} s`
}
