import type { Config } from '../../config.ts'
import { type Clock, clockFrom, systemClock } from '../../domain/clock.ts'
import { parseDateTime } from '../../domain/instant.ts'
import { UsageError } from '../../domain/usage-error.ts'

export const NOW_OPTION: [flags: string, description: string] = [
  '--now <time>',
  'Start the clock at this time instead of now, for example 2026-08-22T00:00:00Z (for demos and tests)',
]

export function chooseClock(config: Pick<Config, 'environment'>, now: string | undefined): Clock {
  if (now === undefined) return systemClock
  if (config.environment === 'production')
    throw new UsageError('--now is not allowed while NODE_ENV is production: responses would show wrong ages.')
  const start = parseDateTime(now)
  if (!start) throw new UsageError(`--now takes a time such as 2026-08-22T00:00:00Z, not ${JSON.stringify(now)}.`)
  return clockFrom(start)
}
