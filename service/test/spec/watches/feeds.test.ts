// Feeds of watches: secret addresses, what they show, and that neither logs nor the database contain an address.
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { account, createTestKey } from '../../support/builders.ts'
import { readRows } from '../../support/run-statements.ts'
import { RECORD, startWatchSetup } from './watch-setup.ts'

const setup = await startWatchSetup('pro', { environment: { PUBLIC_URL: 'http://vis.example.org/' } })
const { api, database, service, own, reader, watcher, watcherSession, stranger, createWatch, tell } = setup

/** After this time, a feed is read from the database again, and so is whether its address is valid. */
const LOOKUP_MS = 3200

async function makeFeed(watchId: string, action = ''): Promise<{ atom: string; json: string }> {
  const { status, json, text } = await watcher.post(`/watches/${watchId}/feed${action}`, {})
  expect(status, text).toBe(200)
  return json.data.feed_addresses
}

const toPath = (address: string) => new URL(address).pathname
const readFeed = (address: string, headers: Readonly<Record<string, string>> = {}) =>
  api.get(toPath(address), { key: null, headers })

const BIDI = '\u202Egnp.exe\u2066'

describe('GET /feeds/{token}.atom and .json', () => {
  it('show the newest events first, without muted ones, with the ids of the events', async () => {
    const watch = await createWatch(watcher, { name: 'A <b> & "c"' })
    await tell(
      own.id,
      { watchId: watch.id, cveId: 'CVE-2026-0001' },
      { watchId: watch.id, cveId: 'CVE-2026-0002', isMuted: true },
      {
        watchId: watch.id,
        cveId: 'CVE-2026-0003',
        kinds: ['entered', 'exploited'],
        diff: { 'priority.level': { old: 'P3', new: 'P0' } },
        record: { ...RECORD, products: [{ vendor: `<script>${BIDI}`, product: 'x\u0007\u001B]0;' }] },
      },
      { watchId: watch.id, type: 'gap', detail: { from: '7:000000000000004d', to: '9:000000000000004d' } },
    )
    const addresses = await makeFeed(watch.id)
    expect(addresses.atom).toMatch(/^http:\/\/vis\.example\.org\/feeds\/[\w-]{27}\.atom$/)
    const [atom, json] = [await readFeed(addresses.atom), await readFeed(addresses.json)]
    expect([atom.status, atom.headers['content-type']]).toEqual([200, 'application/atom+xml'])
    expect([json.status, json.headers['content-type']]).toEqual([200, 'application/feed+json'])
    for (const { headers } of [atom, json]) expect(headers['cache-control']).toBe('private, max-age=300')

    const events = (await watcher.get(`/events?before=now&muted=false&watch=${watch.id}`)).json.data.watch_events
    const feed = JSON.parse(json.text)
    expect([feed.version, feed.title]).toEqual(['https://jsonfeed.org/version/1.1', 'A <b> & "c"'])
    expect(feed.items.map(({ id }: { id: string }) => id)).toEqual(
      events.map(({ id }: { id: string }) => `urn:uuid:${id}`),
    )
    expect(feed.items[1]).toMatchObject({
      title: 'P0 CVE-2026-0003 entered, exploited: A <b> & "c"',
      url: 'http://vis.example.org/console/cves/CVE-2026-0003',
      tags: ['entered', 'exploited'],
      content_text: expect.stringContaining('priority.level: P3 → P0'),
    })
    expect(atom.text).toContain('<title type="text">A &lt;b&gt; &amp; &quot;c&quot;</title>')
    expect(atom.text).toContain('&lt;script&gt;gnp.exe x]0;')
    for (const { text } of [atom, json]) {
      expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u)
      expect(text).not.toContain('CVE-2026-0002')
    }
    expect(atom.text).not.toContain('<script>')
    // A reader would show the address if the feed named it.
    for (const { text } of [atom, json]) expect(text).not.toContain(toPath(addresses.atom).slice(7, 34))
  })

  it('answer 304 for the same ETag, and the same bytes for a minute', async () => {
    const watch = await createWatch(watcher)
    const { atom } = await makeFeed(watch.id)
    const first = await readFeed(atom)
    await tell(own.id, { watchId: watch.id, cveId: 'CVE-2026-0004' })
    const second = await readFeed(atom)
    expect(second.raw.equals(first.raw)).toBe(true)
    const unchanged = await readFeed(atom, { 'If-None-Match': String(first.headers['etag']) })
    expect([unchanged.status, unchanged.raw.length]).toEqual([304, 0])
  })

  it('end when the feed is rotated or removed, when the watch is, and while the account is suspended', async () => {
    const watches = []
    for (let index = 0; index < 3; index += 1) watches.push(await createWatch(watcher))
    const [rotated, removed, gone] = watches.map(({ id }) => id) as [string, string, string]
    const old = [await makeFeed(rotated), await makeFeed(removed), await makeFeed(gone)]
    for (const { json } of old) expect((await readFeed(json)).status).toBe(200)
    const next = await makeFeed(rotated, '/rotate')
    await watcher.post(`/watches/${removed}/feed/remove`, {})
    await watcher.post(`/watches/${gone}/remove`, {})
    await sleep(LOOKUP_MS)
    for (const { json } of old) expect((await readFeed(json)).status).toBe(404)
    expect((await readFeed(next.json)).status).toBe(200)
    await readRows(database.url, 'update accounts.account set suspended_at = now() where id = $1', [own.id])
    await sleep(LOOKUP_MS)
    const suspended = await readFeed(next.json)
    await readRows(database.url, 'update accounts.account set suspended_at = null where id = $1', [own.id])
    expect(suspended.status).toBe(404)
  })

  it('answer wrong addresses alike', async () => {
    const wrong = await Promise.all(
      ['x', 'a'.repeat(27), 'b'.repeat(28), '%00', '..%2f..', 'vis_test_x'].map((token) =>
        api.get(`/feeds/${token}.json`, { key: null }),
      ),
    )
    expect(wrong.map(({ status }) => status)).toEqual(wrong.map(() => 404))
    expect(new Set(wrong.map(({ json }) => json.error.message)).size).toBe(1)
  })

  it('leave no address in logs, metrics and the database', async () => {
    const watch = await createWatch(watcher)
    const { atom, json } = await makeFeed(watch.id)
    const token = toPath(atom).slice(7, 34)
    const used = [atom, json].map(toPath)
    const misused = [`/${used[0]}`, `${used[0]}/`, `/console${used[0]}`, `/feeds/${token}`, `/feeds%2f${token}`]
    for (const path of [...used, ...misused]) await api.get(path, { key: null })
    expect(service.logLines.join('\n')).not.toContain(token)
    expect(service.logLines.join('\n')).toContain('"path":"/feeds/{token}.atom","endpoint":"get-atom-feed"')
    expect(await service.metrics.text()).not.toContain(token)
    const tables = await readRows(
      database.url,
      `select query_to_xml(format('select * from %s', oid::regclass), true, true, '')::text as rows
         from pg_class
        where relkind = 'r' and relnamespace in ('accounts'::regnamespace, 'notify'::regnamespace, 'jobs'::regnamespace)`,
      [],
    )
    expect(tables.length).toBeGreaterThan(20)
    for (const { rows } of tables) expect(rows).not.toContain(token)
  })
})

