// A queue of jobs: how often a job is tried, and how long it may take.

export interface Queue {
  readonly name: string
  /** After so many failed attempts, a job is dead: it waits until an operator retries it. */
  readonly maxAttempts: number
  /** Pause after the first failed attempt. It doubles with each further one. */
  readonly retrySeconds: number
  readonly maxRetrySeconds: number
  /** A job that ended is deleted after this time. */
  readonly keptSeconds: number
  /** A job that takes longer counts as failed, even if its process is alive. */
  readonly timeLimitSeconds: number
}

export interface Job {
  readonly id: string
  readonly queue: string
  /** Id of the row that the job is about, or NO_SUBJECT. */
  readonly subject: string
  /** 1 for the first attempt. Only the newest attempt of a job can finish it. */
  readonly attempt: number
}

/** The subject of a job of the clock. */
export const NO_SUBJECT = ''

/** The queue that keeps dead jobs. */
export const DEAD_QUEUE = 'dead'

/** Without a sign of life for this long, the process that runs a job counts as dead. */
export const HEARTBEAT_SECONDS = 15
