import { Client } from 'pg'
import { describe, expect, it } from 'vitest'
import { readRows } from '../../support/run-statements.ts'
import { createManager, post, readAudit } from '../../support/self-service.ts'
import { startTestService } from '../../support/service.ts'

const service = await startTestService()
const { api, database } = service
const KEYS = '/api/v1/keys'

interface Key {
  readonly id: string
  readonly state: string
  readonly name: string | null
  readonly created_at: string
  readonly expires_at: string | null
}

async function create(key: string, terms: object = {}): Promise<{ id: string; secret: string }> {
  const { status, json } = await post(api, key, KEYS, { name: 'test', scopes: ['read'], ...terms })
  expect(status).toBe(200)
  return { id: json.data.key.id, secret: json.data.secret }
}

async function listKeys(key: string): Promise<readonly Key[]> {
  return (await api.get(KEYS, { key })).json.data.keys
}

/**
 * Starts rotations of a key while another transaction has locked the key's row, so that all rotations that the node
 * runs at once wait in the middle of their transaction. Without the lock on the account, each of them would then
 * succeed.
 */
async function withLockedKey<T>(id: string, start: () => readonly Promise<T>[]): Promise<readonly T[]> {
  const client = new Client({ connectionString: database.url })
  await client.connect()
  try {
    await client.query('begin')
    await client.query('select from accounts.api_key where id = $1 for update', [id])
    const rotations = start()
    await expect
      .poll(async () => {
        const [row] = await readRows(
          database.url,
          "select count(*)::integer as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
        )
        return row.waiting
      })
      .toBeGreaterThan(1)
    await client.query('commit')
    return await Promise.all(rotations)
  } finally {
    await client.end()
  }
}

describe('POST /api/v1/keys', () => {
  it('refuses more than 20 active keys, until one is revoked', async () => {
    const { key } = await createManager(service)
    const ids: string[] = []
    for (let count = 1; count < 20; count += 1) ids.push((await create(key)).id)

    const refused = await post(api, key, KEYS, { name: 'one more', scopes: ['read'] })
    expect(refused.json.error).toMatchObject({ code: 'CONFLICT', details: { limit: 20 } })
    // A rotation does not count towards the key limit: the old key expires on its own.
    expect((await post(api, key, `${KEYS}/${ids[1]}/rotate`)).status).toBe(200)
    expect((await post(api, key, `${KEYS}/${ids[0]}/revoke`)).status).toBe(200)
    expect((await post(api, key, KEYS, { name: 'one more', scopes: ['read'] })).status).toBe(200)
  })

  it('grants no scope that the calling key does not have', async () => {
    const { key } = await createManager(service)
    const { secret } = await create(key, { scopes: ['manage'] })

    for (const attempt of [
      await post(api, secret, KEYS, { name: 'wide', scopes: ['manage', 'read'] }),
      await post(api, secret, `${KEYS}/${(await create(key)).id}/rotate`),
    ])
      expect(attempt.json.error).toMatchObject({ code: 'FORBIDDEN', details: { required_scope: 'read' } })
    expect((await api.get('/api/v1/ping', { key: secret })).json.error.details).toEqual({ required_scope: 'read' })
  })
})

