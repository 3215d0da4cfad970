// Watches with every type of credential: what can be watched, who sees, creates, changes, snoozes and removes them, and
// from which change on they are judged.
import { describe, expect, it } from 'vitest'
import { WATCH_LIMITS } from '../../../src/domain/account/plan.ts'
import { REFUSED_FILTERS } from '../../../src/search/watch/refused-filters.ts'
import { readRows } from '../../support/run-statements.ts'
import { startWatchSetup } from './watch-setup.ts'

const setup = await startWatchSetup('business')
const { database, own, foreign, reader, watcher, stranger, keySession, watcherSession, createWatch, tell, join } = setup
const [viewer, admin, owner] = [await join('viewer'), await join('admin'), await join('owner')]

const readSpans = (id: string) =>
  readRows(
    database.url,
    `select revision, query, kinds, from_seq, until_seq, account_id from notify.watch_span where watch_id = $1 order by revision`,
    [id],
  )

/** Stands for changes of the catalog up to this position. */
const logChange = (seq: number) =>
  readRows(
    database.url,
    `insert into catalog.change (seq, tag, kind, fields, diff, cause, types, source_day)
     select $1, 77, 'rules', '{}', '{}', 'rules', '{rules_changed}', null`,
    [seq],
  ).catch(() =>
    readRows(
      database.url,
      `insert into catalog.change (seq, tag, kind, fields, diff, cause, types)
       overriding system value values ($1, 77, 'rules', '{}', '{}', 'rules', '{rules_changed}')`,
      [seq],
    ),
  )

describe('POST /api/v1/watches', () => {
  it('stores the query as views do, watches from the newest change on, and is a shared view with on', async () => {
    const { status, json } = await watcher.post('/watches', {
      name: 'Edge devices',
      team: 'network',
      query: { priority: ['P1', 'P0'], severity_min: 7, kev: true, published_after: 'today-7d', q: 'remote code' },
    })
    expect(status).toBe(200)
    const { watch } = json.data
    expect(watch).toMatchObject({
      name: 'Edge devices',
      team: 'network',
      query: 'q=remote%20code&severity_min=7&kev=true&published_after=today-7d&priority=P0,P1',
      on: ['entered', 'exploited', 'priority_raised', 'ransomware_added'],
      state: 'active',
      matching_now: 0,
      last_event: null,
      daily_events: [0, 0, 0, 0, 0, 0, 0],
      feed: false,
      revision: 1,
    })
    const views = (await watcher.get('/views')).json.data.views
    expect(views.find(({ id }: { id: string }) => id === watch.id)).toMatchObject({
      name: 'Edge devices',
      query: watch.query,
      shared: true,
      on: watch.on,
    })
    expect(await readSpans(watch.id)).toMatchObject([
      { revision: 1, query: watch.query, until_seq: null, account_id: own.id },
    ])
  })

  it('takes the query as a query string too', async () => {
    const watch = await createWatch(watcher, { query: '?priority=P1,P0&kev=true&sort=level_desc' })
    expect(watch.query).toBe('kev=true&priority=P0,P1&sort=level_desc')
  })

  it('names all faults at once by path, with the messages of GET /cves', async () => {
    const { status, json } = await watcher.post('/watches', {
      name: '',
      on: ['entered', 'explode'],
      query: { severity_min: 11, kevv: true, priority: ['P9'], epss_min: { above: 1 } },
    })
    expect(status).toBe(400)
    const issues = json.error.details.errors as readonly { parameter: string; message: string }[]
    expect(issues.map(({ parameter }) => parameter).toSorted()).toEqual(['name', 'on', 'query.epss_min'])
    const second = await watcher.post('/watches', {
      name: 'x',
      query: { severity_min: 11, kevv: true, priority: ['P9'] },
    })
    const found = second.json.error.details.errors as readonly { parameter: string; message: string }[]
    expect(found.map(({ parameter }) => parameter)).toEqual(['query.severity_min', 'query.priority', 'query.kevv'])
    const search = await setup.api.get('/api/v1/cves?severity_min=11')
    expect(found[0]?.message).toBe(search.json.error.details.errors[0].message)
    expect(found[2]?.message).toContain('did you mean kev?')
  })

  it.each(Object.entries(REFUSED_FILTERS))(
    'refuses the filter %s with the reason and what to use',
    async (name, { reason, instead }) => {
      const values: Readonly<Record<string, unknown>> = {
        epss_percentile_min: 0.9,
        cpe: 'cpe:2.3:a:apache:log4j:2.14.1:*:*:*:*:*:*:*',
        purl: 'pkg:npm/lodash@4.17.20',
      }
      const { status, json } = await watcher.post('/watches', {
        name: 'refused',
        query: { [name]: values[name] ?? '2026-01-01' },
      })
      expect([status, json.error.parameter]).toEqual([400, `query.${name}`])
      expect(json.error.message).toContain(reason)
      expect(json.error.details.errors[0].allowed).toEqual([instead])
    },
  )

  it.each([
    [{ name: 'both', query: {}, view_id: '1' }, 'query'],
    [{ name: 'neither' }, 'query'],
    [{ query: { kev: true } }, 'name'],
    [{ name: 'a', query: { kev: true }, fields: 'x' }, 'fields'],
    [{ name: 'a', query: { fields: 'cve_id' } }, 'query.fields'],
    [{ name: 'a', query: 7 }, 'query'],
    [{ name: 'a', query: [] }, 'query'],
    [{ name: 'a', query: { kev: true }, team: 'a\nb' }, 'team'],
  ])('answers 400 for %j', async (body, parameter) => {
    const { status, json } = await watcher.post('/watches', body)
    expect([status, json.error.parameter]).toEqual([400, parameter])
  })

  it('accepts a product that no CVE has, with did_you_mean', async () => {
    const { status, json } = await watcher.post('/watches', { name: 'unknown', query: { product: ['nosuchthing'] } })
    expect(status).toBe(200)
    expect(json.data.did_you_mean).toMatchObject([{ parameter: 'product', value: 'nosuchthing' }])
  })

  it('watches a shared view that exists, and no own one', async () => {
    const save = async (caller: typeof admin, body: object) => (await caller.post('/views', body)).json.data.view
    const shared = await save(admin, { name: 'shared search', query: 'kev=true', shared: true })
    const mine = await save(admin, { name: 'my search', query: 'kev=true' })
    const refused = await save(admin, { name: 'edits', query: 'modified_after=today-1d', shared: true })
    const { json } = await admin.post('/watches', { view_id: shared.id, on: ['exploited'] })
    expect(json.data.watch).toMatchObject({
      id: shared.id,
      name: 'shared search',
      query: 'kev=true',
      on: ['exploited'],
    })
    const [again, own_, edits, unknown, builtIn] = await Promise.all(
      [shared.id, mine.id, refused.id, '999999', 'new-in-kev'].map((view_id) => admin.post('/watches', { view_id })),
    )
    expect([again?.status, again?.json.error.details]).toEqual([409, { watched: true }])
    expect([own_?.status, own_?.json.error.details]).toEqual([409, { shared: false }])
    expect([edits?.status, edits?.json.error.parameter]).toEqual([400, 'view_id'])
    expect([unknown?.status, builtIn?.status]).toEqual([404, 404])
  })

  it('refuses a source that the plan may not filter by', async () => {
    const { status, json } = await watcher.post('/watches', { name: 'ghsa', query: { vendor: 'ghsa' } })
    expect([status, json.error.details]).toEqual([403, { required_plan: 'enterprise' }])
  })

  it('refuses a name that a shared view has, in any letter case', async () => {
    const { name } = await createWatch(watcher)
    const { status, json } = await watcher.post('/watches', { name: name.toUpperCase(), query: { kev: true } })
    expect([status, json.error.parameter]).toEqual([409, 'name'])
  })
})

