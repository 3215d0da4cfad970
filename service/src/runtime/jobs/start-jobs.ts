// Runs the jobs of the service: mails, and what the clock starts. It is part of `vis-server worker`, or runs alone as
// `vis-server jobs`; several may run at once, with the same settings.
import { setTimeout as sleep } from 'node:timers/promises'
import { maintainLedger } from '../../accounts/credits/ledger-maintenance.ts'
import { deleteOldSignInData } from '../../accounts/people/old-data.ts'
import type { Config } from '../../config.ts'
import { type Database, openPool, type Pool } from '../../database/postgres.ts'
import { type Jobs, startEngine } from '../../jobs/engine.ts'
import { NO_SUBJECT } from '../../jobs/queue.ts'
import { readQueueStates } from '../../jobs/read-jobs.ts'
import { type Runner, startRunner, type Work } from '../../jobs/runner.ts'
import { type Log, readErrorCode } from '../../log.ts'
import { deleteOldEvents } from '../../notify/old-events.ts'
import { createServerCheck, type ServerCheck } from '../mail/check-server.ts'
import { buildLink } from '../mail/link.ts'
import { createMailServer, type MailServer } from '../mail/smtp.ts'
import { createChangeLogWork, createSnapshotWork } from './catalog-work.ts'
import type { JobMetrics } from './metrics.ts'
import {
  CHANGE_LOG,
  LEDGER,
  OLD_EVENTS,
  QUEUES,
  SIGN_IN_DATA,
  SNAPSHOT,
  TIMED_QUEUES,
  type TimedQueue,
} from './queues.ts'
import { createMailWork } from './send-mail.ts'

/** Statements of the engine and of mails are short, so few connections suffice. */
const JOBS_POOL_SIZE = 3
const MAIL_POOL_SIZE = 2
/** One connection per queue that uses them: its statements may take long, and no queue waits for another. */
const MAINTENANCE_POOL_SIZE = 3
/** Summing up a portion of the ledger takes longer than other statements may. */
const MAINTENANCE_TIMEOUT_MS = 120_000
const RETRY_DELAY_MS = 5000
const STATE_INTERVAL_MS = 15_000

export interface JobOptions {
  readonly log: Log
  readonly metrics: JobMetrics
  /** Returns a hint for the operator if the database login lacks the rights that jobs need. */
  readonly describeProblem?: (error: unknown) => string | undefined
}

export interface RunningJobs {
  /** Looks for jobs at once, for example because a mail was just asked for. */
  wake(): void
  /** Stops taking jobs, and waits for the running ones. */
  stop(): Promise<void>
}

export function startJobs(config: Config, options: JobOptions): RunningJobs {
  const stopping = new AbortController()
  const pools = openPools(config, options.log)
  let runner: Runner | undefined
  const run = async () => {
    const jobs = await startWhenPossible(config, pools.jobs, options, stopping.signal)
    if (!jobs) return
    const mail = openMail(config, options)
    const works = createWorks(config, pools, jobs, { ...options, mail })
    runner = startRunner({
      db: pools.jobs.db,
      jobs,
      works,
      log: options.log,
      onResult: (queue, result) => options.metrics.countJob(queue, result),
    })
    await repeatEvery(STATE_INTERVAL_MS, stopping.signal, async () => {
      await showStates(pools.jobs, works, options)
      await mail?.check.recheck()
    })
    await runner.stop()
    await jobs.stop().catch((err: unknown) => options.log.warn({ err }, 'the engine of the jobs did not stop in order'))
  }
  const ran = run()
  return {
    wake: () => runner?.wake(),
    stop: async () => {
      stopping.abort()
      await ran
      await Promise.all(Object.values(pools).map((pool) => pool.close()))
    },
  }
}

interface Pools {
  readonly jobs: Pool
  readonly maintenance: Pool
  readonly identity: Pool
}

/** A pool connects on first use, so an unused pool costs nothing. */
function openPools({ database }: Config, log: Log): Pools {
  const open = (pool: string, url: string, poolSize: number, statementTimeoutMs = database.limits.statementTimeoutMs) =>
    openPool(url, pool, { ...database.limits, poolSize, statementTimeoutMs }, ({ message }) =>
      log.warn({ message, pool }, 'idle database connection lost'),
    )
  return {
    jobs: open('jobs', database.jobsUrl, JOBS_POOL_SIZE),
    maintenance: open('maintenance', database.jobsUrl, MAINTENANCE_POOL_SIZE, MAINTENANCE_TIMEOUT_MS),
    identity: open('mail', database.identityUrl, MAIL_POOL_SIZE),
  }
}

