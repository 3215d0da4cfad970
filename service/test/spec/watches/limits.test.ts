import { describe, expect, it } from 'vitest'
import { WATCH_LIMITS } from '../../../src/domain/account/plan.ts'
import { account, createTestKey } from '../../support/builders.ts'
import { readRows } from '../../support/run-statements.ts'
import { startWatchSetup } from './watch-setup.ts'

const setup = await startWatchSetup()
const { database, createWatch } = setup

describe('Limits of watches', () => {
  it('are the same in the database and in the table of plans', async () => {
    for (const [plan, { watches, feeds }] of Object.entries(WATCH_LIMITS)) {
      const [row] = await readRows(database.url, 'select * from notify.plan_limits($1)', [plan])
      expect([plan, row]).toEqual([plan, { watches, feeds }])
    }
  })

  it('let a free account have three watches, whatever its views', async () => {
    const key = createTestKey()
    await setup.service.given(account('free').withKey(key, { scopes: ['read', 'watch'] }))
    const caller = setup.withKey(key.key)
    for (let index = 0; index < 3; index += 1) await createWatch(caller)
    const { status, json } = await caller.post('/watches', { name: 'one more', query: { kev: true } })
    expect([status, json.error.details]).toEqual([409, { limit: 3 }])
    const view = await caller.post('/views', { name: 'a plain view', query: 'kev=true' })
    expect(view.status).toBe(200)
    expect((await caller.post('/watches', { view_id: view.json.data.view.id })).status).toBe(409)
  })

  it('count changes of watches with those of shared views, and not with those of keys', async () => {
    const key = createTestKey()
    const busy = account('pro').withKey(key, { scopes: ['read', 'watch', 'manage'] })
    await setup.service.given(busy)
    const caller = setup.withKey(key.key)
    const watch = await createWatch(caller)
    await readRows(
      database.url,
      `insert into accounts.audit (actor, action, account_id) select 'key:1', 'watch.change', $1 from generate_series(1, 198)`,
      [busy.id],
    )
    expect((await caller.post(`/watches/${watch.id}`, { revision: 1, team: 'a' })).status).toBe(200)
    const refused = await caller.post(`/watches/${watch.id}`, { revision: 2, team: 'b' })
    expect([refused.status, refused.json.error.details]).toEqual([409, { limit: 200 }])
    expect((await caller.post('/views', { name: 'a view', query: 'kev=true' })).status).toBe(409)
    expect((await caller.post('/origins', { origin: 'https://app.example' })).status).toBe(200)
  })
})
