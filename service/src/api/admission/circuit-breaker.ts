// A circuit breaker for the rate limit. Requests are normally counted in Redis (`shared`). After five consecutive
// failures they are counted in this process (`local`), and Redis is tried again once per second.
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
    // Only one request per second tries Redis; meanwhile the others are counted here.
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