describe('Rights to watches', () => {
  const body = () => ({ name: `watch by ${Math.random()}`, query: { kev: true } })

  it.each([
    ['key without the scope', () => reader, 403, { required_scope: 'watch' }],
    ['key with the scope', () => watcher, 200, undefined],
    ['viewer', () => viewer, 403, { required_role: 'admin' }],
    ['admin', () => admin, 200, undefined],
    ['owner', () => owner, 200, undefined],
    ['session of a key without the scope', () => keySession, 403, { required_scope: 'watch' }],
    ['session of a key with the scope', () => watcherSession, 403, { required_role: 'admin' }],
  ])('let a %s create, change, snooze and remove as expected', async (_name, caller, status, details) => {
    const known = await createWatch(watcher)
    for (const [path, sent] of [
      ['/watches', body()],
      [`/watches/${known.id}`, { revision: 1, team: 'x' }],
      [`/watches/${known.id}/snooze`, {}],
      [`/watches/${known.id}/remove`, {}],
    ] as const) {
      const answer = await caller().post(path, sent)
      expect([path, answer.status, answer.json.error?.details]).toEqual([path, status, details])
    }
  })

  it.each([
    ['key without the scope', () => reader, 403],
    ['viewer', () => viewer, 200],
    ['session of a key without the scope', () => keySession, 403],
    ['session of a key with the scope', () => watcherSession, 200],
  ])('let a %s read as expected', async (_name, caller, status) => {
    const known = await createWatch(watcher)
    for (const path of ['/watches', `/watches/${known.id}`, '/events?since=start', '/events?before=now'])
      expect([path, (await caller().get(path)).status]).toEqual([path, status])
  })

  it('show and change nothing of another account, exactly as for an unknown id', async () => {
    const theirs = await createWatch(stranger, { name: 'their secret' })
    await tell(foreign.id, { watchId: theirs.id, cveId: 'CVE-2026-0001' })
    const before = await readSpans(theirs.id)
    const paths = ['', '/snooze', '/remove'] as const
    for (const path of paths) {
      const send = (id: string) =>
        watcher.post(`/watches/${id}${path}`, path === '' ? { revision: 1, name: 'mine' } : {})
      const [answer, absent] = [await send(theirs.id), await send('999999999')]
      expect([path, answer.status]).toEqual([path, 404])
      expect(answer.json.error.message.replace(theirs.id, 'ID')).toBe(
        absent.json.error.message.replace('999999999', 'ID'),
      )
    }
    expect((await watcher.get(`/watches/${theirs.id}`)).status).toBe(404)
    for (const path of ['/watches?limit=200', '/views', '/events?since=start', `/events?before=now&watch=${theirs.id}`])
      expect((await watcher.get(path)).text).not.toMatch(/their secret|CVE-2026-0001/)
    expect(await readSpans(theirs.id)).toEqual(before)
  })
})

