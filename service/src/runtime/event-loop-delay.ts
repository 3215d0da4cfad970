// Measures how late the event loop runs its timers. A node whose event loop is late answers every call late.
import { monitorEventLoopDelay } from 'node:perf_hooks'

const RESOLUTION_MS = 20
const SAMPLE_INTERVAL_MS = 500
const NANOSECONDS_PER_MS = 1e6

export interface EventLoopDelay {
  readonly meanMs: number
  stop(): void
}

export function measureEventLoopDelay(): EventLoopDelay {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  histogram.enable()
  let meanMs = 0
  const timer = setInterval(() => {
    // If there is no sample, the event loop was blocked for the whole interval.
    const intervalMs = histogram.count > 0 ? histogram.mean / NANOSECONDS_PER_MS : SAMPLE_INTERVAL_MS
    // The histogram records the time between two timer events, which includes the resolution itself.
    meanMs = Math.max(0, intervalMs - RESOLUTION_MS)
    histogram.reset()
  }, SAMPLE_INTERVAL_MS)
  timer.unref()
  return {
    get meanMs() {
      return meanMs
    },
    stop: () => {
      clearInterval(timer)
      histogram.disable()
    },
  }
}
