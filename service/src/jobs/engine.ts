// Jobs, behind five calls: enqueue in the caller's transaction, take (one at a time per subject), heartbeat, fail (and
// finally a dead letter), and schedule. The package pg-boss does the work; no other file imports it, so that it can be
// replaced. ADR 0009 explains the choice.
import { CompiledQuery, sql, type Transaction } from 'kysely'
import { type Db, PgBoss } from 'pg-boss'
import type { Database } from '../database/postgres.ts'
import { DEAD_QUEUE, HEARTBEAT_SECONDS, type Job, NO_SUBJECT, type Queue } from './queue.ts'

const SCHEMA = 'jobs'
/** Dead jobs are deleted after a month. */
const DEAD_SECONDS = 30 * 86_400
/** A waiting job is never deleted within a year. */
const WAITING_SECONDS = 365 * 86_400
/** Timed jobs may begin a minute late, so the longest interval that pg-boss accepts is short enough. */
const CLOCK_INTERVAL_SECONDS = 45
const CACHE_INTERVAL_SECONDS = 3600

export interface Jobs {
  /** Adds a job per subject in the caller's transaction. A subject that already has a waiting or running job gets none. */
  enqueue(tx: Transaction<unknown>, queue: string, subjects: readonly string[]): Promise<void>
  /** Returns a job that is due, and no other process gets it until it fails or its process counts as dead. */
  take(queue: string): Promise<Job | undefined>
  /** A sign of life. Returns false if another process has the job by now. */
  keep(job: Job): Promise<boolean>
  /** Returns false if another process has the job by now. The job is then unchanged. */
  finish(job: Job): Promise<boolean>
  /** Schedules another attempt, or declares the job dead after the last one. Returns false as `finish` does. */
  fail(job: Job, reason: string): Promise<boolean>
  /** Returns a job that this process was asked to stop. The attempt does not count. */
  release(job: Job): Promise<void>
  /**
   * Adds a job at the times of the expression, in UTC. A time that passed while no process was running is made up for
   * once, unless a process died after it had noted its look and before it had made the job.
   */
  schedule(queue: string, cron: string): Promise<void>
  unschedule(queue: string): Promise<void>
  /** Fails the jobs whose process is dead or that take too long, and deletes old ones. */
  supervise(): Promise<void>
  /** Puts dead jobs back into their queues; all of them without ids. Returns how many. */
  retryDead(ids?: readonly string[]): Promise<number>
  stop(): Promise<void>
}

interface EngineOptions {
  readonly queues: readonly Queue[]
  /** Whether this process makes the jobs of the clock. */
  readonly keepsTime: boolean
  /** How often it looks whether one is due; 45 by default. */
  readonly clockIntervalSeconds?: number
  readonly onError: (error: unknown) => void
}

export async function startEngine(db: Database, options: EngineOptions): Promise<Jobs> {
  const { queues, keepsTime, clockIntervalSeconds = CLOCK_INTERVAL_SECONDS, onError } = options
  const boss = new PgBoss({
    db: toEngineDatabase(db),
    schema: SCHEMA,
    migrate: false,
    createSchema: false,
    schedule: keepsTime,
    // The runner asks for it when a job needs it, instead of a pass every minute.
    supervise: false,
    monitorIntervalSeconds: 1,
    maintenanceIntervalSeconds: 60,
    queueCacheIntervalSeconds: CACHE_INTERVAL_SECONDS,
    cronMonitorIntervalSeconds: clockIntervalSeconds,
    cronWorkerIntervalSeconds: clockIntervalSeconds,
    reindex: false,
    monitorVacuum: false,
  })
  boss.on('error', onError)
  try {
    await boss.start()
    await declareQueues(boss, queues)
  } catch (error) {
    await boss.stop({ graceful: false })
    throw error
  }
  return {
    enqueue: async (tx, queue, subjects) => {
      const jobs = subjects.map((id) => ({ data: { id }, singletonKey: id }))
      await boss.insert(queue, jobs, { db: toEngineDatabase(tx) })
    },
    take: async (queue) => {
      const [taken] = await boss.fetch<{ id?: string } | null>(queue)
      return taken && { id: taken.id, queue, subject: taken.data?.id ?? NO_SUBJECT, attempt: taken.retryCount + 1 }
    },
    keep: async (job) => wasChanged(await boss.touch(job.queue, toAttempt(job))),
    finish: async (job) => wasChanged(await boss.complete(job.queue, toAttempt(job))),
    fail: async (job, reason) => wasChanged(await boss.fail(job.queue, toAttempt(job), { reason })),
    release: (job) => release(db, job),
    schedule: (queue, cron) => boss.schedule(queue, cron, null, { tz: 'UTC', missed: 'once' }),
    unschedule: (queue) => boss.unschedule(queue),
    supervise: () => boss.supervise(),
    retryDead: (ids) => boss.redrive(DEAD_QUEUE, ids === undefined ? {} : { ids: [...ids] }),
    stop: () => boss.stop({ graceful: false }),
  }
}

async function declareQueues(boss: PgBoss, queues: readonly Queue[]): Promise<void> {
  await boss.createQueue(DEAD_QUEUE, { retentionSeconds: DEAD_SECONDS })
  for (const queue of queues) {
    const settings = {
      retryLimit: queue.maxAttempts - 1,
      retryBackoff: true,
      retryDelay: queue.retrySeconds,
      retryDelayMax: queue.maxRetrySeconds,
      expireInSeconds: queue.timeLimitSeconds,
      heartbeatSeconds: HEARTBEAT_SECONDS,
      retentionSeconds: WAITING_SECONDS,
      deleteAfterSeconds: queue.keptSeconds,
      deadLetter: DEAD_QUEUE,
    }
    // One waiting or running job per subject. Creating changes nothing if the queue exists.
    await boss.createQueue(queue.name, { ...settings, policy: 'exclusive' })
    await boss.updateQueue(queue.name, settings)
  }
}

/** pg-boss counts the attempts from 0, and changes a job only if this attempt is its newest. */
const toAttempt = ({ id, attempt }: Job) => ({ id, retryCount: attempt - 1 })

/** The declared type of the response lacks the number of jobs; the contract test would notice its absence. */
const wasChanged = (response: object) => 'affected' in response && response.affected === 1

async function release(db: Database, { queue, id, attempt }: Job): Promise<void> {
  await sql`
    update jobs.job
       set state = 'retry', start_after = now(), heartbeat_on = null, retry_limit = retry_limit + 1
     where name = ${queue} and id = ${id} and state = 'active' and retry_count = ${attempt - 1}
  `.execute(db)
}

/** Lets pg-boss send its statements through our pool, or within a transaction. */
function toEngineDatabase(db: Database): Db {
  return {
    executeSql: async (text, values = []) => {
      const { rows } = await db.executeQuery(CompiledQuery.raw(text, [...values]))
      return { rows }
    },
  }
}
