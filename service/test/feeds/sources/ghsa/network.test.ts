import { beforeEach, describe, expect, it } from 'vitest'
import { ghsaFeed } from '../../../../src/feeds/sources/ghsa/feed.ts'
import { createTestDownload } from '../../../support/network/downloads.ts'
import { behaviours, type Handler, startUpstream } from '../../../support/network/upstream.ts'
import { API, ARCHIVE, recentAdvisories, servePages } from './api-upstream.ts'
import { type AdvisoryPair, advisories, advisory, asArchive, ghsaHarness, ghsaId } from './fixtures.ts'

const { run, stored, selectRows, reset } = await ghsaHarness()
beforeEach(reset)

async function startGithub(token: string | null = null) {
  const upstream = await startUpstream({ [ARCHIVE]: asArchive(advisories(3)) })
  let changed: readonly AdvisoryPair[] = []
  upstream.serve(
    API,
    servePages(() => changed),
  )
  const download = createTestDownload([upstream])
  const feed = ghsaFeed({ archiveUrl: `${upstream.url}${ARCHIVE}`, apiUrl: `${upstream.url}${API}`, token })
  return {
    upstream,
    download,
    run: (at = '2026-08-22T00:00:00Z') => run(feed, { openDownload: () => download, clock: () => new Date(at) }),
    change: (all: readonly AdvisoryPair[]) => {
      changed = all
    },
    apiRequests: () => upstream.requests(API),
  }
}

const cursor = async () =>
  (await selectRows<{ cursor: unknown }>("select cursor from source.feed where name = 'ghsa'"))[0]?.cursor

