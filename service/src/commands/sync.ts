import { Command, Option } from 'commander'
import { type ExpectedFeed, expectFeeds } from '../catalog/publish/first-load/first-load.ts'
import type { SnapshotContext } from '../catalog/snapshot/make.ts'
import { makeDueSnapshot } from '../catalog/snapshot/schedule.ts'
import type { Config } from '../config.ts'
import type { Pool } from '../database/postgres.ts'
import type { Clock } from '../domain/clock.ts'
import { UsageError } from '../domain/usage-error.ts'
import { ZERO_COUNTERS } from '../feeds/engine/counters.ts'
import { readCursor, readDueFeeds } from '../feeds/engine/feed-status.ts'
import { dryRunFeed, type RunReport, runFeed } from '../feeds/engine/run.ts'
import type { ConfiguredFeed } from '../feeds/feed-definition.ts'
import { COMMON_GUARDS, TOO_MANY_REJECTIONS } from '../feeds/guard.ts'
import {
  chooseFeeds,
  describeMissingSetting,
  openFeedControlPool,
  openFeeds,
  type RunOptions,
  withRunDependencies,
} from '../runtime/feed-runner.ts'
import { listenForStop } from '../runtime/stop-signal.ts'
import { OLDER_BUNDLE, type OpenedBundle, openBundle, UNSIGNED_BUNDLE } from './bundle/verify.ts'
import { chooseClock, NOW_OPTION } from './input/clock-option.ts'
import { assertLoading, SAMPLE_FOLDER } from './input/sample.ts'
import { type CommandIo, readConfig } from './io.ts'
import { formatNumber, printJson, printNote, printTable } from './output/print.ts'
import { createProgressLine, type Screen } from './output/progress.ts'
import { createPublishProgress } from './output/publish-progress.ts'
import { buildReportTable, describeReports, isFailure, renderReport, type TimedReport } from './output/sync.ts'
import { describePublication, publishNow, withCatalogSession } from './publish-now.ts'

interface SyncOptions {
  readonly due?: boolean
  readonly from?: string
  readonly sample?: boolean
  readonly dryRun?: boolean
  readonly publish: boolean
  readonly allow?: readonly string[]
  readonly json?: boolean
  readonly now?: string
}

export function syncCommand(io: CommandIo): Command {
  return new Command('sync')
    .description('Download and store upstream feeds now')
    .argument('[feeds...]', 'Names of the feeds to run; all feeds if none is named')
    .option('--due', 'Run only feeds that are due')
    .option(
      '--from <directory>',
      'Read files from a directory instead of the network, and verify it if it is a bundle (docs/feeds.md)',
    )
    .addOption(
      new Option(
        '--sample',
        'Load the 100 well-known CVEs that come with this program into an empty database',
      ).conflicts(['from', 'due']),
    )
    .option('--dry-run', 'Read and check everything, store nothing, and report what would be written')
    .option(
      '--no-publish',
      'Store the data without publishing it; a worker or the command "vis-server catalog publish" publishes it later',
    )
    .option(
      '--allow <guards...>',
      'Store data that these guards (sanity checks such as too-many-removals) reject, in this run only; see docs/feeds.md',
    )
    .option('--json', 'Print JSON')
    .option(...NOW_OPTION)
    .action(async (names: string[], given: SyncOptions) => {
      const config = readConfig(io)
      const clock = chooseClock(config, given.now)
      const options = given.sample ? { ...given, from: SAMPLE_FOLDER } : given
      if (options.sample) await assertLoading(config)
      const all = await sync(config, names, options, { clock, screen: io.stderr })
      // The sample has no files of many feeds, which is no news.
      const reports = options.sample ? all.filter(({ outcome }) => outcome !== 'absent') : all
      if (options.json) printJson(io, reports.map(renderReport))
      else printReports(io, reports, options)
      if (reports.some((report) => isFailure(report, names, options.due))) io.exitCode = 1
      if (options.publish && !options.dryRun) await publishChanges(io, config, clock)
    })
}

/** Publishes the changes after all feeds have run. A failed publication does not undo the stored feed data. */
async function publishChanges(io: CommandIo, config: Config, clock: Clock): Promise<void> {
  const stop = listenForStop()
  try {
    const publication = await publishNow(config, { clock, signal: stop.signal, screen: io.stderr })
    printNote(io, describePublication(publication))
    if (publication.firstLoad === 'finished' && config.snapshots.isOn)
      await makeFirstSnapshot(io, config, { clock, signal: stop.signal })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    printNote(
      io,
      `The feed data is stored but could not be published: ${reason}. Try again: vis-server catalog publish`,
    )
    io.exitCode = 1
  } finally {
    stop.dispose()
  }
}

/** A worker makes the later ones. */
async function makeFirstSnapshot(
  io: CommandIo,
  config: Config,
  context: Pick<SnapshotContext, 'clock' | 'signal'>,
): Promise<void> {
  const line = createPublishProgress(io.stderr)
  const onRecords = (done: number) => line.show({ phase: 'snapshot', done, total: undefined })
  const made = await withCatalogSession(config, (session) =>
    makeDueSnapshot({ ...context, session, onRecords }, config.snapshots.hour),
  ).finally(() => line.clear())
  if (made) printNote(io, `Snapshot made: ${formatNumber(made.records)} records`)
}

