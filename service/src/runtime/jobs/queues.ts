// The queues of the service, and the times of those that the clock starts.
import type { Queue } from '../../jobs/queue.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Ten attempts within about half an hour. The link in a mail expires after an hour at the earliest. */
export const MAIL: Queue = {
  name: 'mail',
  maxAttempts: 10,
  retrySeconds: 5,
  maxRetrySeconds: 10 * MINUTE,
  timeLimitSeconds: 5 * MINUTE,
  keptSeconds: HOUR,
}

export interface TimedQueue extends Queue {
  /** In UTC. */
  readonly cron: string
}

/** Partitions of the credit ledger, and daily sums. */
export const LEDGER: TimedQueue = {
  name: 'ledger',
  cron: '7 * * * *',
  maxAttempts: 10,
  retrySeconds: MINUTE,
  maxRetrySeconds: 15 * MINUTE,
  timeLimitSeconds: 6 * HOUR,
  keptSeconds: 2 * DAY,
}

/** Deletes old sessions, expired links and counts of sign-ins. */
export const SIGN_IN_DATA: TimedQueue = {
  name: 'sign-in-data',
  cron: '11 * * * *',
  maxAttempts: 5,
  retrySeconds: MINUTE,
  maxRetrySeconds: 15 * MINUTE,
  timeLimitSeconds: 10 * MINUTE,
  keptSeconds: 2 * DAY,
}

/**
 * Makes a snapshot of the catalog if one is due: once a day, and soon after the first load. Each attempt writes up to the
 * size of a snapshot, so frequent attempts would fill the disk of the write-ahead log.
 */
export const SNAPSHOT: TimedQueue = {
  name: 'snapshot',
  cron: '*/10 * * * *',
  maxAttempts: 4,
  retrySeconds: 15 * MINUTE,
  maxRetrySeconds: 15 * MINUTE,
  timeLimitSeconds: 2 * HOUR,
  keptSeconds: 2 * DAY,
}

/** Deletes the rows of the change log that no kept snapshot needs. */
export const CHANGE_LOG: TimedQueue = {
  name: 'change-log',
  cron: '37 3 * * *',
  maxAttempts: 5,
  retrySeconds: MINUTE,
  maxRetrySeconds: 15 * MINUTE,
  timeLimitSeconds: 2 * HOUR,
  keptSeconds: 2 * DAY,
}

/** Deletes old events of watches. */
export const OLD_EVENTS: TimedQueue = {
  name: 'old-events',
  cron: '51 4 * * *',
  maxAttempts: 5,
  retrySeconds: MINUTE,
  maxRetrySeconds: 15 * MINUTE,
  timeLimitSeconds: 2 * HOUR,
  keptSeconds: 2 * DAY,
}

export const TIMED_QUEUES = [LEDGER, SIGN_IN_DATA, SNAPSHOT, CHANGE_LOG, OLD_EVENTS] as const
export const QUEUES: readonly Queue[] = [MAIL, ...TIMED_QUEUES]
export const QUEUE_NAMES = QUEUES.map(({ name }) => name)
