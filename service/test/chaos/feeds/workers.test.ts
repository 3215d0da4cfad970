import { describe, expect, it } from 'vitest'
import { type Held, nthFaultLink } from '../../support/network/nth-fault-proxy.ts'
import { manners } from '../../support/network/upstream.ts'
import { openInspector } from './content.ts'
import { startFeeds } from './process.ts'
import { expectSuccess, expireLeases, FEEDS, feedsWorld, fromDirectory, startSync } from './setup.ts'
import { KEV_FILE } from './slice.ts'
import { until } from './until.ts'
import { workshop } from './workers.ts'

/** A worker looks around every ten seconds; the rest is for a crowded machine. */
const LATEST_MS = 60_000

const slice = { years: [2024, 2025], recordsPerYear: 200, now: new Date('2026-08-22T00:00:00Z') }
const source = fromDirectory(slice)
const world = await feedsWorld(slice, source)
const earlier = await source(1)

describe('Two workers at once', () => {
  it('run every feed once each time that it is due', { timeout: 300_000 }, async () => {
    const { serve, startWorker, runs, inspector, upstream } = await workshop(10)
    serve(1)
    const workers = [startWorker(...FEEDS), startWorker(...FEEDS)]
    const succeeded = async () => (await runs()).filter(({ outcome }) => outcome === 'succeeded').length

    await until('every feed was run', async () => (await succeeded()) === FEEDS.length, LATEST_MS)
    const asked = upstream.requests().length
    serve(2)
    await inspector.look('update source.feed set next_due_at = now()')
    await until('every feed was run again', async () => (await succeeded()) === 2 * FEEDS.length, LATEST_MS)
    for (const each of workers) each.signal('SIGTERM')
    const ended = await Promise.all(workers.map((each) => each.ended))

    expect(ended.map(({ code }) => code)).toEqual([0, 0])
    const each = FEEDS.flatMap((feed) => [
      { feed, outcome: 'succeeded', epoch: 1, fault: null },
      { feed, outcome: 'succeeded', epoch: 2, fault: null },
    ])
    expect([...(await runs())].sort(byFeed)).toEqual(each.sort(byFeed))
    // Whatever there was to get was got once, and once more.
    expect(upstream.requests()).toHaveLength(2 * asked)
    expect(new Set(upstream.requests().map(({ path }) => path)).size).toBe(asked)
  })

  it('tell a third who is at work', { timeout: 300_000 }, async () => {
    const { serve, startWorker, upstream, environment } = await workshop(10)
    serve(1)
    upstream.serve(`/${KEV_FILE}`, manners.hangs())
    startWorker('kev')
    await until('the worker asked', () => upstream.requests(`/${KEV_FILE}`).length === 1, LATEST_MS)

    const { code, stdout, stderr } = await startFeeds(['sync', 'kev'], environment).ended

    expect(code).toBe(1)
    expect(stdout).toMatch(/kev +busy/)
    expect(stderr).toMatch(/kev is being run by .+, process \d+ just now\./)
    expect(upstream.requests(`/${KEV_FILE}`)).toHaveLength(1)
  })
})

const byFeed = (one: { feed: string; epoch: number }, other: { feed: string; epoch: number }) =>
  one.feed.localeCompare(other.feed) || one.epoch - other.epoch

describe('A worker that sleeps past its lease and wakes', () => {
  it.each([
    ['while it hands over what it read', /^copy data/],
    ['before it has written anything', /^with written/],
    ['when everything is written, but not committed', /^select from source.feed .* for update/],
  ])('%s, is fenced off, and nothing of it is stored', { timeout: 300_000 }, async (_when, call) => {
    const database = await world.clone()
    const [link, inspector] = [await nthFaultLink(database.url), await openInspector(database.url, slice)]
    const sleeper = world.sync(link.url, ['nvd'])
    const held = await new Promise<Held>((resolve) => link.arm({ call, moment: 'before', strike: resolve }))
    sleeper.signal('SIGSTOP')

    await expireLeases(inspector)
    // The other one finds the edition that was there before, so whatever is new afterwards came from the sleeper.
    expectSuccess(await startSync({ slice, url: database.url, offer: earlier, feeds: ['nvd'] }).ended)
    held.passOn()
    sleeper.signal('SIGCONT')
    const { code, stdout, stderr } = await sleeper.ended

    expect(code).toBe(1)
    expect(stdout).toMatch(/nvd +fenced/)
    expect(stderr).toMatch(/Another worker has taken nvd over/)
    expect(await inspector.content()).toEqual(world.expected.before)
    expect(await inspector.look(RUNS)).toMatchObject([
      { outcome: 'succeeded', epoch: 1 },
      { outcome: 'fenced', epoch: 2, fault: expect.stringMatching(/Another worker has taken nvd over/) },
      { outcome: 'succeeded', epoch: 3 },
    ])
    expect(await inspector.look("select lease_epoch::integer as epoch from source.feed where name = 'nvd'")).toEqual([
      { epoch: 3 },
    ])
    await inspector.close()
    await database.drop()
  })
})

const RUNS = "select outcome, lease_epoch::integer as epoch, fault from source.feed_run where feed = 'nvd' order by id"
