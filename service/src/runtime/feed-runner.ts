// What commands that run feeds have in common: the feeds with their settings, and the links they work with.
import { hostname } from 'node:os'
import type { Config } from '../config.ts'
import { nearest } from '../contract/did-you-mean.ts'
import { openPool, type Pool } from '../database/postgres.ts'
import { openSession } from '../database/session.ts'
import type { Clock } from '../domain/clock.ts'
import { UsageError } from '../domain/usage-error.ts'
import { openDownload } from '../feeds/download/open-download.ts'
import type { RunTools } from '../feeds/engine/run.ts'
import type { Feed } from '../feeds/feed.ts'
import type { OpenedFeed } from '../feeds/feed-definition.ts'
import { feedPlans } from '../feeds/index.ts'

const USER_AGENT = 'vulnerability-intelligence-service/0.1 (feeds; operated by whoever runs this address)'
/** Renewals of leases and records of runs: they must get through while a database is busy with a merge. */
const CONTROL = { poolSize: 3, statementTimeoutMs: 30_000, lockTimeoutMs: 20_000, acquireTimeoutMs: 20_000 }

/** Every feed, with its settings read and checked. */
export function openFeeds({ feedSettings }: Config): readonly OpenedFeed[] {
  const known = feedPlans.flatMap(({ settings }) => settings.map(({ name }) => name))
  const stranger = Object.keys(feedSettings).find((name) => !known.includes(name))
  if (stranger === undefined) return feedPlans.map((plan) => plan.open(feedSettings))
  const meant = nearest(stranger, known)
  throw new UsageError(
    `No feed has a setting ${stranger}.${meant ? ` Did you mean ${meant}?` : ''} docs/feeds.md lists them all.`,
  )
}

export function chooseFeeds(all: readonly OpenedFeed[], names: readonly string[]): readonly OpenedFeed[] {
  const known = all.map(({ feed }) => feed.name)
  const stranger = names.find((name) => !known.includes(name))
  if (stranger !== undefined)
    throw new UsageError(`There is no feed ${JSON.stringify(stranger)}. The feeds are: ${known.join(', ')}.`)
  return names.length === 0 ? all : all.filter(({ feed }) => names.includes(feed.name))
}

export function openControl(config: Config): Pool {
  return openPool(config.database.writeUrl, 'feeds', CONTROL, () => {})
}

export type RunOptions = Pick<RunTools, 'from' | 'allowed' | 'signal' | 'onProgress'> & {
  readonly control: Pool
  readonly clock: Clock
}

/** Runs with a connection of its own, which is closed afterwards. */
export async function withRunTools<T>(
  config: Config,
  { feed, hosts }: OpenedFeed,
  wishes: RunOptions,
  work: (feed: Feed, tools: RunTools) => Promise<T>,
): Promise<T> {
  const session = openSession(config.database.writeUrl, `feed-${feed.name}`)
  try {
    return await work(feed, {
      ...wishes,
      session,
      control: wishes.control.db,
      holder: `${hostname()}, process ${process.pid}`,
      openDownload: (signal) =>
        openDownload({
          userAgent: USER_AGENT,
          allowedHosts: hosts,
          privateHosts: config.feeds.privateHosts,
          signal,
          now: wishes.clock,
        }),
    })
  } finally {
    await session.close()
  }
}
