import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Command } from 'commander'
import { readPublication } from '../catalog/reports/publication-status.ts'
import { type Config, loadConfig, loadEnvironment } from '../config.ts'
import type { Pool } from '../database/postgres.ts'
import { systemClock } from '../domain/clock.ts'
import { readDueFeeds, readFeedStates } from '../feeds/engine/feed-status.ts'
import { type RunReport, runFeed } from '../feeds/engine/run.ts'
import type { OpenedFeed } from '../feeds/feed-definition.ts'
import { createLog, type Log } from '../log.ts'
import { chooseFeeds, openControl, openFeeds, withRunTools } from '../runtime/feed-runner.ts'
import { createOpsServer } from '../runtime/ops-server.ts'
import { refusePendingMigrations } from '../runtime/pending-migrations.ts'
import { startPublisher } from '../runtime/publisher.ts'
import { stopSignal } from '../runtime/stop-signal.ts'
import { createWorkerMetrics, type WorkerMetrics } from '../runtime/worker-metrics.ts'

/** A dead worker's lease ends after a minute; this on top of it stays well below the two that we promise. */
const LOOK_EVERY_MS = 10_000

export function workerCommand(): Command {
  return new Command('worker')
    .description('run every feed when it is due, until told to stop; several workers may run at once')
    .argument('[feeds...]', 'only these feeds')
    .action(async (names: string[]) => {
      const config = loadConfig(loadEnvironment())
      const feeds = chooseFeeds(openFeeds(config), names)
      const log = createLog(config.logLevel)
      await refusePendingMigrations(config, log, { sets: ['catalog'] })
      await work(config, feeds, log)
    })
}

async function work(config: Config, feeds: readonly OpenedFeed[], log: Log): Promise<void> {
  const [stop, control] = [stopSignal(), openControl(config)]
  const metrics = createWorkerMetrics(feeds.map(({ feed }) => feed))
  const ops = createOpsServer(metrics, () => !stop.signal.aborted)
  ops.listen(config.http.workerOpsPort, config.http.opsHost)
  await once(ops, 'listening')
  const running = new Map<string, Promise<void>>()
  const publisher = startPublisher(config, { log, metrics, signal: stop.signal })
  log.info({ feeds: feeds.map(({ feed }) => feed.name), ops: ops.address() }, 'working')
  while (!stop.signal.aborted) {
    const idle = feeds.filter(({ feed }) => !running.has(feed.name))
    const free = config.feeds.concurrentRuns - running.size
    for (const opened of (await dueAmong(control, idle, log)).slice(0, free)) {
      const { name } = opened.feed
      const run = runOnce(config, opened, { control, log, metrics, signal: stop.signal }).finally(() =>
        running.delete(name),
      )
      running.set(name, run)
    }
    await showState(control, feeds, metrics)
    await sleep(LOOK_EVERY_MS, undefined, { signal: stop.signal }).catch(() => {})
  }
  log.info({ running: [...running.keys()] }, 'stopping: what is being read now will be read again')
  await Promise.all([publisher, ...running.values()])
  await control.close()
  ops.close()
  ops.closeAllConnections()
  log.info('stopped')
}

/** The database decides what is due; while it does not answer, nothing is. */
async function dueAmong(control: Pool, idle: readonly OpenedFeed[], log: Log): Promise<readonly OpenedFeed[]> {
  try {
    const due = await readDueFeeds(
      control.db,
      idle.map(({ feed }) => feed.name),
    )
    return idle.filter(({ feed }) => due.includes(feed.name))
  } catch (err) {
    log.error({ err }, 'cannot tell which feeds are due')
    return []
  }
}

async function showState(control: Pool, feeds: readonly OpenedFeed[], metrics: WorkerMetrics): Promise<void> {
  const names = feeds.map(({ feed }) => feed.name)
  const now = systemClock()
  try {
    metrics.showFeeds(await readFeedStates(control.db, names))
    metrics.showPublication(await readPublication(control.db))
    metrics.showReadAt(now)
  } catch {
    // The database does not answer, which the log has just been told. What is shown grows old, and says so.
  }
}

interface Surroundings {
  readonly control: Pool
  readonly log: Log
  readonly metrics: WorkerMetrics
  readonly signal: AbortSignal
}

/** Never throws: one feed's trouble is not another's. */
async function runOnce(
  config: Config,
  opened: OpenedFeed,
  { control, log, metrics, signal }: Surroundings,
): Promise<void> {
  const { name } = opened.feed
  const wishes = { control, signal, clock: systemClock, from: undefined, allowed: new Set<string>() }
  try {
    const report = await withRunTools(config, opened, wishes, runFeed)
    metrics.countRun(report)
    logReport(report, log)
  } catch (err) {
    log.error({ err, feed: name }, 'a feed could not be run')
  }
}

function logReport({ notices, ...report }: RunReport, log: Log): void {
  for (const notice of notices) log.warn({ feed: report.feed, notice }, 'something to know about a feed')
  if (report.outcome === 'succeeded') log.info(report, 'a feed was taken over')
  else if (report.outcome === 'busy') log.debug(report, 'another worker was faster')
  else if (report.outcome === 'stopped') log.info(report, 'a feed was interrupted')
  else log.error(report, 'a feed failed; the data we have stays as it is')
}
