import type { Config } from '../../config.ts'
import { type Clock, clockFrom, systemClock } from '../../domain/clock.ts'
import { parseDateTime } from '../../domain/instant.ts'
import { UsageError } from '../../domain/usage-error.ts'

/** The clock of `--now`, for demonstrations and tests. */
export function chooseClock(config: Config, now: string | undefined): Clock {
  if (now === undefined) return systemClock
  if (config.environment === 'production') {
    throw new UsageError('--now is refused while NODE_ENV is production: answers would lie about their age.')
  }
  const start = parseDateTime(now)
  if (!start) throw new UsageError(`--now takes a time such as 2026-08-22T00:00:00Z, not ${JSON.stringify(now)}.`)
  return clockFrom(start)
}
