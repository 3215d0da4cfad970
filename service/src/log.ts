// Structured logs on standard output. A key never gets through: by path where we expect one, by form anywhere else.
import { type DestinationStream, type Logger, pino } from 'pino'

export type Log = Logger

const KEY_TEXT = /vis_(live|test)_[0-9A-Za-z]+/g

export function createLog(level: string, destination?: DestinationStream): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: timeMember(),
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: ['headers["x-api-key"]', '*.headers["x-api-key"]', 'key', '*.key'], censor: '[redacted]' },
      hooks: { streamWrite: withoutKeys },
    },
    // Synchronous writes block the event loop when the reader of our output is slow; a write for every line costs more
    // than the line. What waits is written when the process ends; one that is killed loses at most so much of it.
    destination ?? pino.destination({ dest: 1, sync: false, minLength: 8192, periodicFlush: 100 }),
  )
}

/** Nearly every line has none, and is not searched twice. */
function withoutKeys(line: string): string {
  return line.includes('vis_') ? line.replaceAll(KEY_TEXT, 'vis_$1_[redacted]') : line
}

/** Written out once a millisecond: a busy node logs several lines in each. */
function timeMember(): () => string {
  let [atMs, text] = [0, '']
  return () => {
    const nowMs = Date.now()
    if (nowMs !== atMs) [atMs, text] = [nowMs, `,"time":"${new Date(nowMs).toISOString()}"`]
    return text
  }
}
