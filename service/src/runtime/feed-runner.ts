// Functions shared by the commands that run feeds: they create the configured feeds and the dependencies of a run.
import { hostname } from 'node:os'
import type { Config } from '../config.ts'
import { findNearest } from '../contract/request/did-you-mean.ts'
import { openPool, type Pool } from '../database/postgres.ts'
import { openSession } from '../database/session.ts'
import type { Clock } from '../domain/clock.ts'
import { UsageError } from '../domain/usage-error.ts'
import { openDownload } from '../feeds/download/open-download.ts'
import type { Download } from '../feeds/download.ts'
import type { RunDependencies } from '../feeds/engine/run.ts'
import type { Feed } from '../feeds/feed.ts'
import type { ConfiguredFeed } from '../feeds/feed-definition.ts'
import { feedDefinitions } from '../feeds/index.ts'

const USER_AGENT = 'vulnerability-intelligence-service/0.1 (feed import)'
/** The timeouts are long enough for a database that is busy with a merge. */
const CONTROL_LIMITS = { poolSize: 3, statementTimeoutMs: 30_000, lockTimeoutMs: 20_000, acquireTimeoutMs: 20_000 }

/** Throws if a FEED_ setting is unknown or invalid. */
export function openFeeds({ feedSettings }: Pick<Config, 'feedSettings'>): readonly ConfiguredFeed[] {
  const known = feedDefinitions.flatMap(({ settings }) => settings.map(({ name }) => name))
  const unknown = Object.keys(feedSettings).find((name) => !known.includes(name))
  if (unknown === undefined) return feedDefinitions.map((definition) => definition.configure(feedSettings))
  const suggestion = findNearest(unknown, known)
  throw new UsageError(
    `No feed has a setting ${unknown}.${suggestion ? ` Did you mean ${suggestion}?` : ''} docs/feeds.md lists all settings.`,
  )
}

/** Returns all feeds if no names are given. */
export function chooseFeeds(all: readonly ConfiguredFeed[], names: readonly string[]): readonly ConfiguredFeed[] {
  const known = all.map(({ feed }) => feed.name)
  const unknown = names.find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw new UsageError(`There is no feed ${JSON.stringify(unknown)}. The feeds are: ${known.join(', ')}.`)
  return names.length === 0 ? all : all.filter(({ feed }) => names.includes(feed.name))
}

/** The reason why the feed cannot download, or undefined if it can. */
export function describeMissingSetting({ feed }: ConfiguredFeed): string | undefined {
  return feed.missingSetting === undefined
    ? undefined
    : `Skipped: no address of this upstream is known. Set ${feed.missingSetting}, or import files with --from.`
}

export function openFeedDownload(
  { feeds: { privateHosts } }: Pick<Config, 'feeds'>,
  { hosts }: Pick<ConfiguredFeed, 'hosts'>,
  { signal, clock }: { readonly signal: AbortSignal; readonly clock: Clock },
): Download {
  return openDownload({ userAgent: USER_AGENT, allowedHosts: hosts, privateHosts, signal, now: clock })
}

export function openFeedControlPool(config: Config): Pool {
  return openPool(config.database.writeUrl, 'feeds', CONTROL_LIMITS, () => {})
}

export type RunOptions = Pick<RunDependencies, 'from' | 'collectedAt' | 'allowed' | 'signal' | 'onProgress'> & {
  readonly control: Pool
  readonly clock: Clock
}

export async function withRunDependencies<T>(
  config: Config,
  { feed, hosts }: ConfiguredFeed,
  options: RunOptions,
  work: (feed: Feed, dependencies: RunDependencies) => Promise<T>,
): Promise<T> {
  const session = openSession(config.database.writeUrl, `feed-${feed.name}`)
  try {
    return await work(feed, {
      ...options,
      session,
      control: options.control.db,
      holder: `${hostname()}, process ${process.pid}`,
      openDownload: (signal) => openFeedDownload(config, { hosts }, { signal, clock: options.clock }),
    })
  } finally {
    await session.close()
  }
}
