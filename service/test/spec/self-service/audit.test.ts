import { describe, expect, it } from 'vitest'
import { account, createTestKey } from '../../support/builders.ts'
import { readRows, runStatements } from '../../support/run-statements.ts'
import { createManager, post, readAudit } from '../../support/self-service.ts'
import { startTestService } from '../../support/service.ts'

const service = await startTestService()
const { api, database } = service
const AUDIT = '/api/v1/audit'

const getAudit = async (key: string, query = '') => (await api.get(`${AUDIT}${query}`, { key })).json.data

describe('The audit log', () => {
  it('has one entry for each change, with the key that made it', async () => {
    const { key, accountId } = await createManager(service)
    const [{ id: actor }] = await readRows(database.url, 'select id from accounts.api_key where account_id = $1', [
      accountId,
    ])
    const { id } = (await post(api, key, '/api/v1/keys', { name: 'ci', scopes: ['read'] })).json.data.key
    const { id: successor } = (await post(api, key, `/api/v1/keys/${id}/rotate`)).json.data.key
    await post(api, key, `/api/v1/keys/${successor}/revoke`)
    for (const path of ['/api/v1/origins', '/api/v1/origins', '/api/v1/origins/remove', '/api/v1/origins/remove'])
      await post(api, key, path, { origin: 'https://app.example' })

    const { audit: entries } = await getAudit(key, '?limit=5')

    expect(entries.map(({ action, key_id, details }: Record<string, unknown>) => [action, key_id, details])).toEqual([
      ['account.origins', undefined, { added: [], removed: ['https://app.example'] }],
      ['account.origins', undefined, { added: ['https://app.example'], removed: [] }],
      ['key.revoke', successor, {}],
      ['key.rotate', id, { replaced_by: successor, expires_at: expect.stringMatching(/Z$/) }],
      ['key.issue', id, { name: 'ci', scopes: ['read'] }],
    ])
    for (const entry of entries) expect(entry.actor).toBe(`key:${actor}`)
  })

  it('has an entry if and only if the change is stored', async () => {
    const { key, accountId } = await createManager(service)
    const count = async () => {
      const [row] = await readRows(
        database.url,
        `select (select count(*)::integer from accounts.api_key where account_id = $1) as keys,
                (select count(*)::integer from accounts.account_origin where account_id = $1) as origins,
                (select count(*)::integer from accounts.audit where account_id = $1) as entries`,
        [accountId],
      )
      return row
    }
    const before = await count()
    await runStatements(
      database.url,
      `create function accounts.fail_audit() returns trigger language plpgsql as $$
       begin if new.account_id = ${accountId} then raise exception 'no space left'; end if; return new; end $$`,
      'create trigger fail_audit before insert on accounts.audit for each row execute function accounts.fail_audit()',
    )
    const answers = [
      await post(api, key, '/api/v1/keys', { name: 'ci', scopes: ['read'] }),
      await post(api, key, '/api/v1/origins', { origin: 'https://app.example' }),
    ]
    await runStatements(database.url, 'drop trigger fail_audit on accounts.audit')

    expect(answers.map(({ status }) => status)).toEqual([500, 500])
    expect(await count()).toEqual(before)
  })

  it("shows operator changes without the operators' names and without the reason for a suspension", async () => {
    const { key, accountId } = await createManager(service)
    await readRows(
      database.url,
      `insert into accounts.audit (actor, action, account_id, details)
       values ('vis_owner (alice)', 'account.suspend', $1, '{"reason": "internal remark"}')`,
      [accountId],
    )

    const { audit: entries } = await getAudit(key)

    expect(new Set(entries.map((entry: { actor: string }) => entry.actor))).toEqual(new Set(['operator']))
    expect(entries[0]).toMatchObject({ action: 'account.suspend', details: {} })
    expect(JSON.stringify(entries)).not.toContain('alice')
  })

  it('is read in pages, whose cursors are not valid in another account', async () => {
    const [one, other] = [await createManager(service), await createManager(service)]
    for (const origin of ['https://a.example', 'https://b.example', 'https://c.example'])
      await post(api, one.key, '/api/v1/origins', { origin })
    const all = (await getAudit(one.key)).audit.map(({ id }: { id: string }) => id)

    const ids: string[] = []
    let after = ''
    do {
      const { audit: entries, pagination } = await getAudit(one.key, `?limit=2${after && `&after=${after}`}`)
      ids.push(...entries.map(({ id }: { id: string }) => id))
      after = pagination.nextCursor ?? ''
      if (after) expect((await api.get(`${AUDIT}?after=${after}`, { key: other.key })).status).toBe(400)
    } while (after)
    expect(ids).toEqual(all)
  })

  it('is protected against a program that makes changes in a loop', async () => {
    const { key, accountId } = await createManager(service)
    await readRows(
      database.url,
      `insert into accounts.audit (actor, action, account_id)
       select 'key:1', 'account.origins', $1 from generate_series(1, 199)`,
      [accountId],
    )
    const add = (origin: string) => post(api, key, '/api/v1/origins', { origin })

    expect((await add('https://a.example')).status).toBe(200)
    expect((await add('https://b.example')).json.error).toMatchObject({ code: 'CONFLICT', details: { limit: 200 } })
    expect(await readAudit(database.url, accountId, 'account.origins')).toHaveLength(200)
  })
})

