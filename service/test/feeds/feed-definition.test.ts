import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { address, secret } from '../../src/domain/setting.ts'
import { defineFeed } from '../../src/feeds/feed-definition.ts'
import { feedDefinitions } from '../../src/feeds/index.ts'
import { createFakeFeed } from './fake-feed.ts'

const definition = defineFeed(
  { url: address('FEED_FAKE_URL', 'https://fake.example/all'), key: secret('FEED_FAKE_KEY') },
  () => createFakeFeed([]),
)

describe('feed definition: settings', () => {
  it('uses default values and derives the allowed hosts from the URLs', () => {
    expect(definition.configure({}).hosts).toEqual(['fake.example'])
    expect(definition.configure({ FEED_FAKE_URL: 'https://mirror.lan:8443/all' }).hosts).toEqual(['mirror.lan:8443'])
  })

  it('throws an error that names the setting and the allowed values', () => {
    expect(() => definition.configure({ FEED_FAKE_URL: 'nonsense' })).toThrow(
      'FEED_FAKE_URL must be an address that starts with https://, such as https://fake.example/all, not "nonsense". See docs/feeds.md.',
    )
  })
})

describe('docs/feeds.md', () => {
  const text = readFileSync(new URL('../../../docs/feeds.md', import.meta.url), 'utf8')
  const configured = feedDefinitions.map((each) => each.configure({}))

  it('lists every setting of every feed with its default, and no other setting', () => {
    const shown = [...text.matchAll(/^\| `(FEED_\w+)` \| (.+?) \|/gm)].map(([, name, fallback]) => [name, fallback])
    // Two feeds of one upstream can share a setting, such as its key.
    const real = new Map(
      feedDefinitions.flatMap(({ settings }) => settings.map(({ name, fallback }) => [name, formatDefault(fallback)])),
    )
    expect(shown.sort()).toEqual([...real].sort())
  })

  it('lists every feed and every guard that an operator may override', () => {
    for (const { feed } of configured) expect(text).toContain(`| \`${feed.name}\` |`)
    for (const { feed } of configured) for (const { name } of feed.guards) expect(text).toContain(`\`${name}\``)
  })
})

function formatDefault(fallback: unknown): string {
  if (fallback === null || (Array.isArray(fallback) && fallback.length === 0)) return 'none'
  return (Array.isArray(fallback) ? fallback : [fallback]).map((each) => `\`${each}\``).join(', ')
}
