// A definition lists the settings of a feed, from which the feed, its documentation and its error messages are derived.
// All names begin with FEED_.
import { describeSettingError, type Setting } from '../domain/setting.ts'
import { DATA_SOURCES, type SourceId } from '../domain/source/sources.ts'
import { type Feed, FeedError } from './feed.ts'

export interface FeedDefinition {
  readonly settings: readonly Setting<unknown>[]
  configure(environment: Environment): ConfiguredFeed
}

export type FeedDefinitions = Readonly<Record<SourceId, FeedDefinition>>

export interface ConfiguredFeed {
  readonly feed: Feed
  /** Hosts that the feed may connect to. As in URLs, a host includes the port unless it is the default port. */
  readonly hosts: readonly string[]
}

type FeedParts<Raw, Row> = Pick<Feed<Raw, Row>, 'fetch' | 'collect' | 'normalise' | 'store'> &
  Partial<Pick<Feed, 'guards' | 'hosts' | 'missingSetting' | 'readerVersion'>>

/** Adds the name and the schedule of the source that the feed imports. */
export function createFeed<Raw, Row>(id: SourceId, parts: FeedParts<Raw, Row>): Feed<Raw, Row> {
  const { intervalSeconds, staleAfterSeconds } = DATA_SOURCES[id]
  return { name: id, intervalSeconds, staleAfterSeconds, guards: [], ...parts }
}

type Environment = Readonly<Record<string, string>>

type SettingsByName<Values> = { readonly [Name in keyof Values]: Setting<Values[Name]> }

export function defineFeed<Values extends object>(
  settings: SettingsByName<Values>,
  createFeed: (values: Values) => Feed,
): FeedDefinition {
  return {
    settings: Object.values(settings),
    configure: (environment) => {
      const read = Object.entries<Setting<unknown>>(settings).map(([name, setting]) => [
        name,
        readSetting(setting, environment),
      ])
      // The type assertion is correct: each value was parsed by the setting of the same name.
      const values = Object.fromEntries(read) as Values
      const feed = createFeed(values)
      return { feed, hosts: [...Object.values(values).flatMap(extractHosts), ...(feed.hosts ?? [])] }
    },
  }
}

function readSetting(setting: Setting<unknown>, environment: Environment): unknown {
  const text = environment[setting.name]
  const value = text === undefined ? setting.fallback : setting.parse(text)
  if (value === undefined) throw new FeedError(`${describeSettingError(setting, text)} See docs/feeds.md.`)
  return value
}

function extractHosts(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(extractHosts)
  return typeof value === 'string' && /^https?:/i.test(value) ? [new URL(value).host] : []
}
