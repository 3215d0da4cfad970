// The inbox: events in the order of their numbers, forwards and backwards, waiting for them, and what members have read.
import { describe, expect, it } from 'vitest'
import { toEventId } from '../../../src/domain/watch/event-id.ts'
import { account, createTestKey } from '../../support/builders.ts'
import { readRows } from '../../support/run-statements.ts'
import { type Caller, RECORD, startWatchSetup } from './watch-setup.ts'

const setup = await startWatchSetup('pro', { environment: { PUBLIC_URL: 'http://vis.example.org' } })
const { database, own, foreign, watcher, stranger, createWatch, tell, join } = setup

/** An account of its own for tests that count all events. */
async function openAccount() {
  const key = createTestKey()
  const opened = account('pro').withKey(key, { scopes: ['read', 'watch', 'triage'] })
  await setup.service.given(opened)
  const caller = setup.withKey(key.key)
  const watch = await createWatch(caller)
  const other = await createWatch(caller)
  return { id: opened.id, key, caller, watch, other }
}

const cve = (number: number) => `CVE-2026-${String(number).padStart(4, '0')}`
const listNumbers = ({ watch_events: events }: { watch_events: readonly { nr: number }[] }) =>
  events.map(({ nr }) => nr)
const read = async (caller: Caller, query: string) => {
  const { status, json, text } = await caller.get(`/events?${query}`)
  expect(status, text).toBe(200)
  return json.data
}

