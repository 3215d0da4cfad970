import { once } from 'node:events'
import { Registry } from '@prometheus-io/client'
import { Command } from 'commander'
import type { Config } from '../config.ts'
import { type Database, openPool } from '../database/postgres.ts'
import { formatInstant } from '../domain/instant.ts'
import { UsageError } from '../domain/usage-error.ts'
import { startEngine } from '../jobs/engine.ts'
import { type DeadJob, type ListedJob, listDeadJobs, listJobs, readQueueStates } from '../jobs/read-jobs.ts'
import { createLog, type Log } from '../log.ts'
import { createJobMetrics } from '../runtime/jobs/metrics.ts'
import { QUEUE_NAMES } from '../runtime/jobs/queues.ts'
import { startJobs } from '../runtime/jobs/start-jobs.ts'
import { createOpsServer } from '../runtime/ops-server.ts'
import { assertNoPendingMigrations } from '../runtime/pending-migrations.ts'
import { listenForStop } from '../runtime/stop-signal.ts'
import { watchForUncaughtErrors } from '../runtime/uncaught-errors.ts'
import { describeJobsLogin } from './command-login.ts'
import { type CommandIo, readConfig } from './io.ts'
import { printJson, printLine, printNote, printTable, renderRow } from './output/print.ts'

/** Enough for a person to read. JSON output has the same limit. */
const MAX_LISTED = 1000
const ID_PATTERN = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

interface Options {
  readonly json?: boolean
}

interface RetryOptions extends Options {
  readonly all?: boolean
}

export function jobsCommand(io: CommandIo): Command {
  const jobs = new Command('jobs')
    .description(
      'Run jobs (mails, snapshots, maintenance) until stopped; "vis-server worker" does this too. Commands: list, dead, retry',
    )
    .action(() => run(io))
  const command = (usage: string, description: string) =>
    jobs.command(usage).description(description).option('--json', 'Print JSON')
  command('list', 'List the queues, and the jobs that are waiting or running').action((options: Options) =>
    list(io, options),
  )
  command('dead', 'List the jobs that failed for the last time').action((options: Options) => listDead(io, options))
  command('retry [ids...]', 'Put dead jobs back into their queues')
    .option('--all', 'All dead jobs')
    .action((ids: string[], options: RetryOptions) => retry(io, ids, options))
  return jobs
}

async function run(io: CommandIo): Promise<void> {
  const config = readConfig(io)
  const log = createLog(config.logLevel)
  await assertNoPendingMigrations(config, log, { accountsUrl: config.database.jobsUrl })
  const uncaughtErrors = watchForUncaughtErrors(log)
  const stop = listenForStop()
  void uncaughtErrors.first.then(() => stop.stop('an uncaught error'))
  await runUntilStopped(config, log, stop.signal)
  if (uncaughtErrors.hasOccurred) io.exitCode = 1
}

async function runUntilStopped(config: Config, log: Log, signal: AbortSignal): Promise<void> {
  const registry = new Registry()
  const page = { text: () => registry.metrics(), contentType: registry.contentType }
  const ops = createOpsServer(page, () => !signal.aborted)
  const jobs = startJobs(config, { log, metrics: createJobMetrics(registry), describeProblem: describeJobsLogin })
  ops.listen(config.http.workerOpsPort, config.http.opsHost)
  await once(ops, 'listening')
  log.info({ ops: ops.address() }, 'running jobs')
  if (!signal.aborted) await once(signal, 'abort')
  await jobs.stop()
  ops.close()
  ops.closeAllConnections()
  log.info('stopped')
}

async function list(io: CommandIo, { json }: Options): Promise<void> {
  const [queues, jobs] = await withDatabase(io, async (db) => [
    await readQueueStates(db, QUEUE_NAMES),
    await listJobs(db, QUEUE_NAMES, MAX_LISTED),
  ])
  if (json) return printJson(io, { queues: queues.map(renderRow), jobs: jobs.map(renderRow) })
  printTable(io, {
    headings: ['queue', 'waiting', 'running', 'failed', 'dead', 'last finished'],
    rows: queues.map((each) => [
      each.queue,
      each.waiting,
      each.running,
      each.failed,
      each.dead,
      each.lastFinishedAt === null ? '-' : formatInstant(each.lastFinishedAt),
    ]),
  })
  if (jobs.length === 0) return
  printLine(io, '')
  printTable(io, {
    headings: ['id', 'queue', 'subject', 'state', 'attempts', 'made', 'due or begun', 'reason'],
    rows: jobs.map(describeListed),
  })
}

const describeListed = ({ id, queue, subject, state, attempts, createdAt, at, reason }: ListedJob) => [
  id,
  queue,
  subject || '-',
  state,
  attempts,
  formatInstant(createdAt),
  formatInstant(at),
  reason ?? '-',
]

async function listDead(io: CommandIo, { json }: Options): Promise<void> {
  const jobs = await withDatabase(io, (db) => listDeadJobs(db, MAX_LISTED))
  if (json) return printJson(io, jobs.map(renderRow))
  if (jobs.length === 0) return printNote(io, 'There are no dead jobs.')
  printTable(io, {
    headings: ['id', 'queue', 'subject', 'attempts', 'made', 'died', 'reason'],
    rows: jobs.map(describeDead),
  })
}

const describeDead = ({ id, queue, subject, attempts, createdAt, diedAt, reason }: DeadJob) => [
  id,
  queue,
  subject || '-',
  attempts,
  formatInstant(createdAt),
  formatInstant(diedAt),
  reason ?? '-',
]

async function retry(io: CommandIo, ids: readonly string[], { json, all = false }: RetryOptions): Promise<void> {
  if (all === ids.length > 0)
    throw new UsageError('Name the ids of dead jobs ("vis-server jobs dead" lists them), or use --all.')
  const wrong = ids.find((id) => !ID_PATTERN.test(id))
  if (wrong !== undefined) throw new UsageError(`"${wrong}" is no id of a job. "vis-server jobs dead" lists the ids.`)
  const retried = await withDatabase(io, async (db) => {
    const engine = await startEngine(db, { queues: [], keepsTime: false, onError: () => {} })
    try {
      return await engine.retryDead(all ? undefined : ids)
    } finally {
      await engine.stop()
    }
  })
  if (json) return printJson(io, { retried })
  if (!all && retried < ids.length)
    printNote(io, 'A job is left out if it is not dead, or if a newer job for the same subject is waiting or running.')
  printLine(io, `${retried} ${retried === 1 ? 'job is' : 'jobs are'} waiting for another attempt.`)
}

async function withDatabase<T>(io: CommandIo, work: (db: Database) => Promise<T>): Promise<T> {
  const { database } = readConfig(io)
  const pool = openPool(database.jobsUrl, 'jobs', { ...database.limits, poolSize: 2 }, () => {})
  try {
    return await work(pool.db)
  } finally {
    await pool.close()
  }
}
