// A breaker: after a few failures in a row the shared keeper is left alone for a while and the local one stands in at once.
import type { RateWindow } from './rate-window.ts'

const MAX_FAILURES = 5
const PAUSE_MS = 1000

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
  let [failures, closedUntilMs] = [0, 0]
  const succeeded = () => {
    if (failures >= MAX_FAILURES) events.onClose()
    failures = 0
  }
  const failed = (error: unknown) => {
    failures += 1
    events.onFailure(error)
    if (failures === MAX_FAILURES) events.onOpen()
    if (failures >= MAX_FAILURES) closedUntilMs = nowMs() + PAUSE_MS
  }
  return async (accountId, cost) => {
    if (nowMs() < closedUntilMs) return local(accountId, cost)
    // While it is tried again, others keep to the local one.
    if (failures >= MAX_FAILURES) closedUntilMs = nowMs() + PAUSE_MS
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
