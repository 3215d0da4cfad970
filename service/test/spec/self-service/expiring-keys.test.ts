// Attacks with a key that expires: no right that it grants may last longer than the key itself.
import { describe, expect, it } from 'vitest'
import { useCookie } from '../../support/console.ts'
import { addMember, openMemberSession } from '../../support/members.ts'
import { readRows } from '../../support/run-statements.ts'
import { createManager, post, readAudit } from '../../support/self-service.ts'
import { startTestService } from '../../support/service.ts'

const service = await startTestService({ environment: { PUBLIC_URL: 'http://127.0.0.1' } })
const { api, database } = service
const { url } = database
const KEYS = '/api/v1/keys'
const DAY_MS = 86_400_000

interface Key {
  readonly id: string
  readonly secret: string
  /** Milliseconds of the epoch; Infinity for a key that does not expire. */
  readonly end: number
}

async function create(key: string, terms: object = {}): Promise<Key> {
  const { status, json } = await post(api, key, KEYS, { name: 'test', scopes: ['read', 'manage'], ...terms })
  expect([status, json.error]).toEqual([200, undefined])
  return { id: json.data.key.id, secret: json.data.secret, end: readEnd(json.data.key) }
}

const readEnd = ({ expires_at }: { readonly expires_at: string | null }) =>
  expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(expires_at)

/** Creates an account with a permanent key that manages it, and with one that expires. */
async function createExpiringManager(days = 30) {
  const { key: permanent, accountId } = await createManager(service)
  return { permanent, accountId, expiring: await create(permanent, { expires_in_days: days }) }
}

/** Makes a key expire after the interval, without changing anything else. */
const expireIn = (id: string, interval: string) =>
  readRows(url, 'update accounts.api_key set expires_at = now() + $2::interval where id = $1', [id, interval])

describe('An expiring key with the scope manage', () => {
  it('creates only keys that expire before it, and is told how long they may last', async () => {
    const { expiring, accountId } = await createExpiringManager()

    for (const expires_in_days of [undefined, 30, 31, 3650]) {
      const refused = await post(api, expiring.secret, KEYS, { name: 'longer', scopes: ['read'], expires_in_days })
      expect([refused.status, refused.json.error.details]).toEqual([
        403,
        { reason: 'expires_at', expires_at: expect.any(String), max_expires_in_days: 29 },
      ])
      expect(Date.parse(refused.json.error.details.expires_at)).toBe(expiring.end)
      expect(refused.json.error.message).toContain('Send expires_in_days of at most 29')
    }
    expect(await readAudit(url, accountId, 'key.issue')).toHaveLength(2)

    const { end } = await create(expiring.secret, { expires_in_days: 29 })
    expect(end).toBeLessThan(expiring.end)
  })

  it('creates no key on its last day', async () => {
    const { expiring } = await createExpiringManager()
    await expireIn(expiring.id, '23 hours')

    const { json } = await post(api, expiring.secret, KEYS, { name: 'longer', scopes: ['read'], expires_in_days: 1 })

    expect(json.error.details).toMatchObject({ reason: 'expires_at', max_expires_in_days: 0 })
    expect(json.error.message).toContain('cannot create keys any more')
  })

  it('cannot extend its own life by rotation, and neither can its successors', async () => {
    const { expiring, permanent } = await createExpiringManager()
    // The key's lifetime is 30 days, of which 2 are left.
    await readRows(url, "update accounts.api_key set created_at = created_at - interval '28 days' where id = $1", [
      expiring.id,
    ])
    await expireIn(expiring.id, '2 days')
    const [{ end }] = await readRows(url, 'select expires_at as end from accounts.api_key where id = $1', [expiring.id])

    let key: Pick<Key, 'id' | 'secret'> = expiring
    for (let round = 0; round < 3; round += 1) {
      const { status, json } = await post(api, key.secret, `${KEYS}/${key.id}/rotate`)
      expect([status, readEnd(json.data.key)]).toEqual([200, Math.floor(Number(end) / 1000) * 1000])
      key = { id: json.data.key.id, secret: json.data.secret }
    }

    // A permanent key grants the whole lifetime again.
    const { id } = await create(permanent, { expires_in_days: 10 })
    const { json } = await post(api, permanent, `${KEYS}/${id}/rotate`)
    expect(readEnd(json.data.key) - Date.parse(json.data.key.created_at)).toBe(10 * DAY_MS)
  })

  it('does not rotate a key that expires later than itself, and leaves that key unchanged', async () => {
    const { expiring, permanent } = await createExpiringManager()
    const never = await create(permanent, { scopes: ['read'] })
    const later = await create(permanent, { scopes: ['read'], expires_in_days: 60 })
    const earlier = await create(permanent, { scopes: ['read'], expires_in_days: 20 })

    for (const { id, secret } of [never, later]) {
      const { status, json } = await post(api, expiring.secret, `${KEYS}/${id}/rotate`, { overlap_hours: 0 })
      expect([status, json.error.details.reason]).toEqual([403, 'expires_at'])
      expect(json.error.message).toContain(`key ${id}`)
      expect((await api.get('/api/v1/usage', { key: secret })).status).toBe(200)
    }
    const rotated = await post(api, expiring.secret, `${KEYS}/${earlier.id}/rotate`)
    expect(rotated.status).toBe(200)
    expect(readEnd(rotated.json.data.key)).toBeLessThanOrEqual(expiring.end)
    // Removing rights does not require a permanent key.
    expect((await post(api, expiring.secret, `${KEYS}/${never.id}/revoke`)).status).toBe(200)
  })

  it('neither invites nor promotes members, who would stay and could create keys without an expiry', async () => {
    const { expiring, accountId } = await createExpiringManager()
    const member = await addMember(url, { accountId, email: 'viewer@expiring.example', role: 'viewer' })

    for (const refused of [
      await post(api, expiring.secret, '/api/v1/members', { email: 'thief@expiring.example', role: 'admin' }),
      await post(api, expiring.secret, `/api/v1/members/${member}/role`, { role: 'admin' }),
    ])
      expect([refused.status, refused.json.error.details]).toEqual([403, { reason: 'expires_at' }])
    expect((await post(api, expiring.secret, `/api/v1/members/${member}/remove`)).status).toBe(200)
  })
})

describe('A rotated key', () => {
  it('cannot create or rotate keys that would outlast its overlap period', async () => {
    const { key } = await createManager(service)
    const [own] = (await api.get(KEYS, { key })).json.data.keys
    const { json } = await post(api, key, `${KEYS}/${own.id}/rotate`, { overlap_hours: 48 })
    expect(json.data.key.expires_at).toBeNull()

    expect((await post(api, key, KEYS, { name: 'later', scopes: ['read'] })).json.error.details).toMatchObject({
      reason: 'expires_at',
      max_expires_in_days: 1,
    })
    expect((await post(api, key, `${KEYS}/${json.data.key.id}/rotate`)).json.error.details.reason).toBe('expires_at')
  })
})

describe("An admin's session", () => {
  it("creates keys that do not expire, because a member's role has no end", async () => {
    const { accountId } = await createManager(service)
    const member = await addMember(url, { accountId, email: 'admin@expiring.example', role: 'admin' })
    const session = useCookie(api, await openMemberSession(url, member))

    const { json } = await session.send('POST', `/console${KEYS}`, '{"name":"ci","scopes":["read"]}')

    expect(json.data.key.expires_at).toBeNull()
  })
})