describe('GET /api/v1/events', () => {
  it('shows the facts of the change, the watch, and a summary made from them', async () => {
    const { id, caller, watch } = await openAccount()
    await tell(id, {
      watchId: watch.id,
      cveId: cve(1111),
      kinds: ['entered', 'exploited', 'priority_raised'],
      diff: {
        'kev.dateAdded': { old: null, new: '2026-11-16' },
        'priority.level': { old: 'P3', new: 'P0' },
        unknown: { old: 1, new: 2 },
      },
    })
    const [event] = (await read(caller, 'since=start')).watch_events
    const [{ seq }] = await readRows(database.url, 'select seq from notify.event where account_id = $1', [id])
    expect(event).toEqual({
      id: toEventId({ watchId: watch.id, seq, subject: cve(1111) }),
      nr: 1,
      type: 'matched',
      at: '2026-08-21',
      recorded_at: expect.stringMatching(/^\d{4}-.*Z$/),
      watch: { id: watch.id, name: watch.name, team: null },
      cve_id: cve(1111),
      on: ['entered', 'exploited', 'priority_raised'],
      entered_by: ['kev'],
      types: ['kev_added'],
      diff: {
        'priority.level': { old: 'P3', new: 'P0' },
        'kev.dateAdded': { old: null, new: '2026-11-16' },
      },
      record_after: RECORD,
      summary:
        'fortinet fortios: It entered the search by kev. CISA lists it as a known exploited vulnerability since 2026-11-16. The level went from P3 to P0.',
      muted: false,
      url: `http://vis.example.org/console/cves/${cve(1111)}`,
    })
  })

  it('reads all events once with next_since, whatever the page', async () => {
    const { id, caller, watch } = await openAccount()
    await tell(id, ...Array.from({ length: 7 }, (_, index) => ({ watchId: watch.id, cveId: cve(index) })))
    const seen: number[] = []
    let [since, more] = ['start', true]
    while (more) {
      const page = await read(caller, `since=${since}&limit=3`)
      seen.push(...listNumbers(page))
      ;[since, more] = [page.next_since, page.has_more]
    }
    expect([seen, since]).toEqual([[1, 2, 3, 4, 5, 6, 7], '7'])
    expect(await read(caller, 'since=7')).toMatchObject({ watch_events: [], next_since: '7', has_more: false })
    expect(await read(caller, 'since=now')).toMatchObject({
      watch_events: [],
      next_since: '7',
      newest_nr: 7,
      oldest_nr: 1,
    })
  })

  it('reads backwards with next_before', async () => {
    const { id, caller, watch } = await openAccount()
    await tell(id, ...Array.from({ length: 5 }, (_, index) => ({ watchId: watch.id, cveId: cve(index) })))
    const first = await read(caller, 'before=now&limit=3')
    expect([listNumbers(first), first.next_before, first.next_since]).toEqual([[5, 4, 3], '3', '5'])
    const second = await read(caller, 'before=3&limit=3')
    expect([listNumbers(second), second.next_before]).toEqual([[2, 1], null])
  })

  it('filters by watch and by what happened, and never leaves out what a watch could not tell one by one', async () => {
    const { id, caller, watch, other } = await openAccount()
    await tell(
      id,
      { watchId: watch.id, cveId: cve(1), kinds: ['entered'] },
      { watchId: watch.id, cveId: cve(2), kinds: ['exploited', 'left'] },
      { watchId: other.id, cveId: cve(3), kinds: ['exploited'] },
      {
        watchId: other.id,
        type: 'recalculated',
        detail: {
          cause: 'rules',
          first_seq: 7,
          entered: { P0: 1, P2: 2 },
          left: {},
          entered_ids: [cve(1), cve(2), cve(3)],
          left_ids: [],
        },
      },
      {
        watchId: watch.id,
        type: 'gap',
        detail: { from: '7:000000000000004d', to: '9:000000000000004d' },
      },
    )
    expect(listNumbers(await read(caller, `since=start&watch=${watch.id}`))).toEqual([1, 2, 5])
    expect(listNumbers(await read(caller, 'since=start&on=exploited'))).toEqual([2, 3, 4, 5])
    await caller.post(`/watches/${other.id}`, { revision: 1, team: 'network' })
    expect(listNumbers(await read(caller, 'since=start&team=network'))).toEqual([3, 4])
    await tell(id, { watchId: watch.id, cveId: cve(9), isMuted: true })
    expect(listNumbers(await read(caller, 'since=start&muted=true'))).toEqual([6])
    expect(listNumbers(await read(caller, 'before=now&muted=false'))).toEqual([5, 4, 3, 2, 1])
    const page = await read(caller, `since=start&on=left,epss_rise&watch=${other.id}`)
    expect(page.watch_events).toMatchObject([
      {
        nr: 4,
        cve_id: null,
        record_after: null,
        recalculation: {
          cause: 'rules',
          entered_count: 3,
          left_count: 0,
          entered_levels: { P0: 1, P2: 2 },
          entered_ids: [cve(1), cve(2), cve(3)],
        },
        summary:
          '3 CVEs entered the search and 0 CVEs left it. The cause of these changes is rules, so they have no events of their own.',
      },
    ])
    // A page that ends before the newest event continues after the newest one: the others do not match.
    expect(page.next_since).toBe('6')
    const [gap] = (await read(caller, 'since=4')).watch_events
    expect(gap).toMatchObject({
      type: 'gap',
      gap: { from_position: '7:000000000000004d', to_position: '9:000000000000004d' },
    })
  })

  it('keeps the events of a removed watch, without its name', async () => {
    const { id, caller, watch } = await openAccount()
    await tell(id, { watchId: watch.id, cveId: cve(1) })
    const [before] = (await read(caller, 'since=start')).watch_events
    await caller.post(`/watches/${watch.id}/remove`, {})
    const [after] = (await read(caller, `since=start&watch=${watch.id}`)).watch_events
    expect(after).toEqual({ ...before, watch: { id: watch.id, name: null, team: null } })
  })

  it('answers 410 if later events are gone, and if the number does not exist', async () => {
    const { id, caller, watch } = await openAccount()
    await tell(id, ...Array.from({ length: 4 }, (_, index) => ({ watchId: watch.id, cveId: cve(index) })))
    await readRows(database.url, 'delete from notify.event where account_id = $1 and nr <= 2', [id])
    const [gone, ahead] = [await caller.get('/events?since=1'), await caller.get('/events?since=9')]
    expect([gone.status, gone.json.error.details]).toEqual([410, { oldest_nr: 3, newest_nr: 4 }])
    expect([ahead.status, ahead.json.error.details]).toEqual([410, { oldest_nr: 3, newest_nr: 4 }])
    expect(listNumbers(await read(caller, 'since=2'))).toEqual([3, 4])
    expect(listNumbers(await read(caller, 'since=start'))).toEqual([3, 4])
    await readRows(database.url, 'delete from notify.event where account_id = $1', [id])
    expect(await read(caller, 'since=4')).toMatchObject({ watch_events: [], oldest_nr: 5, newest_nr: 4 })
    expect((await caller.get('/events?since=3')).status).toBe(410)
  })

  it.each([
    ['', 'since'],
    ['since=start&before=now', 'since'],
    ['since=263680:0f3a5c1d2b4e6f70', 'since'],
    ['since=-1', 'since'],
    ['since=01', 'since'],
    ['before=start', 'before'],
    ['since=start&watch=x', 'watch'],
    ['since=start&on=everything', 'on'],
    ['since=start&wait=26', 'wait'],
    ['since=start&limit=201', 'limit'],
  ])('answers 400 for %j', async (query, parameter) => {
    const { status, json } = await watcher.get(`/events?${query}`)
    expect([status, json.error.parameter]).toEqual([400, parameter])
  })

  it('shows no event of another account, whatever the number and the watch', async () => {
    const theirs = await createWatch(stranger)
    await tell(foreign.id, { watchId: theirs.id, cveId: cve(666) })
    for (const query of ['since=start', 'since=0', 'before=now', `since=start&watch=${theirs.id}`])
      expect((await watcher.get(`/events?${query}`)).text).not.toContain(cve(666))
  })
})

