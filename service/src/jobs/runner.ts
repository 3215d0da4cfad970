// Runs jobs until it is stopped. Several processes may run the same queues: the engine gives each job to one of them.
//
// An idle process asks the database every two seconds which queues have something to do. A job whose process died is
// noticed by any other process, which lets the engine fail it.
import { setTimeout as sleep } from 'node:timers/promises'
import type { RawBuilder } from 'kysely'
import type { Database } from '../database/postgres.ts'
import { type Log, readErrorCode } from '../log.ts'
import type { Jobs } from './engine.ts'
import { HEARTBEAT_SECONDS, type Job, type Queue } from './queue.ts'
import { readDueWork } from './read-jobs.ts'

const POLL_INTERVAL_MS = 2000
/** Pause after a failed statement, such as one that the login may not run. */
const RETRY_DELAY_MS = 5000
const HEARTBEAT_INTERVAL_MS = 5000
/** Old jobs are deleted this often, even if no job needs the engine's attention. */
const SUPERVISE_INTERVAL_MS = 10 * 60_000

export interface Work {
  readonly queue: Queue
  /** Number of jobs that a process runs at once. */
  readonly concurrency: number
  /** Rows that need a job: an SQL condition that is true if there are some, and what makes their jobs. */
  readonly rows?: { readonly exist: RawBuilder<boolean>; collect(): Promise<void> }
  /** Asked before jobs are taken, and again after a failure: while it is false, no attempt is wasted. */
  isReady?(): Promise<boolean>
  /** The signal aborts if another process has taken the job over, or if this process is to stop. */
  run(job: Job, signal: AbortSignal): Promise<void>
}

/** `lost`: another process has taken the job over, because this one gave no sign of life for too long. */
export type JobResult = 'finished' | 'failed' | 'dead' | 'lost' | 'stopped'

export interface RunnerOptions {
  readonly db: Database
  readonly jobs: Jobs
  readonly works: readonly Work[]
  readonly log: Log
  readonly onResult: (queue: string, result: JobResult) => void
}

export interface Runner {
  /** Looks for jobs at once. */
  wake(): void
  /** Stops taking jobs and waits for the running ones. Their signal aborts. */
  stop(): Promise<void>
}

export function startRunner(options: RunnerOptions): Runner {
  const { db, jobs, works, log } = options
  const stopping = new AbortController()
  const slots = createSlots(options, stopping.signal)
  let wakeUp = new AbortController()
  let supervisedAtMs = performance.now()

  const rows = works.flatMap((work) => work.rows ?? [])
  const conditions = rows.map(({ exist }) => exist)
  const collectRows = async () => {
    for (const each of rows) await each.collect()
    return readDueWork(db, conditions)
  }
  const look = async () => {
    const found = await readDueWork(db, conditions)
    const { queues, hasLapsed } = found.hasRows ? await collectRows() : found
    if (hasLapsed || performance.now() - supervisedAtMs > SUPERVISE_INTERVAL_MS) {
      supervisedAtMs = performance.now()
      await jobs.supervise()
    }
    for (const work of works) if (queues.includes(work.queue.name)) slots.fill(work)
  }
  const repeat = async () => {
    let isFailing = false
    while (!stopping.signal.aborted) {
      wakeUp = new AbortController()
      let pauseMs = POLL_INTERVAL_MS
      try {
        await look()
        isFailing = false
      } catch (err) {
        if (!isFailing) log.error({ err }, 'the state of jobs cannot be read; retrying')
        isFailing = true
        pauseMs = RETRY_DELAY_MS
      }
      const signal = AbortSignal.any([stopping.signal, wakeUp.signal])
      await sleep(pauseMs, undefined, { signal }).catch(() => {})
    }
  }
  const repeated = repeat()
  return {
    wake: () => wakeUp.abort(),
    stop: async () => {
      stopping.abort()
      await repeated
      await slots.settle()
    },
  }
}