describe('POST /api/v1/keys/{key-id}/rotate', () => {
  it('leaves exactly one successor after 30 simultaneous rotations of one key', async () => {
    const { key, accountId } = await createManager(service)
    const { id, secret: old } = await create(key, { name: 'scanner', expires_in_days: 10 })

    const answers = await withLockedKey(id, () =>
      Array.from({ length: 30 }, () => post(api, key, `${KEYS}/${id}/rotate`)),
    )

    const keys = (await listKeys(key)).filter(({ name }) => name === 'scanner')
    expect(keys).toHaveLength(2)
    expect(await readAudit(database.url, accountId, 'key.rotate')).toHaveLength(1)
    const successor = keys.find((each) => each.id !== id)
    const lifetime = Date.parse(successor?.expires_at ?? '') - Date.parse(successor?.created_at ?? '')
    expect(lifetime).toBe(10 * 86_400_000)
    // On a busy machine, a rotation may take longer than a call is allowed to; the answer is then 503.
    for (const { status, json } of answers.filter(({ status: each }) => each !== 503)) {
      if (status === 200) expect(json.data.key.id).toBe(successor?.id)
      else expect([status, json.error.details]).toEqual([409, { replaced_by: successor?.id }])
    }
    const done = answers.filter(({ status }) => status === 200)
    expect(done.length).toBeLessThanOrEqual(1)
    for (const secret of [old, ...done.map(({ json }) => json.data.secret)])
      expect((await api.get('/api/v1/usage', { key: secret })).status).toBe(200)
  })

  it('ends the old key at once without an overlap, and refuses a key that is not active', async () => {
    const { key } = await createManager(service)
    const { id, secret } = await create(key)

    const { json } = await post(api, key, `${KEYS}/${id}/rotate`, { overlap_hours: 0 })

    expect(json.data.replaced.state).toBe('expired')
    await expect.poll(async () => (await api.get('/api/v1/usage', { key: secret })).status).toBe(401)
    const revoked = await create(key)
    await post(api, key, `${KEYS}/${revoked.id}/revoke`)
    expect((await post(api, key, `${KEYS}/${revoked.id}/rotate`)).json.error).toMatchObject({
      code: 'CONFLICT',
      details: { state: 'revoked' },
    })
  })
})

describe('POST /api/v1/keys/{key-id}/revoke', () => {
  it('works even after 200 changes to the account, which a thief could otherwise use to prevent it', async () => {
    const { key, accountId } = await createManager(service)
    const { id } = await create(key)
    await readRows(
      database.url,
      "insert into accounts.audit (actor, action, account_id) select 'key:1', 'account.origins', $1 from generate_series(1, 200)",
      [accountId],
    )

    expect((await post(api, key, KEYS, { name: 'another', scopes: ['read'] })).status).toBe(409)
    expect((await post(api, key, `${KEYS}/${id}/revoke`)).status).toBe(200)
  })

  it('changes nothing the second time', async () => {
    const { key, accountId } = await createManager(service)
    const { id } = await create(key)
    for (let count = 0; count < 2; count += 1)
      expect((await post(api, key, `${KEYS}/${id}/revoke`)).json.data.key.state).toBe('revoked')
    expect(await readAudit(database.url, accountId, 'key.revoke')).toHaveLength(1)
  })

  it('makes the database refuse the key at once, even if a node still has it in its cache', async () => {
    const { key, accountId } = await createManager(service)
    const { id, secret } = await create(key, { scopes: ['manage'] })
    await api.get(KEYS, { key: secret })
    // Without the notification, the node accepts the key from its cache for up to two seconds.
    await readRows(database.url, 'alter table accounts.api_key disable trigger tell_nodes')
    await readRows(database.url, 'update accounts.api_key set revoked_at = now() where id = $1', [id])
    const refused = await post(api, secret, KEYS, { name: 'too late', scopes: ['manage'] })
    await readRows(database.url, 'alter table accounts.api_key enable trigger tell_nodes')

    expect([refused.status, refused.json.error.details.reason]).toEqual([401, 'revoked'])
    expect(await readAudit(database.url, accountId, 'key.issue')).toHaveLength(2)
  })

  it('keeps the last key with the scope manage, even if two keys revoke each other at once', async () => {
    const { key } = await createManager(service)
    const [own] = await listKeys(key)
    expect((await post(api, key, `${KEYS}/${own?.id}/revoke`)).json.error.code).toBe('CONFLICT')

    const { id, secret } = await create(key, { scopes: ['read', 'manage'] })
    const answers = await Promise.all([
      post(api, key, `${KEYS}/${id}/revoke`),
      post(api, secret, `${KEYS}/${own?.id}/revoke`),
    ])

    expect(answers.map(({ status }) => status).toSorted()[0]).toBe(200)
    const winner = answers[0]?.status === 200 ? key : secret
    const active = (await listKeys(winner)).filter(({ state }) => state === 'active')
    expect(active).toHaveLength(1)
  })
})