describe('POST /api/v1/watches/{watch-id}', () => {
  it('changes what the body names and keeps the rest', async () => {
    const watch = await createWatch(watcher, { team: 'network', on: ['left'] })
    const named = (await watcher.post(`/watches/${watch.id}`, { revision: 1, name: 'renamed', team: '' })).json.data
      .watch
    expect(named).toMatchObject({ name: 'renamed', team: null, query: 'kev=true', on: ['left'], revision: 2 })
    const { json } = await watcher.post(`/watches/${watch.id}`, { revision: 2, query: { priority: 'P0' } })
    expect(json.data.watch).toMatchObject({ name: 'renamed', query: 'priority=P0', on: ['left'], revision: 3 })
  })

  it('answers 409 with the revision if someone else changed the watch', async () => {
    const watch = await createWatch(watcher)
    await watcher.post(`/watches/${watch.id}`, { revision: 1, team: 'a' })
    const { status, json } = await watcher.post(`/watches/${watch.id}`, { revision: 1, team: 'b' })
    expect([status, json.error.details]).toEqual([409, { revision: 2 }])
  })

  it('ends the span of the old query at the newest change and opens the next one there, without a gap', async () => {
    const watch = await createWatch(watcher)
    const [first] = await readSpans(watch.id)
    await watcher.post(`/watches/${watch.id}`, { revision: 1, name: 'only the name changes' })
    expect(await readSpans(watch.id)).toEqual([first])
    await logChange(Number(first.from_seq) + 10)
    await watcher.post(`/watches/${watch.id}`, { revision: 2, on: ['left'] })
    const [ended, open, ...others] = await readSpans(watch.id)
    expect(others).toEqual([])
    expect([ended.until_seq, open.from_seq, open.until_seq, open.revision]).toEqual([
      String(Number(first.from_seq) + 10),
      String(Number(first.from_seq) + 10),
      null,
      3,
    ])
    expect(open.kinds).toEqual(['left'])
  })

  it('has no open span while the watch is paused', async () => {
    const watch = await createWatch(watcher)
    const paused = (await watcher.post(`/watches/${watch.id}`, { revision: 1, paused: true })).json.data.watch
    expect(paused.state).toBe('paused')
    expect((await readSpans(watch.id)).filter(({ until_seq }) => until_seq === null)).toEqual([])
    await watcher.post(`/watches/${watch.id}`, { revision: 2, query: { priority: 'P0' } })
    expect((await readSpans(watch.id)).filter(({ until_seq }) => until_seq === null)).toEqual([])
    const resumed = (await watcher.post(`/watches/${watch.id}`, { revision: 3, paused: false })).json.data.watch
    expect(resumed.state).toBe('active')
    expect((await readSpans(watch.id)).filter(({ until_seq }) => until_seq === null)).toMatchObject([
      { query: 'priority=P0', revision: 4 },
    ])
  })
})

