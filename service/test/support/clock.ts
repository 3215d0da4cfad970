// A clock for tests. Its time changes only when the test advances it.
import type { Clock } from '../../src/domain/clock.ts'

export interface TestClock {
  readonly now: Clock
  advance(by: { seconds?: number; hours?: number; days?: number }): void
}

export function createTestClock(start = '2026-08-22T00:00:00Z'): TestClock {
  let at = Date.parse(start)
  return {
    now: () => new Date(at),
    advance: ({ seconds = 0, hours = 0, days = 0 }) => {
      at += ((days * 24 + hours) * 3600 + seconds) * 1000
    },
  }
}