describe('POST /api/v1/watches/{watch-id}/feed', () => {
  it('is for whoever may change the watch, once; another account and an unknown id get the same 404', async () => {
    const watch = await createWatch(watcher)
    const theirs = await createWatch(stranger)
    const actions = ['/feed', '/feed/rotate', '/feed/remove'] as const
    for (const action of actions) {
      expect((await reader.post(`/watches/${watch.id}${action}`, {})).status).toBe(403)
      expect((await watcherSession.post(`/watches/${watch.id}${action}`, {})).status).toBe(403)
      const [foreign, absent] = [
        await watcher.post(`/watches/${theirs.id}${action}`, {}),
        await watcher.post(`/watches/99999999${action}`, {}),
      ]
      expect([foreign.status, foreign.json.error.message.replace(theirs.id, '')]).toEqual([
        404,
        absent.json.error.message.replace('99999999', ''),
      ])
    }
    expect((await watcher.post(`/watches/${watch.id}/feed/rotate`, {})).status).toBe(404)
    expect((await watcher.post(`/watches/${watch.id}/feed/remove`, {})).status).toBe(404)
    await makeFeed(watch.id)
    const again = await watcher.post(`/watches/${watch.id}/feed`, {})
    expect([again.status, again.json.error.details]).toEqual([409, { feed: true }])
    expect((await watcher.get(`/watches/${watch.id}`)).json.data.watch.feed).toBe(true)
  })

  it('stops at the number of feeds of the plan', async () => {
    const key = createTestKey()
    await service.given(account('free').withKey(key, { scopes: ['read', 'watch'] }))
    const caller = setup.withKey(key.key)
    const watches = []
    for (let index = 0; index < 3; index += 1) watches.push(await createWatch(caller))
    for (const { id } of watches) expect((await caller.post(`/watches/${id}/feed`, {})).status).toBe(200)
    // A watch beyond the limit, as after a change of the plan.
    const [{ id }] = await readRows(
      database.url,
      `insert into accounts.view (account_id, is_shared, name, query, kinds)
       select account_id, true, 'beyond', '', '{entered}' from accounts.view where id = $1 returning id`,
      [watches[0].id],
    )
    const { status, json } = await caller.post(`/watches/${id}/feed`, {})
    expect([status, json.error.details]).toEqual([409, { limit: 3 }])
  })
})