/** Retries until the database is reachable and the login has its rights. Returns undefined if stopped before. */
async function startWhenPossible(
  config: Config,
  { db }: Pool,
  { log, describeProblem }: JobOptions,
  signal: AbortSignal,
): Promise<Jobs | undefined> {
  for (let attempts = 0; !signal.aborted; attempts += 1) {
    try {
      const onError = (err: unknown) => log.warn({ err }, 'the engine of the jobs reports an error')
      const jobs = await startEngine(db, { queues: QUEUES, keepsTime: true, onError })
      try {
        await setClock(config, db, jobs)
        return jobs
      } catch (error) {
        await jobs.stop()
        throw error
      }
    } catch (err) {
      if (attempts === 0) log.error({ err, hint: describeProblem?.(err) }, 'jobs cannot be started; retrying')
      await sleep(RETRY_DELAY_MS, undefined, { signal }).catch(() => {})
    }
  }
  return undefined
}

interface Mail {
  readonly server: MailServer
  readonly check: ServerCheck
}

/** Returns undefined if no mails are sent. */
function openMail({ signIn: { smtpUrl, mailFrom } }: Config, { log, metrics }: JobOptions): Mail | undefined {
  if (smtpUrl === null || mailFrom === null) return undefined
  const server = createMailServer(smtpUrl, mailFrom)
  metrics.showMailServer(false)
  const check = createServerCheck(server, (isDelayed, error) => {
    metrics.showMailServer(isDelayed)
    if (isDelayed) log.warn({ code: readErrorCode(error) }, 'the mail server does not respond: mails wait')
    else log.info('the mail server responds again')
  })
  return { server, check }
}

interface WorkOptions extends JobOptions {
  readonly mail: Mail | undefined
}

function createWorks(config: Config, pools: Pools, jobs: Jobs, { log, metrics, mail }: WorkOptions): readonly Work[] {
  const works: Work[] = [
    { queue: LEDGER, concurrency: 1, run: (_, signal) => maintainLedger(pools.maintenance.db, signal) },
    { queue: SIGN_IN_DATA, concurrency: 1, run: () => deleteOldSignInData(pools.maintenance.db) },
    {
      queue: OLD_EVENTS,
      concurrency: 1,
      run: async (_, signal) => void (await deleteOldEvents(pools.maintenance.db, signal)),
    },
  ]
  if (config.snapshots.isOn) works.push(createSnapshotWork(config, log), createChangeLogWork(config, log))
  if (!mail) return works
  const sending = createMailWork({
    jobs,
    accounts: pools.jobs.db,
    identity: pools.identity.db,
    server: mail.server,
    buildLink: (token) => buildLink(config.http, token),
    isServerReady: () => mail.check.isReady(),
    onMail: (result) => metrics.countMail(result),
  })
  return [...works, sending]
}

/**
 * Each timed queue also gets a job now: the engine may lose a time of the clock if a process dies at the wrong moment,
 * and a job that is not needed finds nothing to do. A queue that is switched off must not collect jobs that nobody runs;
 * without snapshots, all changes are kept.
 */
async function setClock({ snapshots }: Config, db: Database, jobs: Jobs): Promise<void> {
  const off: readonly TimedQueue[] = snapshots.isOn ? [] : [SNAPSHOT, CHANGE_LOG]
  for (const queue of TIMED_QUEUES) {
    if (off.includes(queue)) {
      await jobs.unschedule(queue.name)
    } else {
      await jobs.schedule(queue.name, queue.cron)
      await db.transaction().execute((tx) => jobs.enqueue(tx, queue.name, [NO_SUBJECT]))
    }
  }
}

/** While the database is unreachable, the last state stays visible. */
async function showStates({ db }: Pool, works: readonly Work[], { metrics }: JobOptions): Promise<void> {
  const names = works.map(({ queue }) => queue.name)
  const states = await readQueueStates(db, names).catch(() => undefined)
  if (states) metrics.showQueues(states)
}

async function repeatEvery(intervalMs: number, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    await work()
    await sleep(intervalMs, undefined, { signal }).catch(() => {})
  }
}
