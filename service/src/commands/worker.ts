import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Command } from 'commander'
import type { ExpectedFeed } from '../catalog/publish/first-load/first-load.ts'
import { readPublicationStatus } from '../catalog/reports/publication-status.ts'
import { readNewestSnapshot } from '../catalog/snapshot/status.ts'
import type { Config } from '../config.ts'
import type { Pool } from '../database/postgres.ts'
import { systemClock } from '../domain/clock.ts'
import { readDueFeeds, readFeedStates } from '../feeds/engine/feed-status.ts'
import { type RunReport, runFeed } from '../feeds/engine/run.ts'
import type { ConfiguredFeed } from '../feeds/feed-definition.ts'
import { createLog, type Log } from '../log.ts'
import { startEvaluator } from '../notify/evaluator.ts'
import {
  chooseFeeds,
  describeMissingSetting,
  openFeedControlPool,
  openFeeds,
  withRunDependencies,
} from '../runtime/feed-runner.ts'
import { startIdentity } from '../runtime/identity/identity.ts'
import { assertSignInSettings } from '../runtime/identity/settings.ts'
import { startJobs } from '../runtime/jobs/start-jobs.ts'
import { createOpsServer } from '../runtime/ops-server.ts'
import { assertNoPendingMigrations } from '../runtime/pending-migrations.ts'
import { startPublisher } from '../runtime/publisher.ts'
import { listenForStop } from '../runtime/stop-signal.ts'
import { type UncaughtErrors, watchForUncaughtErrors } from '../runtime/uncaught-errors.ts'
import { createWorkerMetrics, type WorkerMetrics } from '../runtime/worker-metrics.ts'
import {
  describeIdentityLogin,
  describeJobsLogin,
  describeLogin,
  describeNotifyLogin,
  isPermissionDenied,
} from './command-login.ts'
import { type CommandIo, readConfig } from './io.ts'

/** A dead worker's lease expires after 60 s, so its feed runs again within the promised two minutes. */
const POLL_INTERVAL_MS = 10_000

export function workerCommand(io: CommandIo): Command {
  return new Command('worker')
    .description(
      'Run every feed when it is due, decide about sign-ins, run jobs and judge changes against watches, until stopped; several workers may run at once',
    )
    .argument('[feeds...]', 'Names of the feeds to run; all feeds if none is named')
    .action(async (names: string[]) => {
      const config = readConfig(io)
      assertSignInSettings(config)
      const log = createLog(config.logLevel)
      const chosen = chooseFeeds(openFeeds(config), names)
      const feeds = chosen.filter((feed) => canDownload(feed, log))
      await assertNoPendingMigrations(config, log, { sets: ['catalog'] })
      const expected = chosen.map((each) => ({ name: each.feed.name, isSkipped: !feeds.includes(each) }))
      const uncaughtErrors = watchForUncaughtErrors(log)
      await runWorker(config, { feeds, expected }, log, uncaughtErrors)
      if (uncaughtErrors.hasOccurred) io.exitCode = 1
    })
}

function canDownload(configured: ConfiguredFeed, log: Log): boolean {
  const notice = describeMissingSetting(configured)
  if (notice !== undefined) log.info({ feed: configured.feed.name, notice }, 'feed notice')
  return notice === undefined
}