describe('GET /api/v1/events with wait', () => {
  it('answers soon after an event of the account that passes the filters, and not before', async () => {
    const { id, caller, watch, other } = await openAccount()
    await tell(id, { watchId: watch.id, cveId: cve(1) })
    const startedAt = performance.now()
    const waiting = read(caller, `since=1&wait=20&watch=${watch.id}&on=exploited`)
    let isAnswered = false
    void waiting.finally(() => {
      isAnswered = true
    })
    await tell(
      id,
      { watchId: other.id, cveId: cve(2), kinds: ['exploited'] },
      { watchId: watch.id, cveId: cve(2), kinds: ['entered'] },
    )
    await tell(own.id, { watchId: watch.id, cveId: cve(2), kinds: ['exploited'] })
    await new Promise((resolve) => setTimeout(resolve, 1500))
    expect(isAnswered).toBe(false)
    const toldAt = performance.now()
    await tell(id, { watchId: watch.id, cveId: cve(3), kinds: ['exploited'] })
    expect(await waiting).toMatchObject({ watch_events: [{ nr: 4, cve_id: cve(3) }], next_since: '4' })
    expect(performance.now() - toldAt).toBeLessThan(1500)
    expect(performance.now() - startedAt).toBeGreaterThan(1400)
  })

  it('answers at once if there is an event already, and after the time without one', async () => {
    const { id, caller, watch } = await openAccount()
    await tell(id, { watchId: watch.id, cveId: cve(1) })
    const startedAt = performance.now()
    expect(listNumbers(await read(caller, 'since=0&wait=20'))).toEqual([1])
    expect(performance.now() - startedAt).toBeLessThan(3000)
    expect(await read(caller, 'since=1&wait=1')).toMatchObject({ watch_events: [], next_since: '1' })
    expect(performance.now() - startedAt).toBeGreaterThan(1000)
  })

  it('answers with 401 soon after the key was revoked', async () => {
    const { key, caller } = await openAccount()
    const waiting = caller.get('/events?since=0&wait=20')
    await new Promise((resolve) => setTimeout(resolve, 300))
    const startedAt = performance.now()
    await readRows(database.url, 'update accounts.api_key set revoked_at = now() where digest = $1', [key.digest])
    const { status, json } = await waiting
    expect([status, json.error.details]).toEqual([401, { reason: 'revoked' }])
    expect(performance.now() - startedAt).toBeLessThan(3000)
  })

  it('lets an account wait with 16 calls and uses one connection for all of them', async () => {
    const { id, caller, watch } = await openAccount()
    const waits = Array.from({ length: 16 }, () => caller.get('/events?since=0&wait=20'))
    await new Promise((resolve) => setTimeout(resolve, 700))
    const [{ busy }] = await readRows(
      database.url,
      `select count(*)::int as busy from pg_stat_activity
        where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid() and query ~ 'notify'`,
      [],
    )
    expect(busy).toBeLessThanOrEqual(1)
    const refused = await caller.get('/events?since=0&wait=20')
    expect([refused.status, refused.json.error.message]).toEqual([503, expect.stringContaining('wait=0')])
    expect((await caller.get('/events?since=0')).status).toBe(200)
    await tell(id, { watchId: watch.id, cveId: cve(1) })
    for (const { status, json } of await Promise.all(waits))
      expect([status, listNumbers(json.data)]).toEqual([200, [1]])
  })
})