describe('Filters of the audit log, and its export', () => {
  it('select by who, kind and day, in the list and in the CSV file', async () => {
    const key = createTestKey()
    const owner = account('pro').withKey(key, { name: 'manager', scopes: ['read', 'manage'] })
    await service.given(owner)
    const send = (path: string, body: object) =>
      api.send('POST', path, {
        key: key.key,
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      })
    await send('/api/v1/origins', { origin: 'https://a.example' })
    await send('/api/v1/members', { email: 'ada@filters.example', role: 'viewer' })
    await send('/api/v1/keys', { name: '=1+1', scopes: ['read'] })
    const list = async (query: string) =>
      (await api.get(`/api/v1/audit?${query}`, { key: key.key })).json.data.audit as { action: string; actor: string }[]
    const all = await list('limit=200')
    const own = all[0]?.actor ?? ''
    expect((await list('kind=member,key')).map(({ action }) => action)).toEqual([
      'key.issue',
      'member.invite',
      'key.issue',
    ])
    expect((await list(`actor=${own}&kind=key`)).map(({ action }) => action)).toEqual(['key.issue'])
    expect((await list('actor=operator')).every(({ actor }) => actor === 'operator')).toBe(true)
    expect(await list('actor=member:1')).toEqual([])
    const today = new Date().toISOString().slice(0, 10)
    expect(await list('to=2020-01-01')).toEqual([])
    expect(await list(`from=${today}&to=${today}&limit=200`)).toHaveLength(all.length)
    expect((await api.get('/api/v1/audit?actor=root', { key: key.key })).json.error.parameter).toBe('actor')

    const { status, headers, raw } = await api.get('/api/v1/audit/export?kind=key', { key: key.key })
    const lines = raw.toString().split('\r\n')
    expect([status, headers['content-type'], lines.length]).toEqual([200, 'text/csv; charset=utf-8', 4])
    expect(lines[0]).toBe('id,time,actor,action,key_id,member_id,details')
    expect(lines[1]).toMatch(/,key\.issue,\d+,,"\{""name"": ?""=1\+1""/)
  })

  it('export all entries of several pages, each once', async () => {
    const key = createTestKey()
    const owner = account('pro').withKey(key, { scopes: ['read', 'manage'] })
    await service.given(owner)
    await readRows(
      database.url,
      `insert into accounts.audit (actor, action, account_id)
       select 'operator', 'account.resume', $1 from generate_series(1, 450)`,
      [owner.id],
    )
    const { raw } = await api.get('/api/v1/audit/export?kind=account', { key: key.key })
    const ids = raw
      .toString()
      .trim()
      .split('\r\n')
      .slice(1)
      .map((line) => Number(line.split(',')[0]))
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.length).toBeGreaterThanOrEqual(450)
    expect(ids).toEqual(ids.toSorted((a, b) => b - a))
    const none = await api.get('/api/v1/audit/export?kind=view', { key: key.key })
    expect(none.raw.toString()).toBe('id,time,actor,action,key_id,member_id,details\r\n')
  })
})
