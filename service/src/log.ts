// Writes JSON logs to standard output. API keys are redacted: by field name where they are expected, by pattern
// elsewhere.
import { type DestinationStream, type Logger, pino } from 'pino'
import { redactKeys } from './domain/account/key-form.ts'
import { openStandardOutput } from './log-sink.ts'

export type Log = Logger

interface LogParts {
  readonly destination: DestinationStream
  readonly timestamp: () => string
}

const partsOfLogs = new WeakMap<Log, LogParts>()

export function createLog(level: string, destination: DestinationStream = openStandardOutput()): Log {
  const timestamp = createTimestamp()
  const log = pino(
    {
      level,
      base: null,
      timestamp,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: ['headers["x-api-key"]', '*.headers["x-api-key"]', 'key', '*.key'], censor: '[redacted]' },
      hooks: { streamWrite: redactKeys },
    },
    destination,
  )
  partsOfLogs.set(log, { destination, timestamp })
  return log
}

/**
 * For lines that a node writes thousands of times a second: the caller formats the members as JSON text, which takes
 * half of pino's time. API keys are redacted as in every line.
 */
export function openFormattedLines(log: Log): (members: string) => void {
  const parts = partsOfLogs.get(log)
  if (!parts) throw new Error('Only a log of createLog has formatted lines.')
  const { destination, timestamp } = parts
  return (members) => {
    if (log.isLevelEnabled('info')) destination.write(redactKeys(`{"level":"info"${timestamp()},${members}}\n`))
  }
}

/** Formats at most once per millisecond, because a busy node logs several lines within one. */
function createTimestamp(): () => string {
  let [formattedMs, text] = [0, '']
  return () => {
    const nowMs = Date.now()
    if (nowMs !== formattedMs) [formattedMs, text] = [nowMs, `,"time":"${new Date(nowMs).toISOString()}"`]
    return text
  }
}

/** Returns the code or the kind of an error, where its message may contain a secret or an e-mail address. */
export function readErrorCode(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}
