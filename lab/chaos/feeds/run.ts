// Runs a feed inside the test process with the same modules as vis-server, and with new database connections for each
// run.
import { loadConfig } from '../../../service/src/config.ts'
import { classifyDatabaseError } from '../../../service/src/database/classify-error.ts'
import { openDownload } from '../../../service/src/feeds/download/open-download.ts'
import { runFeed } from '../../../service/src/feeds/engine/run.ts'
import {
  openFeedControlPool,
  openFeeds,
  type RunOptions,
  withRunDependencies,
} from '../../../service/src/runtime/feed-runner.ts'

export interface RunReport {
  /**
   * Outcome of the feed run, or the type of a database error that occurred before the run began, such as `unreachable`.
   */
  readonly outcome: string
  /** Error message of the feed run; empty if the run succeeded. */
  readonly error: string
}

export interface FeedRunOptions {
  readonly feed: string
  /** Database URL. */
  readonly url: string
  readonly now: Date
  /** Directory from which the feed reads its files. Without a directory, the feed downloads its files. */
  readonly from?: string
  /** Settings that contain the addresses of the upstream servers. */
  readonly settings?: Readonly<Record<string, string>>
}

export async function runOnce({ feed: name, url, now, from, settings = {} }: FeedRunOptions): Promise<RunReport> {
  const config = loadConfig({ NODE_ENV: 'test', DATABASE_URL: url, ...settings })
  const opened = openFeeds(config).find(({ feed }) => feed.name === name)
  if (!opened) throw new Error(`There is no feed ${name}.`)
  const control = openFeedControlPool(config)
  const options: RunOptions = {
    control,
    from,
    signal: new AbortController().signal,
    clock: () => now,
    allowed: new Set(),
  }
  const download = {
    userAgent: 'vis-test',
    allowedHosts: opened.hosts,
    privateHosts: config.feeds.privateHosts,
    now: () => now,
    // The sleep function returns immediately, so that retries do not wait.
    sleep: () => Promise.resolve(),
  }
  try {
    const { outcome, error } = await withRunDependencies(config, opened, options, (feed, tools) =>
      runFeed(feed, { ...tools, openDownload: (signal) => openDownload({ ...download, signal }) }),
    )
    return { outcome, error: error ?? '' }
  } catch (error) {
    return { outcome: classifyDatabaseError(error), error: String(error) }
  } finally {
    await control.close()
  }
}
