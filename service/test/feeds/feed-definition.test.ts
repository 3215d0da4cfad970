import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { address, secret } from '../../src/domain/setting.ts'
import { feedPlan } from '../../src/feeds/feed-definition.ts'
import { feedPlans } from '../../src/feeds/index.ts'
import { toyFeed } from './toy-feed.ts'

const plan = feedPlan({ url: address('FEED_TOY_URL', 'https://toys.example/all'), key: secret('FEED_TOY_KEY') }, () =>
  toyFeed([]),
)

describe('the settings of a feed', () => {
  it('have defaults, and decide whom it may ask', () => {
    expect(plan.open({}).hosts).toEqual(['toys.example'])
    expect(plan.open({ FEED_TOY_URL: 'https://mirror.lan:8443/toys' }).hosts).toEqual(['mirror.lan:8443'])
  })

  it('say what is allowed when they are something else, and never repeat a secret', () => {
    expect(() => plan.open({ FEED_TOY_URL: 'toys' })).toThrow(
      'FEED_TOY_URL must be an address that starts with https://, such as https://toys.example/all, not "toys". See docs/feeds.md.',
    )
  })
})

describe('docs/feeds.md', () => {
  const text = readFileSync(new URL('../../../docs/feeds.md', import.meta.url), 'utf8')
  const opened = feedPlans.map((each) => each.open({}))

  it('names every setting of every feed with its default, and no other', () => {
    const shown = [...text.matchAll(/^\| `(FEED_\w+)` \| (.+?) \|/gm)].map(([, name, fallback]) => [name, fallback])
    const real = feedPlans.flatMap(({ settings }) => settings.map(({ name, fallback }) => [name, inDocs(fallback)]))
    expect(shown).toEqual(real)
  })

  it('names every feed, and every guard that an operator may overrule', () => {
    for (const { feed } of opened) expect(text).toContain(`| \`${feed.name}\` |`)
    for (const { feed } of opened) for (const { name } of feed.guards) expect(text).toContain(`\`${name}\``)
  })
})

function inDocs(fallback: unknown): string {
  if (fallback === null) return 'none'
  return (Array.isArray(fallback) ? fallback : [fallback]).map((each) => `\`${each}\``).join(', ')
}
