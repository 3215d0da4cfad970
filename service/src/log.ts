// Writes JSON logs to standard output. API keys are redacted: by field name where they are expected, by pattern
// elsewhere.
import { type DestinationStream, type Logger, pino } from 'pino'

export type Log = Logger

const KEY_PATTERN = /vis_(live|test)_[0-9A-Za-z]+/g

export function createLog(level: string, destination?: DestinationStream): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: createTimestamp(),
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: ['headers["x-api-key"]', '*.headers["x-api-key"]', 'key', '*.key'], censor: '[redacted]' },
      hooks: { streamWrite: redactKeys },
    },
    // Log output is asynchronous, because synchronous writes block the event loop when the reader of the log is slow.
    // It is buffered, because one write per line costs more than formatting the line. The buffer is flushed every 100
    // ms and when the process ends; a killed process loses about 8 KiB of logs at most.
    destination ?? pino.destination({ dest: 1, sync: false, minLength: 8192, periodicFlush: 100 }),
  )
}

/**
 * Redacts API keys in a log line. The check for the key prefix is cheap and spares nearly every line the regular
 * expression.
 */
function redactKeys(line: string): string {
  return line.includes('vis_') ? line.replaceAll(KEY_PATTERN, 'vis_$1_[redacted]') : line
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
