// Circuit breaker for the rate limit. The requests of an account are normally counted in Redis (the shared window).
// After five consecutive failures of Redis, all requests are counted in this process (the local window), and Redis is
// tried again once per second.
import type { RateWindow } from './rate-window.ts'

const MAX_FAILURES = 5
const RETRY_INTERVAL_MS = 1000

export interface Events {
  onFailure(error: unknown): void
  onOpen(): void
  onClose(): void
}

export function withFallback(
  shared: RateWindow,
  local: RateWindow,
  events: Events,
  nowMs = () => performance.now(),
): RateWindow {
  let [failures, localUntilMs] = [0, 0]
  const succeeded = () => {
    if (failures >= MAX_FAILURES) events.onClose()
    failures = 0
    localUntilMs = 0
  }
  const failed = (error: unknown) => {
    failures += 1
    events.onFailure(error)
    if (failures === MAX_FAILURES) events.onOpen()
    if (failures >= MAX_FAILURES) localUntilMs = nowMs() + RETRY_INTERVAL_MS
  }
  return async (accountId, cost) => {
    if (nowMs() < localUntilMs) return local(accountId, cost)
    // While Redis fails, only one request per second tries the count in Redis again; all other requests use the count
    // in this process.
    if (failures >= MAX_FAILURES) localUntilMs = nowMs() + RETRY_INTERVAL_MS
    try {
      const state = await shared(accountId, cost)
      succeeded()
      return state
    } catch (error) {
      failed(error)
      return local(accountId, cost)
    }
  }
}
