// A feed before its settings are known. What can be set is described here once, for the feed, its documentation and
// whoever mistypes it; the names begin with FEED_.
import { complaint, type Setting } from '../domain/setting.ts'
import { type Feed, FeedError } from './feed.ts'

export interface FeedPlan {
  readonly settings: readonly Setting<unknown>[]
  open(sent: Sent): OpenedFeed
}

export interface OpenedFeed {
  readonly feed: Feed
  /** Whom it may ask, as an address spells it. */
  readonly hosts: readonly string[]
}

/** Settings as the environment has them, by name. */
type Sent = Readonly<Record<string, string>>

type SettingsOf<Values> = { readonly [Name in keyof Values]: Setting<Values[Name]> }

export function feedPlan<Values extends object>(
  settings: SettingsOf<Values>,
  make: (values: Values) => Feed,
): FeedPlan {
  return {
    settings: Object.values(settings),
    open: (sent) => {
      const read = Object.entries<Setting<unknown>>(settings).map(([name, setting]) => [name, chosen(setting, sent)])
      // Each value was parsed by the setting of its name.
      const values = Object.fromEntries(read) as Values
      return { feed: make(values), hosts: Object.values(values).flatMap(hostsIn) }
    },
  }
}

function chosen(setting: Setting<unknown>, sent: Sent): unknown {
  const text = sent[setting.name]
  const value = text === undefined ? setting.fallback : setting.parse(text)
  if (value === undefined) throw new FeedError(`${complaint(setting, text)} See docs/feeds.md.`)
  return value
}

/** Every address among the settings, and every host that is named beside them. */
function hostsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(hostsIn)
  return typeof value === 'string' && /^https?:/i.test(value) ? [new URL(value).host] : []
}
