// Saved searches with every type of credential: who sees, saves, changes and removes which views.
import { describe, expect, it } from 'vitest'
import { eraseMember, lockMember } from '../../../src/accounts/people/administer-members.ts'
import type { Database } from '../../../src/database/postgres.ts'
import type { ApiAnswer } from '../../support/api.ts'
import { account, createTestKey } from '../../support/builders.ts'
import { type SignedIn, signIn, useCookie } from '../../support/console.ts'
import { addMember, openMemberSession } from '../../support/members.ts'
import { readRows } from '../../support/run-statements.ts'
import { startTestService } from '../../support/service.ts'

const service = await startTestService({
  environment: { CONSOLE_KEY_SIGN_IN: 'on', CONSOLE_READS_PER_MINUTE: '100000', CONSOLE_READS_PER_DAY: '100000' },
})
const { api, database, given } = service
const [reader, watcher, manager, foreignKey] = [createTestKey(), createTestKey(), createTestKey(), createTestKey()]
const own = account('pro')
  .withKey(reader)
  .withKey(watcher, { scopes: ['read', 'watch'] })
  .withKey(manager, { scopes: ['read', 'manage'] })
const foreign = account('pro').withKey(foreignKey, { scopes: ['read', 'manage', 'watch'] })
await given(own, foreign)

interface Caller {
  get(path: string): Promise<ApiAnswer>
  post(path: string, body: object): Promise<ApiAnswer>
}

const withKey = (key: string): Caller => ({
  get: (path) => api.get(`/api/v1${path}`, { key }),
  post: (path, body) =>
    api.send('POST', `/api/v1${path}`, {
      key,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    }),
})
const withSession = (session: SignedIn): Caller => ({
  get: (path) => session.get(`/console/api/v1${path}`),
  post: (path, body) => session.send('POST', `/console/api/v1${path}`, JSON.stringify(body)),
})
let members = 0
async function join(role: string, accountId = own.id): Promise<Caller & { readonly id: string }> {
  members += 1
  const id = await addMember(database.url, { accountId, email: `member${members}@example.org`, role })
  return { id, ...withSession(useCookie(api, await openMemberSession(database.url, id))) }
}

const [viewer, otherViewer, admin, owner, stranger] = await Promise.all([
  join('viewer'),
  join('viewer'),
  join('admin'),
  join('owner'),
  join('owner', foreign.id),
])
const keySession = withSession(await signIn(api, reader.key))
const watcherSession = withSession(await signIn(api, watcher.key))

const QUERY = 'kev=true&sort=epss_desc'
let names = 0
const body = (more: object = {}) => {
  names += 1
  return { name: `view ${names}`, query: QUERY, ...more }
}
async function save(caller: Caller, more: object = {}): Promise<{ id: string; name: string; revision: number }> {
  const { status, json, text } = await caller.post('/views', body(more))
  expect(status, text).toBe(200)
  return json.data.view
}
const listIds = async (caller: Caller): Promise<readonly string[]> =>
  (await caller.get('/views')).json.data.views.map(({ id }: { id: string }) => id)

