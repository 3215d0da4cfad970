import { beforeEach, describe, expect, it } from 'vitest'
import { ghsaFeed } from '../../../../src/feeds/sources/ghsa/feed.ts'
import { testDownload } from '../../../support/network/downloads.ts'
import { type Handler, manners, startUpstream } from '../../../support/network/upstream.ts'
import { API, ARCHIVE, lately, pagesOf } from './api-upstream.ts'
import { advisories, advisory, asArchive, type Both, ghsaId, ghsaMachine } from './fixtures.ts'

const { run, stored, look, reset } = await ghsaMachine()
beforeEach(reset)

async function github(token: string | null = null) {
  const upstream = await startUpstream({ [ARCHIVE]: asArchive(advisories(3)) })
  let changed: readonly Both[] = []
  upstream.serve(
    API,
    pagesOf(() => changed),
  )
  const download = testDownload([upstream])
  const feed = ghsaFeed({ archiveUrl: `${upstream.url}${ARCHIVE}`, apiUrl: `${upstream.url}${API}`, token })
  return {
    upstream,
    download,
    run: (at = '2026-08-22T00:00:00Z') => run(feed, { openDownload: () => download, clock: () => new Date(at) }),
    change: (all: readonly Both[]) => {
      changed = all
    },
    asked: () => upstream.requests(API),
  }
}

const cursor = async () =>
  (await look<{ cursor: unknown }>("select cursor from source.feed where name = 'ghsa'"))[0]?.cursor

