// A feed, run in this process by the same parts as vis-server's commands, with connections of its own each time.

import { loadConfig } from '../../../src/config.ts'
import { classifyDatabaseError } from '../../../src/database/classify-error.ts'
import { openDownload } from '../../../src/feeds/download/open-download.ts'
import { runFeed } from '../../../src/feeds/engine/run.ts'
import { openControl, openFeeds, type RunOptions, withRunTools } from '../../../src/runtime/feed-runner.ts'

export interface Told {
  /** `unreachable` and the like: there was no run yet that could have failed, and the command ends with that. */
  readonly outcome: string
  readonly words: string
}

export interface Errand {
  readonly feed: string
  /** Of the database. */
  readonly url: string
  readonly now: Date
  /** The directory to read from instead of the network. */
  readonly from?: string
  /** Where the feeds find their upstream. */
  readonly settings?: Readonly<Record<string, string>>
}

export async function runOnce({ feed: name, url, now, from, settings = {} }: Errand): Promise<Told> {
  const config = loadConfig({ NODE_ENV: 'test', DATABASE_URL: url, ...settings })
  const opened = openFeeds(config).find(({ feed }) => feed.name === name)
  if (!opened) throw new Error(`there is no feed ${name}`)
  const control = openControl(config)
  const wishes: RunOptions = {
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
    // A patient guest, in a hurry.
    sleep: () => Promise.resolve(),
  }
  try {
    const { outcome, fault } = await withRunTools(config, opened, wishes, (feed, tools) =>
      runFeed(feed, { ...tools, openDownload: (signal) => openDownload({ ...download, signal }) }),
    )
    return { outcome, words: fault ?? '' }
  } catch (error) {
    return { outcome: classifyDatabaseError(error), words: String(error) }
  } finally {
    await control.close()
  }
}