async function runWorker(
  config: Config,
  { feeds, expected }: { readonly feeds: readonly ConfiguredFeed[]; readonly expected: readonly ExpectedFeed[] },
  log: Log,
  uncaughtErrors: UncaughtErrors,
): Promise<void> {
  const [stop, control] = [listenForStop(), openFeedControlPool(config)]
  void uncaughtErrors.first.then(() => stop.stop('an uncaught error'))
  const metrics = createWorkerMetrics(
    feeds.map(({ feed }) => feed),
    systemClock,
  )
  const ops = createOpsServer(metrics, () => !stop.signal.aborted)
  ops.listen(config.http.workerOpsPort, config.http.opsHost)
  await once(ops, 'listening')
  const running = new Map<string, Promise<void>>()
  const publisher = startPublisher(config, { expected, log, metrics, signal: stop.signal })
  const jobs = startJobs(config, { log, metrics: metrics.jobs, describeProblem: describeJobsLogin })
  const identity = startIdentity(config, {
    log,
    metrics: metrics.identity,
    onMailAsked: () => jobs.wake(),
    describeProblem: describeIdentityLogin,
  })
  const evaluator = startEvaluator({
    accountsUrl: config.database.notifyUrl,
    catalogUrl: config.database.readUrl,
    log,
    metrics: metrics.notify,
    describeProblem: describeNotifyLogin,
  })
  log.info({ feeds: feeds.map(({ feed }) => feed.name), ops: ops.address() }, 'worker started')
  while (!stop.signal.aborted) {
    const idle = feeds.filter(({ feed }) => !running.has(feed.name))
    const freeSlots = config.feeds.concurrentRuns - running.size
    for (const configured of (await selectDue(control, idle, log)).slice(0, freeSlots)) {
      const { name } = configured.feed
      const run = runOnce(config, configured, { control, log, metrics, signal: stop.signal }).finally(() =>
        running.delete(name),
      )
      running.set(name, run)
    }
    await updateMetrics(control, feeds, metrics)
    await sleep(POLL_INTERVAL_MS, undefined, { signal: stop.signal }).catch(() => {})
  }
  log.info({ running: [...running.keys()] }, 'stopping: interrupted feed runs are repeated by the next worker')
  await Promise.all([publisher, jobs.stop(), identity.stop(), evaluator.stop(), ...running.values()])
  await control.close()
  ops.close()
  ops.closeAllConnections()
  log.info('stopped')
}

/** Returns no feeds while the database is unreachable, because its clock decides which feeds are due. */
async function selectDue(control: Pool, idle: readonly ConfiguredFeed[], log: Log): Promise<readonly ConfiguredFeed[]> {
  try {
    const due = await readDueFeeds(
      control.db,
      idle.map(({ feed }) => feed.name),
    )
    return idle.filter(({ feed }) => due.includes(feed.name))
  } catch (err) {
    const hint = isPermissionDenied(err) ? describeLogin('worker') : undefined
    log.error({ err, hint }, 'reading the due feeds failed')
    return []
  }
}

async function updateMetrics(control: Pool, feeds: readonly ConfiguredFeed[], metrics: WorkerMetrics): Promise<void> {
  const names = feeds.map(({ feed }) => feed.name)
  const now = systemClock()
  try {
    metrics.showFeeds(await readFeedStates(control.db, names))
    metrics.showPublication(await readPublicationStatus(control.db))
    metrics.showSnapshot(await readNewestSnapshot(control.db))
    metrics.showReadAt(now)
  } catch {
    // The database is unreachable, which selectDue has just logged. The metrics keep their last values, and
    // vis_worker_state_timestamp_seconds shows the age of the values.
  }
}

interface WorkerDependencies {
  readonly control: Pool
  readonly log: Log
  readonly metrics: WorkerMetrics
  readonly signal: AbortSignal
}

/** Errors are logged and never thrown, so that one feed cannot stop the others. */
async function runOnce(
  config: Config,
  configured: ConfiguredFeed,
  { control, log, metrics, signal }: WorkerDependencies,
): Promise<void> {
  const { name } = configured.feed
  const options = { control, signal, clock: systemClock, from: undefined, allowed: new Set<string>() }
  try {
    const report = await withRunDependencies(config, configured, options, runFeed)
    metrics.countRun(report)
    logReport(report, log)
  } catch (err) {
    log.error({ err, feed: name }, 'feed could not be run')
  }
}

function logReport({ notices, ...report }: RunReport, log: Log): void {
  for (const notice of notices) log.warn({ feed: report.feed, notice }, 'feed notice')
  if (report.outcome === 'succeeded') log.info(report, 'feed run succeeded')
  else if (report.outcome === 'busy') log.debug(report, 'feed is leased by another worker')
  else if (report.outcome === 'stopped') log.info(report, 'feed run interrupted')
  else log.error(report, 'feed run failed; the stored data is unchanged')
}