describe('GET /api/v1/views', () => {
  it('shows shared views to the account and own ones to their member alone', async () => {
    const [mine, shared] = [await save(viewer), await save(admin, { shared: true })]
    const foreignShared = await save(withKey(foreignKey.key))
    for (const [caller, sees] of [
      [viewer, [mine.id, shared.id]],
      [otherViewer, [shared.id]],
      [owner, [shared.id]],
      [withKey(watcher.key), [shared.id]],
      [watcherSession, [shared.id]],
      [withKey(reader.key), []],
      [withKey(manager.key), []],
      [keySession, []],
      [stranger, [foreignShared.id]],
    ] as const) {
      const ids = await listIds(caller)
      expect(ids.slice(0, 4)).toEqual(['became-urgent', 'exploited-without-fix', 'not-assessed', 'new-in-kev'])
      expect(ids.filter((id) => [mine.id, shared.id, foreignShared.id].includes(id)).toSorted()).toEqual(
        sees.toSorted(),
      )
    }
  })

  it.each([
    ['viewer', () => viewer, { reads_saved: true, saves_own: true, saves_shared: false }],
    ['owner', () => owner, { reads_saved: true, saves_own: true, saves_shared: true }],
    [
      'key with the scope watch',
      () => withKey(watcher.key),
      { reads_saved: true, saves_own: false, saves_shared: true },
    ],
    ['key without it', () => withKey(reader.key), { reads_saved: false, saves_own: false, saves_shared: false }],
    ['session of a key with it', () => watcherSession, { reads_saved: true, saves_own: false, saves_shared: false }],
    ['session of a key without it', () => keySession, { reads_saved: false, saves_own: false, saves_shared: false }],
  ])('says what a %s may do', async (_name, caller, rights) => {
    expect((await caller().get('/views')).json.data.rights).toEqual(rights)
  })

  it('shows the days of today, and the place decides the order', async () => {
    const last = await save(owner, { place: 20, query: 'kev_added_after=today-7d&attack_vector=network' })
    const first = await save(owner, { place: 10 })
    const { json } = await owner.get('/views')
    const ids = json.data.views.map(({ id }: { id: string }) => id)
    expect(ids.indexOf(first.id)).toBeLessThan(ids.indexOf(last.id))
    const today = String(json.meta.timestamp).slice(0, 10)
    const weekAgo = new Date(Date.parse(today) - 7 * 86_400_000).toISOString().slice(0, 10)
    expect(json.data.views.find(({ id }: { id: string }) => id === last.id)).toMatchObject({
      query: 'attack_vector=network&kev_added_after=today-7d',
      search: `attack_vector=network&kev_added_after=${weekAgo}&include=enrichment`,
      own: true,
      shared: false,
      member_id: owner.id,
    })
  })

  it('lists built-in views whose search the service answers', async () => {
    const { json } = await viewer.get('/views')
    for (const { search } of json.data.views.filter(({ built_in }: { built_in: boolean }) => built_in))
      expect((await api.get(`/api/v1/cves?${search}`, { key: reader.key })).status).toBe(200)
  })
})