interface SyncDependencies {
  readonly clock: Clock
  readonly screen: Screen
}

export async function sync(
  config: Config,
  names: readonly string[],
  options: Pick<SyncOptions, 'due' | 'from' | 'dryRun' | 'allow'>,
  { clock, screen }: SyncDependencies,
): Promise<readonly TimedReport[]> {
  const all = openFeeds(config)
  const named = chooseFeeds(all, names)
  const allowed = parseGuards(options.allow ?? [], all)
  const [stop, control] = [listenForStop(), openFeedControlPool(config)]
  try {
    const chosen = options.due ? await selectDue(control, named) : named
    const common = { control, clock, allowed, from: options.from, signal: stop.signal }
    const bundle = await openDirectory(config, chosen, common, screen)
    if (!options.dryRun)
      await expectFeeds(
        control.db,
        chosen.map((feed) => toExpected(feed, options.from)),
      )
    const run = (feed: ConfiguredFeed) =>
      runOne(
        config,
        feed,
        { ...common, collectedAt: bundle?.collectedAt.get(feed.feed.name) },
        { screen, isDryRun: options.dryRun ?? false },
      )
    return await runSequentially(chosen, stop.signal, run)
  } finally {
    stop.dispose()
    await control.close()
  }
}

async function openDirectory(
  config: Config,
  feeds: readonly ConfiguredFeed[],
  { from, control, allowed, signal }: RunOptions,
  screen: Screen,
): Promise<OpenedBundle | undefined> {
  if (from === undefined) return undefined
  const names = feeds.map(({ feed }) => feed.name)
  const bundle = await openBundle(config, { directory: from, feeds: names, allowed, db: control.db, signal, screen })
  for (const note of bundle.notes) screen.write(`${note}\n`)
  return bundle
}

async function runSequentially(
  feeds: readonly ConfiguredFeed[],
  signal: AbortSignal,
  run: (feed: ConfiguredFeed) => Promise<RunReport>,
): Promise<readonly TimedReport[]> {
  const reports: TimedReport[] = []
  for (const feed of feeds) {
    const startedAt = performance.now()
    const report = signal.aborted ? reportNotStarted(feed) : await run(feed)
    reports.push({ ...report, seconds: (performance.now() - startedAt) / 1000 })
  }
  return reports
}

async function runOne(
  config: Config,
  configured: ConfiguredFeed,
  options: RunOptions,
  { screen, isDryRun }: { readonly screen: Screen; readonly isDryRun: boolean },
): Promise<RunReport> {
  const missing = describeSkip(configured, options.from)
  if (missing !== undefined) return reportSkipped(configured, missing)
  const line = createProgressLine(screen, () => performance.now())
  const withProgress: RunOptions = { ...options, onProgress: (progress) => line.show(progress) }
  const report = await withRunDependencies(config, configured, withProgress, async (feed, dependencies) =>
    isDryRun
      ? dryRunFeed(feed, dependencies, await readCursor(dependencies.control, feed.name))
      : runFeed(feed, dependencies),
  )
  line.clear()
  return report
}

/** Files need no address. */
function describeSkip(feed: ConfiguredFeed, from: string | undefined): string | undefined {
  return from === undefined ? describeMissingSetting(feed) : undefined
}

const toExpected = (configured: ConfiguredFeed, from: string | undefined): ExpectedFeed => ({
  name: configured.feed.name,
  isSkipped: describeSkip(configured, from) !== undefined,
})

function reportNotStarted({ feed }: ConfiguredFeed): RunReport {
  const error = 'The feed was not started, because the command was stopped.'
  return { feed: feed.name, outcome: 'stopped', error, notices: [], ...ZERO_COUNTERS }
}

/** Reports a feed without a file. No run is recorded for it, so a data set that was never loaded stays so. */
function reportSkipped({ feed }: ConfiguredFeed, notice: string): RunReport {
  return { feed: feed.name, outcome: 'absent', error: null, notices: [notice], ...ZERO_COUNTERS }
}

async function selectDue(control: Pool, feeds: readonly ConfiguredFeed[]): Promise<readonly ConfiguredFeed[]> {
  const due = await readDueFeeds(
    control.db,
    feeds.map(({ feed }) => feed.name),
  )
  return feeds.filter(({ feed }) => due.includes(feed.name))
}

function parseGuards(names: readonly string[], all: readonly ConfiguredFeed[]): ReadonlySet<string> {
  const guards = [...COMMON_GUARDS, ...all.flatMap(({ feed }) => feed.guards)].map(({ name }) => name)
  const known = new Set([TOO_MANY_REJECTIONS, ...guards, OLDER_BUNDLE, UNSIGNED_BUNDLE])
  const unknown = names.find((name) => !known.has(name))
  if (unknown === undefined) return new Set(names)
  throw new UsageError(`There is no guard ${JSON.stringify(unknown)}. The guards are: ${[...known].join(', ')}.`)
}

function printReports(io: CommandIo, reports: readonly TimedReport[], options: SyncOptions): void {
  if (reports.length === 0) printNote(io, 'No feed is due. Show when each feed is due: vis-server feeds')
  else printTable(io, buildReportTable(reports))
  for (const sentence of describeReports(reports, options.dryRun)) printNote(io, sentence)
  if (options.dryRun) printNote(io, 'This was a dry run: nothing was stored.')
}