describe('GHSA feed: importing from the network', () => {
  it('downloads the archive in the first run, and in later runs the changes with one day of overlap', async () => {
    const github = await startGithub()
    expect(await github.run()).toMatchObject({ outcome: 'succeeded', read: 3, written: 3 })
    expect(github.apiRequests()).toEqual([])

    github.change(recentAdvisories(2))
    expect(await github.run()).toMatchObject({ outcome: 'succeeded', read: 2, written: 2 })
    expect(Object.fromEntries(github.apiRequests()[0]?.query ?? [])).toEqual({
      type: 'reviewed',
      sort: 'updated',
      direction: 'desc',
      per_page: '100',
      modified: '>=2026-08-20T00:00:00Z',
    })
    expect(github.upstream.requests(ARCHIVE)).toHaveLength(1)
    expect(await cursor()).toMatchObject({ since: '2026-08-21T23:59:00Z' })
  })

  it('queries the API for changes with one day of overlap, and sends a conditional request for an unchanged page', async () => {
    const github = await startGithub()
    await github.run()
    github.change(recentAdvisories(2))
    await github.run()

    expect(await github.run()).toMatchObject({ outcome: 'succeeded', read: 2, written: 0, unchanged: 2 })
    expect(github.apiRequests().at(-1)?.query.get('modified')).toBe('>=2026-08-20T23:59:00Z')
    expect(await github.run()).toMatchObject({ outcome: 'succeeded', read: 0, written: 0, notices: [] })
    expect(github.apiRequests().at(-1)?.headers['if-none-match']).toMatch(/^"/)

    github.change([
      advisory(1001, { modified: '2026-08-21T23:59:30Z', title: 'Changed title' }),
      ...recentAdvisories(1),
    ])
    expect(await github.run()).toMatchObject({ outcome: 'succeeded', read: 2, written: 1 })
  })

  it("follows the API's page cursors", async () => {
    const github = await startGithub()
    await github.run()
    github.change(recentAdvisories(250))
    expect(await github.run()).toMatchObject({ outcome: 'succeeded', read: 250, written: 250, duplicates: 0 })
    expect(github.apiRequests().map(({ query }) => query.get('after'))).toEqual([null, '100', '200'])
    expect(new Set(github.apiRequests().map(({ query }) => query.get('modified'))).size).toBe(1)
  })

  it('imports an advisory that moves to another page during a run in the next run at the latest', async () => {
    const github = await startGithub()
    await github.run()
    const all = recentAdvisories(150)
    const moved = advisory(1120, { modified: '2026-08-21T23:59:59Z', title: 'Moved title' })
    let requestCount = 0
    github.upstream.serve(API, (request, response) => {
      requestCount += 1
      return servePages(() => (requestCount === 1 ? all : [moved, ...all.filter(({ id }) => id !== moved.id)]))(
        request,
        response,
      )
    })
    expect(await github.run()).toMatchObject({ outcome: 'succeeded', duplicates: 1 })
    await github.run()
    expect((await stored()).find(({ id }) => id === ghsaId(1120))).toMatchObject({ record: { title: 'Moved title' } })
    expect(await stored()).toHaveLength(153)
  })

  it('downloads the archive again, at most once a day, when the API has more than 40 pages of changes', async () => {
    const github = await startGithub()
    await github.run()
    const before = await cursor()
    github.upstream.serve(API, (request, response) => {
      const after = Number(request.query.get('after') ?? 0) + 1
      const link = `<${github.upstream.url}${API}?after=${after}>; rel="next"`
      return behaviours.answers(200, JSON.stringify([advisory(1000 + after).api]), { link })(request, response)
    })

    const sameDay = await github.run()
    expect(sameDay).toMatchObject({ outcome: 'succeeded', read: 40, written: 40 })
    expect(sameDay.notices).toEqual([
      "GitHub's API did not return all changes since 2026-08-21T00:00:00Z: importing only the latest.",
    ])
    expect(await cursor()).toEqual(before)

    const nextDay = await github.run('2026-08-23T00:00:00Z')
    expect(nextDay).toMatchObject({ outcome: 'succeeded', read: 3, written: 0, unchanged: 3 })
    expect(nextDay.notices[0]).toBe(
      "GitHub's API did not return all changes since 2026-08-21T00:00:00Z: importing the archive instead.",
    )
    expect(github.apiRequests()).toHaveLength(80)
    expect(github.upstream.requests(ARCHIVE)).toHaveLength(2)
    expect(await cursor()).toMatchObject({ since: '2026-08-22T00:00:00Z' })
  })

  it('downloads the archive on the next day when a full API page has no link to a next page', async () => {
    const github = await startGithub()
    await github.run()
    const before = await cursor()
    github.change(recentAdvisories(100))
    expect(await github.run()).toMatchObject({ written: 100 })
    expect(await cursor()).toEqual(before)
    await github.run('2026-08-23T00:00:00Z')
    expect(github.upstream.requests(ARCHIVE)).toHaveLength(2)
  })

  it('keeps its cursor when the API lists no changes', async () => {
    const github = await startGithub()
    await github.run()
    const before = await cursor()
    expect((await github.run()).notices).toEqual([
      "GitHub's API lists no advisory that changed since 2026-08-21T00:00:00Z.",
    ])
    expect(await cursor()).toEqual(before)
  })

  it('imports the archive again when the stored cursor is invalid', async () => {
    const github = await startGithub()
    await github.run()
    await selectRows(`update source.feed set cursor = '{"since": 7}' where name = 'ghsa'`)
    expect((await github.run()).notices).toHaveLength(1)
    expect(github.upstream.requests(ARCHIVE)).toHaveLength(2)
  })

  it('imports the archive again when the cursor belongs to an older format of the stored advisories', async () => {
    const github = await startGithub()
    await github.run()
    await selectRows(`update source.feed set cursor = cursor - 'recordVersion' where name = 'ghsa'`)
    expect((await github.run()).notices).toEqual([expect.stringContaining('of an older version')])
    expect(github.upstream.requests(ARCHIVE)).toHaveLength(2)
  })
})

describe('GHSA feed: API token', () => {
  it('sends the GitHub token only to the API and does not store it', async () => {
    const github = await startGithub('ghp_secret')
    await github.run()
    github.change(recentAdvisories(1))
    await github.run()
    github.upstream.serve(API, behaviours.answers(401))
    const report = await github.run()

    expect(report).toMatchObject({ outcome: 'failed' })
    expect(github.apiRequests().map(({ headers }) => headers.authorization)).toEqual([
      'Bearer ghp_secret',
      'Bearer ghp_secret',
    ])
    expect(github.upstream.requests(ARCHIVE)[0]?.headers.authorization).toBeUndefined()
    const traces = [
      report,
      await selectRows('select * from source.feed'),
      await selectRows('select * from source.feed_run'),
    ]
    expect(JSON.stringify(traces)).not.toContain('secret')
  })

  it('does not follow a page link to another host', async () => {
    const github = await startGithub('ghp_secret')
    const other = await startUpstream({ [API]: '[]' }, { address: '127.0.0.2' })
    await github.run()
    github.upstream.serve(
      API,
      behaviours.answers(200, JSON.stringify([advisory(1).api]), { link: `<${other.url}${API}?after=1>; rel="next"` }),
    )
    const report = await github.run()
    expect(report).toMatchObject({ outcome: 'failed', written: 0 })
    expect(report.error).toContain(other.host)
    expect(other.requests()).toEqual([])
  })
})

describe('GHSA feed: invalid API responses', () => {
  const page = JSON.stringify([advisory(1, { title: 'Changed title', modified: '2026-08-21T12:00:00Z' }).api])
  const links = (link: string) => behaviours.answers(200, page, { link })

  it.each<[string, Handler, RegExp]>([
    ['status 403 because of too many requests', behaviours.throttles(403), /retry later \(403/],
    [
      'truncated JSON',
      behaviours.answers(200, '[{"ghsa_id": '),
      /Page 1 of GitHub's advisories cannot be parsed: not JSON/,
    ],
    [
      'a JSON object',
      behaviours.answers(200, { message: 'Sorry' }),
      /Page 1 of GitHub's advisories is not a JSON array/,
    ],
    ['a page link to another path', links('</user?after=1>; rel="next"'), /next page at http.*\/user/],
    ['a page link without a cursor', links(`<${API}?page=2>; rel="next"`), /without an `after` cursor/],
    ['a page link that is not a URL', links('<http://[>; rel="next"'), /link was not followed/],
    ['a page link to the same page', links(`<${API}?after=1>; rel="next"`), /same page cursor twice/],
    [
      'only invalid advisories',
      behaviours.answers(200, '[{"ghsa_id": 7, "cve_id": "CVE-2024-0001", "updated_at": "2026-08-21T12:00:00Z"}]'),
      /1 of the 1 records/,
    ],
  ])('keeps the cursor and the stored advisories when the API returns %s', async (_, answer, error) => {
    const github = await startGithub()
    await github.run()
    const [before, storedBefore] = [await cursor(), await stored()]
    github.upstream.serve(API, answer)

    const report = await github.run()

    expect(report.outcome).toMatch(/failed|refused/)
    expect(report.error).toMatch(error)
    expect(await cursor()).toEqual(before)
    expect(await stored()).toEqual(storedBefore)
  })

  it('waits as long as the Retry-After header of a 403 response requests, and then succeeds', async () => {
    const github = await startGithub()
    await github.run()
    github.change(recentAdvisories(1))
    github.upstream.serve(
      API,
      behaviours.inTurn(
        behaviours.throttles(403, '60'),
        servePages(() => recentAdvisories(1)),
      ),
    )
    expect(await github.run()).toMatchObject({ outcome: 'succeeded', written: 1 })
    expect(github.download.pauses).toEqual([60_000])
  })
})