describe('Saving, changing and removing a view', () => {
  it.each([
    ['a viewer an own one', () => viewer, {}, 200, undefined],
    ['a viewer a shared one', () => viewer, { shared: true }, 403, { required_role: 'admin' }],
    ['an admin a shared one', () => admin, { shared: true }, 200, undefined],
    ['a key with the scope a shared one', () => withKey(watcher.key), {}, 200, undefined],
    ['a key an own one', () => withKey(watcher.key), { shared: false }, 403, { reason: 'member' }],
    ['a key without the scope', () => withKey(reader.key), {}, 403, { required_scope: 'watch' }],
    ['a key with manage alone', () => withKey(manager.key), {}, 403, { required_scope: 'watch' }],
    ['a session of a key', () => watcherSession, { shared: true }, 403, { required_role: 'admin' }],
    ['a session of a key without the scope', () => keySession, {}, 403, { required_scope: 'watch' }],
  ])('%s answers as expected', async (_name, caller, more, status, details) => {
    const { status: answered, json } = await caller().post('/views', body(more))
    expect([answered, json.error?.details]).toEqual([status, details])
  })

  it("answers for another member's or another account's view as for one that does not exist", async () => {
    const hidden = [await save(viewer), await save(stranger), await save(stranger, { shared: true })]
    for (const caller of [otherViewer, admin, owner, withKey(watcher.key)]) {
      for (const { id } of [...hidden, { id: '999999999' }]) {
        const answers = [
          await caller.get(`/views/${id}`),
          await caller.post(`/views/${id}`, body({ revision: 1 })),
          await caller.post(`/views/${id}`, body({ revision: 7, shared: true })),
          await caller.post(`/views/${id}/remove`, {}),
        ]
        for (const { status, json } of answers)
          expect([status, json.error.message]).toEqual([
            404,
            `There is no view ${id} for this caller. GET /api/v1/views lists the views.`,
          ])
      }
    }
    expect(await listIds(viewer)).toContain(hidden[0]?.id)
    expect(await listIds(stranger)).toEqual(expect.arrayContaining([hidden[1]?.id, hidden[2]?.id]))
  })

  it('refuses saved ids to a key without the scope, whether or not they exist', async () => {
    const shared = await save(admin, { shared: true })
    for (const id of [shared.id, '999999999'])
      expect((await withKey(reader.key).get(`/views/${id}`)).json.error.details).toEqual({ required_scope: 'watch' })
    expect((await withKey(reader.key).get('/views/new-in-kev')).status).toBe(200)
  })

  it('lets a viewer see a shared view, and not change it', async () => {
    const { id, name, revision } = await save(admin, { shared: true })
    expect((await viewer.get(`/views/${id}`)).json.data.view).toMatchObject({ name, own: false, member_id: admin.id })
    expect((await viewer.post(`/views/${id}`, body({ revision }))).status).toBe(403)
    expect((await viewer.post(`/views/${id}/remove`, {})).status).toBe(403)
    expect((await owner.post(`/views/${id}`, body({ revision, shared: false }))).json.error.details).toEqual({
      reason: 'member',
    })
    expect((await owner.post(`/views/${id}`, body({ revision }))).json.data.view).toMatchObject({ revision: 2 })
    expect((await admin.post(`/views/${id}`, body({ revision: 2, shared: false }))).json.data.view).toMatchObject({
      shared: false,
    })
    expect((await owner.get(`/views/${id}`)).status).toBe(404)
  })

  it('refuses a change of another revision, and names the present one', async () => {
    const { id, revision } = await save(viewer)
    expect((await viewer.post(`/views/${id}`, body({ revision }))).status).toBe(200)
    const late = await viewer.post(`/views/${id}`, body({ revision }))
    expect([late.status, late.json.error.details]).toEqual([409, { revision: 2 }])
    expect((await viewer.post(`/views/${id}/remove`, { revision })).status).toBe(409)
    expect((await viewer.post(`/views/${id}/remove`, { revision: 2 })).status).toBe(200)
  })

  it('keeps the place if a change leaves it out, and drops the columns', async () => {
    const { id } = await save(viewer, { place: 7, columns: ['epss', 'epss', 'kev'] })
    expect((await viewer.get(`/views/${id}`)).json.data.view.columns).toEqual(['epss', 'kev'])
    const { view } = (await viewer.post(`/views/${id}`, body({ revision: 1 }))).json.data
    expect(view).toMatchObject({ place: 7, columns: null })
  })

  it('refuses a name that another view has, in any letter case, but not that of an own view for a shared one', async () => {
    const name = `Unique ${Math.random()}`
    await save(viewer, { name })
    expect((await viewer.post('/views', body({ name: name.toUpperCase() }))).status).toBe(409)
    await save(otherViewer, { name })
    await save(admin, { name, shared: true })
    expect((await owner.post('/views', body({ name, shared: true }))).status).toBe(409)
  })

  it('names all issues of the query and of the other fields', async () => {
    const { status, json } = await viewer.post('/views', {
      query: 'severity=urgent&kevv=1',
      columns: ['Not A Column'],
      shred: true,
    })
    expect(status).toBe(400)
    expect(json.error.details.errors.map(({ parameter }: { parameter: string }) => parameter)).toEqual([
      'name',
      'query.severity',
      'query.kevv',
      'columns',
      'shred',
    ])
  })

  it('leaves built-in views alone', async () => {
    for (const path of ['/views/new-in-kev', '/views/new-in-kev/remove']) {
      const { status, json } = await owner.post(path, path.endsWith('remove') ? {} : body({ revision: 1 }))
      expect([status, json.error.details]).toEqual([409, { built_in: true }])
    }
    expect((await owner.get('/views/no-such-view')).status).toBe(404)
  })

  it('stops at 50 own views, also for writers at the same time', async () => {
    const collector = await join('viewer')
    const answers = await Promise.all(Array.from({ length: 60 }, () => collector.post('/views', body())))
    expect(Map.groupBy(answers, ({ status }) => status).get(200)).toHaveLength(50)
    expect(answers.find(({ status }) => status === 409)?.json.error.details).toEqual({ limit: 50 })
  })
})

