// Writes JSON logs to standard output. API keys are redacted: by field name where they are expected, by pattern
// elsewhere.
import { type DestinationStream, type Logger, pino } from 'pino'
import { redactKeys } from './domain/key-form.ts'
import { openStandardOutput } from './log-sink.ts'

export type Log = Logger

export function createLog(level: string, destination: DestinationStream = openStandardOutput()): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: createTimestamp(),
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: ['headers["x-api-key"]', '*.headers["x-api-key"]', 'key', '*.key'], censor: '[redacted]' },
      hooks: { streamWrite: redactKeys },
    },
    destination,
  )
}

/**
 * Formats the time of a log line at most once per millisecond, because a busy node logs several lines within one
 * millisecond.
 */
function createTimestamp(): () => string {
  let [formattedMs, text] = [0, '']
  return () => {
    const nowMs = Date.now()
    if (nowMs !== formattedMs) [formattedMs, text] = [nowMs, `,"time":"${new Date(nowMs).toISOString()}"`]
    return text
  }
}