describe('What a member has read', () => {
  it('is one number, which only grows; muted events and snoozed watches are not unread', async () => {
    const { id, caller, watch, other } = await openAccount()
    const [viewer, admin] = [await join('viewer', id), await join('admin', id)]
    await tell(
      id,
      { watchId: watch.id, cveId: cve(1) },
      { watchId: watch.id, cveId: cve(2), isMuted: true },
      { watchId: other.id, cveId: cve(3) },
      { watchId: watch.id, cveId: cve(4) },
    )
    const seen = async (member: Caller) => (await member.get('/members/me')).json.data.seen_events
    expect(await seen(viewer)).toEqual({ seen_nr: 0, newest_nr: 4, unread: 3, has_more_unread: false })
    // The database judges the end of a snooze by its own clock.
    setup.service.clock.advance({ seconds: (Date.now() - setup.service.clock.now().getTime()) / 1000 })
    const until = new Date(Date.now() + 86_400_000)
    await caller.post(`/watches/${other.id}/snooze`, { until: until.toISOString().slice(0, 19) })
    expect((await seen(viewer)).unread).toBe(2)
    expect((await viewer.post('/members/me/seen', { events: 3 })).json.data.seen_events).toMatchObject({
      seen_nr: 3,
      unread: 1,
    })
    expect((await viewer.post('/members/me/seen', { events: 1 })).json.data.seen_events.seen_nr).toBe(3)
    expect((await seen(admin)).seen_nr).toBe(0)
  })

  it('cannot be ahead of the newest event, and a key has none', async () => {
    const { id, caller } = await openAccount()
    const viewer = await join('viewer', id)
    const ahead = await viewer.post('/members/me/seen', { events: 1 })
    expect([ahead.status, ahead.json.error.parameter]).toEqual([400, 'events'])
    expect((await viewer.post('/members/me/seen', {})).status).toBe(400)
    expect((await caller.post('/members/me/seen', { events: 0 })).status).toBe(403)
    expect((await caller.get('/members/me')).json.data).toEqual({})
  })

  it('goes with the member', async () => {
    const { id } = await openAccount()
    const [viewer, owner] = [await join('viewer', id), await join('owner', id)]
    await viewer.post('/members/me/seen', { events: 0 })
    const count = async () =>
      (
        await readRows(database.url, 'select count(*)::int as marks from notify.read_mark where account_id = $1', [id])
      )[0].marks
    expect(await count()).toBe(1)
    await owner.post(`/members/${viewer.id}/remove`, {})
    expect(await count()).toBe(0)
  })
})

describe('Muting a CVE in a watch', () => {
  const muted = (watchId: string) => ({
    cve_id: cve(7),
    scope: `watch:${watchId}`,
    state: 'accepted',
    until: '2199-01-31',
    unless: ['exploited'],
    note: 'behind VPN',
  })

  it('is a triage entry with the scope of the watch, which is listed, changed and removed as any other', async () => {
    const { caller, watch } = await openAccount()
    const set = await caller.post('/triage', muted(watch.id))
    expect(set.json.data.triage_entry).toMatchObject({
      scope: `watch:${watch.id}`,
      version_range: null,
      effect: 'suppresses',
      until_day: '2199-01-31',
    })
    const listed = await caller.get(`/triage?scope=watch:${watch.id}`)
    expect(listed.json.data.triage_entries).toHaveLength(1)
    const removed = await caller.post('/triage/remove', { cve_id: cve(7), scope: `watch:${watch.id}`, revision: 1 })
    expect(removed.status).toBe(200)
  })

  it('answers 404 for a watch of another account exactly as for one that does not exist', async () => {
    const { caller } = await openAccount()
    const theirs = await createWatch(stranger)
    const [foreignWatch, absent] = [
      await caller.post('/triage', muted(theirs.id)),
      await caller.post('/triage', muted('99999')),
    ]
    expect([foreignWatch.status, absent.status]).toEqual([404, 404])
    expect(foreignWatch.json.error.message.replace(theirs.id, '')).toBe(absent.json.error.message.replace('99999', ''))
    const { json } = await caller.post('/triage/bulk', { set: [muted(theirs.id)] })
    expect(json.data.results).toMatchObject([{ outcome: 'no_watch' }])
  })

  it('refuses versions, hides no finding of a scan, and is not exported as VEX', async () => {
    const { caller, watch } = await openAccount()
    const versions = await caller.post('/triage', { ...muted(watch.id), version_range: '<2' })
    expect([versions.status, versions.json.error.parameter]).toEqual([400, 'state'])
    await caller.post('/triage', muted(watch.id))
    const { document } = (await caller.get('/triage/openvex')).json.data
    expect(JSON.stringify(document)).not.toContain('watch:')
  })

  it('stays listed after the watch is removed, and can be removed then', async () => {
    const { caller, watch } = await openAccount()
    await caller.post('/triage', muted(watch.id))
    await caller.post(`/watches/${watch.id}/remove`, {})
    expect((await caller.get(`/triage?ids=${cve(7)}`)).json.data.triage_entries).toHaveLength(1)
    expect((await caller.post('/triage', { ...muted(watch.id), revision: 1 })).status).toBe(404)
    const removed = await caller.post('/triage/remove', { cve_id: cve(7), scope: `watch:${watch.id}`, revision: 1 })
    expect(removed.status).toBe(200)
  })
})
