import { Command } from 'commander'
import { type Config, loadConfig, loadEnvironment } from '../config.ts'
import type { Pool } from '../database/postgres.ts'
import type { Clock } from '../domain/clock.ts'
import { UsageError } from '../domain/usage-error.ts'
import { NO_COUNTS } from '../feeds/engine/counters.ts'
import { readCursor, readDueFeeds } from '../feeds/engine/feed-status.ts'
import { type RunReport, rehearseFeed, runFeed } from '../feeds/engine/run.ts'
import type { OpenedFeed } from '../feeds/feed-definition.ts'
import { GUARDS_OF_EVERY_FEED, REFUSE_REJECTIONS } from '../feeds/guard.ts'
import { chooseFeeds, openControl, openFeeds, type RunOptions, withRunTools } from '../runtime/feed-runner.ts'
import { stopSignal } from '../runtime/stop-signal.ts'
import { chooseClock } from './input/clock-option.ts'
import { remark, say, sayJson } from './output/print.ts'
import { progressLine } from './output/progress.ts'
import { isTrouble, remarksOn, renderReport, reportTable, type TimedReport } from './output/sync.ts'
import { publicationLine, publishNow } from './publish-now.ts'

interface Wish {
  readonly due?: boolean
  readonly from?: string
  readonly dryRun?: boolean
  readonly publish: boolean
  readonly allow?: readonly string[]
  readonly json?: boolean
  readonly now?: string
}

export function syncCommand(): Command {
  return new Command('sync')
    .description('take over what upstream feeds say, now')
    .argument('[feeds...]', 'which ones; all of them if none is named')
    .option('--due', 'only those whose time has come')
    .option('--from <directory>', 'read files from a directory instead of the network (docs/feeds.md has their names)')
    .option('--dry-run', 'do everything but store it, and say what would have been written')
    .option('--no-publish', 'leave it to a worker, or to vis-server catalog publish, to publish what changed')
    .option('--allow <guards...>', 'overrule guards by name, for this run only')
    .option('--json', 'print JSON, for scripts')
    .option('--now <time>', 'pretend that it is this time (for demonstrations and tests)')
    .action(async (names: string[], wish: Wish) => {
      const config = loadConfig(loadEnvironment())
      const clock = chooseClock(config, wish.now)
      const reports = await sync(config, names, wish, clock)
      if (wish.json) sayJson(reports.map(renderReport))
      else present(reports, wish)
      if (reports.some((each) => isTrouble(each, names, wish.due))) process.exitCode = 1
      if (wish.publish && !wish.dryRun) await publishWhatChanged(config, clock)
    })
}

/** After the feeds have had their say: what they have stored is stored, whatever happens here. */
async function publishWhatChanged(config: Config, clock: Clock): Promise<void> {
  const stop = stopSignal()
  try {
    remark(publicationLine(await publishNow(config, clock, stop.signal)))
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    remark(`What changed is stored, but could not be published: ${why}. Try again with: vis-server catalog publish`)
    process.exitCode = 1
  } finally {
    stop.forget()
  }
}

export async function sync(
  config: Config,
  names: readonly string[],
  wish: Pick<Wish, 'due' | 'from' | 'dryRun' | 'allow'>,
  clock: Clock,
): Promise<readonly TimedReport[]> {
  const all = openFeeds(config)
  const asked = chooseFeeds(all, names)
  const allowed = readGuards(wish.allow ?? [], all)
  const [stop, control] = [stopSignal(), openControl(config)]
  const wishes = { control, clock, allowed, from: wish.from, signal: stop.signal }
  try {
    const chosen = wish.due ? await onlyDue(control, asked) : asked
    const run = (opened: OpenedFeed) => runOne(config, opened, wishes, wish.dryRun ?? false)
    return await oneAfterAnother(chosen, stop.signal, run)
  } finally {
    stop.forget()
    await control.close()
  }
}

async function oneAfterAnother(
  chosen: readonly OpenedFeed[],
  signal: AbortSignal,
  run: (opened: OpenedFeed) => Promise<RunReport>,
): Promise<readonly TimedReport[]> {
  const reports: TimedReport[] = []
  for (const opened of chosen) {
    const startedAt = performance.now()
    const report = signal.aborted ? notBegun(opened) : await run(opened)
    reports.push({ ...report, seconds: (performance.now() - startedAt) / 1000 })
  }
  return reports
}

async function runOne(config: Config, opened: OpenedFeed, wishes: RunOptions, isDryRun: boolean): Promise<RunReport> {
  const line = progressLine(process.stderr, () => performance.now())
  const shown: RunOptions = { ...wishes, onProgress: (progress) => line.show(progress) }
  const report = await withRunTools(config, opened, shown, async (feed, tools) =>
    isDryRun ? rehearseFeed(feed, tools, await readCursor(tools.control, feed.name)) : runFeed(feed, tools),
  )
  line.clear()
  return report
}

function notBegun({ feed }: OpenedFeed): RunReport {
  const fault = 'It was not begun: the command was told to stop.'
  return { feed: feed.name, outcome: 'stopped', fault, notices: [], ...NO_COUNTS }
}

async function onlyDue(control: Pool, asked: readonly OpenedFeed[]): Promise<readonly OpenedFeed[]> {
  const due = await readDueFeeds(
    control.db,
    asked.map(({ feed }) => feed.name),
  )
  return asked.filter(({ feed }) => due.includes(feed.name))
}

function readGuards(names: readonly string[], all: readonly OpenedFeed[]): ReadonlySet<string> {
  const guards = [...GUARDS_OF_EVERY_FEED, ...all.flatMap(({ feed }) => feed.guards)].map(({ name }) => name)
  const known = new Set([REFUSE_REJECTIONS, ...guards])
  const stranger = names.find((name) => !known.has(name))
  if (stranger === undefined) return new Set(names)
  throw new UsageError(`There is no guard ${JSON.stringify(stranger)}. The guards are: ${[...known].join(', ')}.`)
}

function present(reports: readonly TimedReport[], wish: Wish): void {
  if (reports.length === 0) remark('No feed is due. vis-server feeds shows when they are.')
  else say(reportTable(reports))
  for (const each of remarksOn(reports, wish.dryRun)) remark(each)
  if (wish.dryRun) remark('This was a rehearsal: nothing was stored.')
}
