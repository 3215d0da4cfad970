// Structured logs on standard output. A key never gets through: by path where we expect one, by form anywhere else.
import { type DestinationStream, type Logger, pino } from 'pino'

export type Log = Logger

const KEY_TEXT = /vis_(live|test)_[0-9A-Za-z]+/g

export function createLog(level: string, destination?: DestinationStream): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: ['headers["x-api-key"]', '*.headers["x-api-key"]', 'key', '*.key'], censor: '[redacted]' },
      hooks: { streamWrite: (line) => line.replaceAll(KEY_TEXT, 'vis_$1_[redacted]') },
    },
    // Synchronous writes block the event loop when the reader of our output is slow; a write for every line costs more
    // than the line. What waits is written when the process ends; one that is killed loses at most so much of it.
    destination ?? pino.destination({ dest: 1, sync: false, minLength: 8192, periodicFlush: 100 }),
  )
}