interface Slots {
  /** Runs jobs in all free slots of a queue until none is due. */
  fill(work: Work): void
  /** Waits until no job is running. */
  settle(): Promise<void>
}

function createSlots(options: RunnerOptions, stopping: AbortSignal): Slots {
  const { jobs, works, log } = options
  const free = new Map(works.map(({ queue, concurrency }) => [queue.name, concurrency]))
  const draining = new Set<Promise<void>>()
  const drain = async (work: Work) => {
    if (!(await (work.isReady?.() ?? true))) return
    let result: JobResult = 'finished'
    // After a failure, the next look asks again whether the work is ready.
    while (!stopping.aborted && result === 'finished') {
      const job = await jobs.take(work.queue.name)
      if (!job) return
      result = await runJob(work, job, options, stopping)
    }
  }
  return {
    fill: (work) => {
      const { name } = work.queue
      for (let slots = free.get(name) ?? 0; slots > 0; slots -= 1) {
        const drained: Promise<void> = drain(work)
          .catch((err: unknown) => log.error({ err, queue: name }, 'jobs cannot be taken; retrying'))
          .finally(() => {
            free.set(name, (free.get(name) ?? 0) + 1)
            draining.delete(drained)
          })
        draining.add(drained)
      }
      free.set(name, 0)
    },
    settle: async () => {
      await Promise.all(draining)
    },
  }
}

async function runJob(
  work: Work,
  job: Job,
  { jobs, log, onResult }: RunnerOptions,
  stopping: AbortSignal,
): Promise<JobResult> {
  const lost = new AbortController()
  const heartbeat = keepAlive(job, jobs, lost)
  let result: JobResult
  try {
    await work.run(job, AbortSignal.any([stopping, lost.signal]))
    result = (await jobs.finish(job)) ? 'finished' : 'lost'
  } catch (err) {
    result = await settleFailure(work, job, jobs, { err, isLost: lost.signal.aborted, isStopping: stopping.aborted })
    const { id, queue, subject, attempt } = job
    if (result === 'failed' || result === 'dead') {
      log.error(
        { err, job: id, queue, subject, attempt },
        result === 'dead' ? 'a job failed for the last time: see "vis-server jobs dead"' : 'a job failed; retrying',
      )
    }
  } finally {
    await heartbeat.stop()
  }
  if (result === 'lost') log.warn({ job: job.id, queue: job.queue }, 'another process has taken the job over')
  onResult(job.queue, result)
  return result
}

interface Failure {
  readonly err: unknown
  readonly isLost: boolean
  readonly isStopping: boolean
}

async function settleFailure(
  { queue }: Work,
  job: Job,
  jobs: Jobs,
  { err, isLost, isStopping }: Failure,
): Promise<JobResult> {
  if (isLost) return 'lost'
  if (isStopping) {
    await jobs.release(job)
    return 'stopped'
  }
  if (!(await jobs.fail(job, readErrorCode(err)))) return 'lost'
  return job.attempt >= queue.maxAttempts ? 'dead' : 'failed'
}

/** Gives signs of life. Aborts `lost` if the job is another process's by now, or may be. */
function keepAlive(job: Job, jobs: Jobs, lost: AbortController): { stop(): Promise<void> } {
  const done = new AbortController()
  const repeat = async () => {
    let keptAtMs = performance.now()
    while (!done.signal.aborted && !lost.signal.aborted) {
      await sleep(HEARTBEAT_INTERVAL_MS, undefined, { signal: done.signal }).catch(() => {})
      if (done.signal.aborted) return
      const askedAtMs = performance.now()
      const isKept = await jobs.keep(job).catch(() => undefined)
      if (isKept) keptAtMs = askedAtMs
      if (isKept === false || performance.now() - keptAtMs > HEARTBEAT_SECONDS * 1000) lost.abort()
    }
  }
  const repeated = repeat()
  return {
    stop: async () => {
      done.abort()
      await repeated
    },
  }
}