describe('100 writers at the same time', () => {
  it('change a view once: the others get 409, and the view is what the one who succeeded sent', async () => {
    const { id, revision } = await save(admin, { shared: true })
    const answers = await Promise.all(
      Array.from({ length: 100 }, async (_, index) => {
        const caller = [admin, owner, withKey(watcher.key)][index % 3] ?? admin
        const change = { revision, name: `writer ${index}`, query: `cpe_count_min=${index + 1}` }
        return { change, ...(await caller.post(`/views/${id}`, change)) }
      }),
    )
    const done = answers.filter(({ status }) => status === 200)
    expect(done).toHaveLength(1)
    // A busy node may also answer 503, which changes nothing.
    expect(answers.filter(({ status }) => ![200, 409, 503].includes(status))).toEqual([])
    const { name, query } = done[0]?.change ?? {}
    expect((await admin.get(`/views/${id}`)).json.data.view).toMatchObject({ name, query, revision: revision + 1 })
  })

  it('save 100 own views, and none is lost', async () => {
    const writers = await Promise.all(['viewer', 'viewer', 'admin', 'owner'].map((role) => join(role)))
    const saved = await Promise.all(
      Array.from({ length: 100 }, async (_, index) => {
        const caller = writers[index % writers.length] ?? viewer
        return { caller, id: (await save(caller)).id }
      }),
    )
    for (const caller of writers)
      expect(await listIds(caller)).toEqual(
        expect.arrayContaining(saved.filter((each) => each.caller === caller).map(({ id }) => id)),
      )
  })
})

describe('The audit log', () => {
  it('has the changes of shared views without their names, and none of own views', async () => {
    const [mine, shared] = [await save(admin), await save(admin, { shared: true })]
    await admin.post(`/views/${shared.id}/remove`, {})
    const rows = await readRows(
      database.url,
      "select actor, action, details from accounts.audit where action ~ '^view' and details ->> 'view_id' = any($1) order by id",
      [[mine.id, shared.id]],
    )
    expect(rows).toEqual([
      { actor: `member:${admin.id}`, action: 'view.create', details: { view_id: shared.id, shared: true } },
      { actor: `member:${admin.id}`, action: 'view.remove', details: { view_id: shared.id } },
    ])
  })
})

describe('A member who leaves', () => {
  it.each(['removed', 'erased'])('takes own views along and leaves shared ones without an owner if %s', async (how) => {
    const leaver = await join('admin')
    const [mine, shared] = [await save(leaver), await save(leaver, { shared: true })]
    await leaver.post('/members/me/seen', { position: '0:0000000000000000' })
    if (how === 'removed') expect((await owner.post(`/members/${leaver.id}/remove`, {})).status).toBe(200)
    else {
      const store = async (db: Database) => {
        await db.transaction().execute(async (tx) => {
          const operation = { tx, operator: 'a test' }
          const member = await lockMember(operation, leaver.id)
          if (member) await eraseMember(operation, member)
        })
      }
      await given({ store })
    }
    const rows = await readRows(database.url, 'select id, member_id from accounts.view where id = any($1)', [
      [mine.id, shared.id],
    ])
    expect(rows.map(({ id, member_id }) => [String(id), member_id])).toEqual([[shared.id, null]])
    expect((await owner.get(`/views/${shared.id}`)).json.data.view).toMatchObject({ member_id: null, shared: true })
    expect(await readRows(database.url, 'select from accounts.member_seen where member_id = $1', [leaver.id])).toEqual(
      [],
    )
  })
})