describe("GitHub's advisories from the network", () => {
  it('come as an archive first, and then as what changed since the day before', async () => {
    const hub = await github()
    expect(await hub.run()).toMatchObject({ outcome: 'succeeded', read: 3, written: 3 })
    expect(hub.asked()).toEqual([])

    hub.change(lately(2))
    expect(await hub.run()).toMatchObject({ outcome: 'succeeded', read: 2, written: 2 })
    expect(Object.fromEntries(hub.asked()[0]?.query ?? [])).toEqual({
      type: 'reviewed',
      sort: 'updated',
      direction: 'desc',
      per_page: '100',
      modified: '>=2026-08-20T00:00:00Z',
    })
    expect(hub.upstream.requests(ARCHIVE)).toHaveLength(1)
    expect(await cursor()).toMatchObject({ since: '2026-08-21T23:59:00Z' })
  })

  it('are asked for again with a day of overlap, which writes nothing, and then only whether anything changed', async () => {
    const hub = await github()
    await hub.run()
    hub.change(lately(2))
    await hub.run()

    expect(await hub.run()).toMatchObject({ outcome: 'succeeded', read: 2, written: 0, unchanged: 2 })
    expect(hub.asked().at(-1)?.query.get('modified')).toBe('>=2026-08-20T23:59:00Z')
    expect(await hub.run()).toMatchObject({ outcome: 'succeeded', read: 0, written: 0, notices: [] })
    expect(hub.asked().at(-1)?.headers['if-none-match']).toMatch(/^"/)

    hub.change([advisory(1001, { modified: '2026-08-21T23:59:30Z', title: 'Another' }), ...lately(1)])
    expect(await hub.run()).toMatchObject({ outcome: 'succeeded', read: 2, written: 1 })
  })

  it('come page by page, by the cursor that each page names', async () => {
    const hub = await github()
    await hub.run()
    hub.change(lately(250))
    expect(await hub.run()).toMatchObject({ outcome: 'succeeded', read: 250, written: 250, duplicates: 0 })
    expect(hub.asked().map(({ query }) => query.get('after'))).toEqual([null, '100', '200'])
    expect(new Set(hub.asked().map(({ query }) => query.get('modified'))).size).toBe(1)
  })

  it('move while we read, and what moved comes next time', async () => {
    const hub = await github()
    await hub.run()
    const all = lately(150)
    const moved = advisory(1120, { modified: '2026-08-21T23:59:59Z', title: 'Moved' })
    let asked = 0
    hub.upstream.serve(API, (request, response) => {
      asked += 1
      return pagesOf(() => (asked === 1 ? all : [moved, ...all.filter(({ id }) => id !== moved.id)]))(request, response)
    })
    expect(await hub.run()).toMatchObject({ outcome: 'succeeded', duplicates: 1 })
    await hub.run()
    expect((await stored()).find(({ id }) => id === ghsaId(1120))).toMatchObject({ record: { title: 'Moved' } })
    expect(await stored()).toHaveLength(153)
  })

  it('come as an archive again when there are more changes than the API gives, but once a day at most', async () => {
    const hub = await github()
    await hub.run()
    const before = await cursor()
    hub.upstream.serve(API, (request, response) => {
      const after = Number(request.query.get('after') ?? 0) + 1
      const link = `<${hub.upstream.url}${API}?after=${after}>; rel="next"`
      return manners.answers(200, JSON.stringify([advisory(1000 + after).api]), { link })(request, response)
    })

    const soon = await hub.run()
    expect(soon).toMatchObject({ outcome: 'succeeded', read: 40, written: 40 })
    expect(soon.notices).toEqual(["GitHub's API has more changes than it gives us: these are the latest."])
    expect(await cursor()).toEqual(before)

    const nextDay = await hub.run('2026-08-23T00:00:00Z')
    expect(nextDay).toMatchObject({ outcome: 'succeeded', read: 3, written: 0, unchanged: 3 })
    expect(nextDay.notices[0]).toBe("GitHub's API has more changes than it gives us: the archive is read again.")
    expect(hub.asked()).toHaveLength(80)
    expect(hub.upstream.requests(ARCHIVE)).toHaveLength(2)
    expect(await cursor()).toMatchObject({ since: '2026-08-22T00:00:00Z' })
  })

  it('and when a full page does not say whether it is the last', async () => {
    const hub = await github()
    await hub.run()
    const before = await cursor()
    hub.change(lately(100))
    expect(await hub.run()).toMatchObject({ written: 100 })
    expect(await cursor()).toEqual(before)
    await hub.run('2026-08-23T00:00:00Z')
    expect(hub.upstream.requests(ARCHIVE)).toHaveLength(2)
  })

  it('are left alone when nothing changed, and the place is kept', async () => {
    const hub = await github()
    await hub.run()
    const before = await cursor()
    expect((await hub.run()).notices).toEqual(['GitHub says that no advisory changed since 2026-08-21T00:00:00Z.'])
    expect(await cursor()).toEqual(before)
  })

  it('are read anew when nobody understands where we were', async () => {
    const hub = await github()
    await hub.run()
    await look(`update source.feed set cursor = '{"since": 7}' where name = 'ghsa'`)
    expect((await hub.run()).notices).toHaveLength(1)
    expect(hub.upstream.requests(ARCHIVE)).toHaveLength(2)
  })
})

describe('The token', () => {
  it('goes to the API, to nobody else, and into no record', async () => {
    const hub = await github('ghp_secret')
    await hub.run()
    hub.change(lately(1))
    await hub.run()
    hub.upstream.serve(API, manners.answers(401))
    const report = await hub.run()

    expect(report).toMatchObject({ outcome: 'failed' })
    expect(hub.asked().map(({ headers }) => headers.authorization)).toEqual(['Bearer ghp_secret', 'Bearer ghp_secret'])
    expect(hub.upstream.requests(ARCHIVE)[0]?.headers.authorization).toBeUndefined()
    const left = [report, await look('select * from source.feed'), await look('select * from source.feed_run')]
    expect(JSON.stringify(left)).not.toContain('secret')
  })

  it('does not follow a link to another host', async () => {
    const hub = await github('ghp_secret')
    const other = await startUpstream({ [API]: '[]' }, { address: '127.0.0.2' })
    await hub.run()
    hub.upstream.serve(
      API,
      manners.answers(200, JSON.stringify([advisory(1).api]), { link: `<${other.url}${API}?after=1>; rel="next"` }),
    )
    const report = await hub.run()
    expect(report).toMatchObject({ outcome: 'failed', written: 0 })
    expect(report.fault).toContain(other.host)
    expect(other.requests()).toEqual([])
  })
})

describe('A bad answer of the API changes nothing', () => {
  const page = JSON.stringify([advisory(1, { title: 'Another', modified: '2026-08-21T12:00:00Z' }).api])
  const links = (link: string) => manners.answers(200, page, { link })

  it.each<[string, Handler, RegExp]>([
    ['403, for too many requests', manners.throttles(403), /come back later \(403/],
    ['401, for a token that it does not know', manners.answers(401), /401/],
    ['an HTML page', manners.sendsHtml(), /HTML page/],
    ['an HTML page that is called JSON', manners.sendsHtml('application/json'), /HTML page/],
    ['no JSON', manners.answers(200, '[{"ghsa_id": '), /Page 1 of GitHub's advisories cannot be read: not JSON/],
    ['an object', manners.answers(200, { message: 'Sorry' }), /Page 1 of GitHub's advisories is no list/],
    ['a link to another path', links('</user?after=1>; rel="next"'), /next page is at http.*\/user/],
    ['a link without a place', links(`<${API}?page=2>; rel="next"`), /does not say where it begins/],
    ['a link that is none', links('<http://[>; rel="next"'), /It is not asked for/],
    ['a link in a circle', links(`<${API}?after=1>; rel="next"`), /lead in a circle/],
    [
      'nothing but rubbish',
      manners.answers(200, '[{"ghsa_id": 7, "cve_id": "CVE-2024-0001", "updated_at": "2026-08-21T12:00:00Z"}]'),
      /1 of its 1 records/,
    ],
  ])('%s', async (_, answer, fault) => {
    const hub = await github()
    await hub.run()
    const [before, held] = [await cursor(), await stored()]
    hub.upstream.serve(API, answer)

    const report = await hub.run()

    expect(report.outcome).toMatch(/failed|refused/)
    expect(report.fault).toMatch(fault)
    expect(await cursor()).toEqual(before)
    expect(await stored()).toEqual(held)
  })

  it('403 that passes is waited for', async () => {
    const hub = await github()
    await hub.run()
    hub.change(lately(1))
    hub.upstream.serve(
      API,
      manners.inTurn(
        manners.throttles(403, '60'),
        pagesOf(() => lately(1)),
      ),
    )
    expect(await hub.run()).toMatchObject({ outcome: 'succeeded', written: 1 })
    expect(hub.download.pauses).toEqual([60_000])
  })
})