describe('A view that is watched', () => {
  it('refuses a new query, the end of sharing and removal, and takes a new name', async () => {
    const watch = await createWatch(admin)
    const send = (body: object, path = '') => admin.post(`/views/${watch.id}${path}`, body)
    const query = await send({ revision: 1, name: watch.name, query: 'priority=P0' })
    const own_ = await send({ revision: 1, name: watch.name, query: 'kev=true', shared: false })
    const removed = await send({}, '/remove')
    for (const answer of [query, own_, removed]) {
      expect([answer.status, answer.json.error.details]).toEqual([409, { watched: true }])
      expect(answer.json.error.message).toContain(`/api/v1/watches/${watch.id}`)
    }
    const renamed = await send({ revision: 1, name: 'a new name of the view', query: 'kev=true', place: 7 })
    expect(renamed.json.data.view).toMatchObject({ name: 'a new name of the view', on: watch.on, place: 7 })
    expect((await admin.get(`/watches/${watch.id}`)).json.data.watch.name).toBe('a new name of the view')
  })

  it('goes with the watch, or stays as a plain one', async () => {
    const [gone, kept] = [await createWatch(admin), await createWatch(admin)]
    await admin.post(`/watches/${gone.id}/remove`, {})
    const { json } = await admin.post(`/watches/${kept.id}/remove`, { keep_view: true })
    expect(json.data.removed_watch).toEqual({ id: kept.id, name: kept.name, kept_view: true })
    const views = (await admin.get('/views')).json.data.views as readonly { id: string; on: unknown }[]
    expect(views.filter(({ id }) => id === gone.id)).toEqual([])
    expect(views.find(({ id }) => id === kept.id)).toMatchObject({ on: null, name: kept.name })
    for (const { id } of [gone, kept]) {
      expect((await admin.get(`/watches/${id}`)).status).toBe(404)
      expect((await readSpans(id)).filter(({ until_seq }) => until_seq === null)).toEqual([])
    }
  })
})

describe('POST /api/v1/watches/{watch-id}/snooze', () => {
  it('snoozes until the end of a day, and ends a snooze', async () => {
    const watch = await createWatch(watcher)
    const day = new Date(Date.parse((await watcher.get('/watches')).json.meta.timestamp) + 3 * 86_400_000)
      .toISOString()
      .slice(0, 10)
    const { json } = await watcher.post(`/watches/${watch.id}/snooze`, { until: day })
    expect(json.data.watch).toMatchObject({ state: 'snoozed', snoozed_until: `${day}T23:59:59Z`, revision: 1 })
    const ended = await watcher.post(`/watches/${watch.id}/snooze`, {})
    expect(ended.json.data.watch).toMatchObject({ state: 'active', snoozed_until: null })
  })

  it.each(['2020-01-01', '2199-01-01', 'tomorrow'])('answers 400 for %s', async (until) => {
    const { id } = await createWatch(watcher)
    const { status, json } = await watcher.post(`/watches/${id}/snooze`, { until })
    expect([status, json.error.parameter]).toEqual([400, 'until'])
  })
})

describe('GET /api/v1/watches', () => {
  it('pages from the newest to the oldest, by team, with events and counts', async () => {
    const made = []
    for (let index = 0; index < 3; index += 1) made.push(await createWatch(watcher, { team: 'paged' }))
    const [nr] = await tell(
      own.id,
      { watchId: made[1].id, cveId: 'CVE-2026-0002', kinds: ['exploited'] },
      { watchId: made[1].id, cveId: 'CVE-2026-0003', daysAgo: 9 },
    )
    const first = (await watcher.get('/watches?team=paged&limit=2&counts=true')).json.data
    expect(first.watches.map(({ id }: { id: string }) => id)).toEqual([made[2].id, made[1].id])
    expect(first.watches[1]).toMatchObject({
      matching_now: 0,
      daily_events: [0, 0, 0, 0, 0, 0, 1],
      last_event: { nr: Number(nr) + 1, cve_id: 'CVE-2026-0003' },
    })
    expect([first.max_watches, first.max_feeds]).toEqual([WATCH_LIMITS.business.watches, WATCH_LIMITS.business.feeds])
    const { nextCursor } = first.pagination
    const second = (await watcher.get(`/watches?team=paged&limit=2&after=${nextCursor}`)).json.data
    expect(second.watches.map(({ id }: { id: string }) => id)).toEqual([made[0].id])
    expect([second.pagination.hasMore, 'matching_now' in second.watches[0]]).toEqual([false, false])
    expect((await stranger.get(`/watches?team=paged&limit=2&after=${nextCursor}`)).status).toBe(400)
  })

  it('refuses to count more than 25 watches at once', async () => {
    const { status, json } = await watcher.get('/watches?counts=true&limit=26')
    expect([status, json.error.parameter]).toEqual([400, 'limit'])
  })

  it('says how far watches were judged', async () => {
    await logChange(9000)
    const before = (await watcher.get('/watches')).json.data.evaluated
    expect(before).toEqual({ position: null, newest: '9000:000000000000004d' })
    await readRows(database.url, 'update notify.evaluator set seq = 8999, tag = -1')
    expect((await watcher.get('/watches')).json.data.evaluated.position).toBe('8999:ffffffffffffffff')
  })

  it('warns of a watch with more than 50 events within a week', async () => {
    const watch = await createWatch(watcher)
    await tell(
      own.id,
      ...Array.from({ length: 51 }, (_, index) => ({ watchId: watch.id, cveId: `CVE-2026-1${index}00` })),
    )
    const { json } = await watcher.get(`/watches/${watch.id}`)
    expect(json.data.watch.warning).toContain('51 events')
  })
})
