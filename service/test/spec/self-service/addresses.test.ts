import { describe, expect, it } from 'vitest'
import { account, createTestKey } from '../../support/builders.ts'
import { postKey, SAME_ORIGIN, useCookie } from '../../support/console.ts'
import { createManager, post } from '../../support/self-service.ts'
import { startTestService } from '../../support/service.ts'

const service = await startTestService({ environment: { TRUST_PROXY: '127.0.0.1', CONSOLE_KEY_SIGN_IN: 'on' } })
const { api, given } = service

async function createLimitedKey(allowed_ips: readonly string[], scopes = ['read', 'manage']): Promise<string> {
  const { key } = await createManager(service)
  const { status, json } = await post(api, key, '/api/v1/keys', { name: 'limited', scopes, allowed_ips })
  expect(status).toBe(200)
  return json.data.secret
}

/** Sends a request through the proxy on this machine, on behalf of a client with the given address. */
const getFrom = (address: string, key: string, path = '/api/v1/ping-lite') =>
  api.get(path, { key, headers: { 'X-Forwarded-For': address } })

describe('A key with allowed_ips', () => {
  it('is accepted only from its addresses, in IPv4 and IPv6', async () => {
    const key = await createLimitedKey(['203.0.113.0/24', '198.51.100.7', '2001:db8:1::/48'])
    for (const [address, status] of [
      ['203.0.113.0', 200],
      ['203.0.113.255', 200],
      ['::ffff:203.0.113.9', 200],
      ['198.51.100.7', 200],
      ['2001:db8:1:ffff::1', 200],
      ['203.0.114.0', 403],
      ['198.51.100.8', 403],
      ['2001:db8:2::1', 403],
      ['::ffff:198.51.100.8', 403],
    ] as const)
      expect([address, (await getFrom(address, key)).status]).toEqual([address, status])
  })

  it('is refused with an explanation; the refusal does not count towards the rate limit and is logged', async () => {
    const [manager, free] = [createTestKey(), account('free')]
    await given(free.withKey(manager, { scopes: ['read', 'manage'] }))
    const created = await post(api, manager.key, '/api/v1/keys', {
      name: 'limited',
      scopes: ['read'],
      allowed_ips: ['203.0.113.7'],
    })
    const key = created.json.data.secret
    const before = await getFrom('203.0.113.7', key, '/api/v1/usage')

    const refused = await getFrom('192.0.2.1', key, '/api/v1/usage')

    expect(refused.json.error).toEqual({
      code: 'FORBIDDEN',
      message: expect.stringContaining('may not be used from 192.0.2.1'),
      details: { reason: 'address', address: '192.0.2.1' },
    })
    expect(refused.text).not.toContain('203.0.113.7')
    expect(refused.headers['x-rate-limit-remaining']).toBe(before.headers['x-rate-limit-remaining'])
    expect(service.logLines.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ status: 403, refusal: 'address', accountId: free.id }),
    )
    expect(await service.metrics.text()).toMatch(/vis_key_refusals_total\{reason="address"\} \d+/)
  })

  it('cannot be exchanged for a session from another address', async () => {
    const key = await createLimitedKey(['203.0.113.7'])
    expect((await postKey(api, key, { 'X-Forwarded-For': '192.0.2.1' })).json.error.details.reason).toBe('address')
    expect((await postKey(api, key, { 'X-Forwarded-For': '203.0.113.7' })).status).toBe(201)
  })

  it('binds the sessions it was exchanged for to its addresses', async () => {
    const key = await createLimitedKey(['203.0.113.0/24', '2001:db8:1::/48'])
    const signedIn = await postKey(api, key, { 'X-Forwarded-For': '203.0.113.7' })
    const { cookie, get } = useCookie(api, (signedIn.headers['set-cookie'] ?? '').split(';', 1)[0] ?? '')
    const refusals = async () => Number(/reason="address"\} (\d+)/.exec(await service.metrics.text())?.[1] ?? 0)
    const before = await refusals()

    for (const [address, status] of [
      ['203.0.113.200', 200],
      ['2001:db8:1::5', 200],
      ['192.0.2.1', 401],
      ['2001:db8:2::5', 401],
      ['203.0.113.7', 200],
    ] as const)
      for (const path of ['/console/api/v1/ping-lite', '/console/api/v1/usage', '/console/api/sessions'])
        expect([address, path, (await get(path, { 'X-Forwarded-For': address })).status]).toEqual([
          address,
          path,
          status,
        ])

    const elsewhere = { 'X-Forwarded-For': '192.0.2.1' }
    expect((await get('/console/api/v1/ping', elsewhere)).json.error.details).toEqual({ reason: 'address' })
    expect((await get('/console/api/session', elsewhere)).json.data).toMatchObject({ session: null, reason: 'address' })
    expect(await refusals()).toBe(before + 8)
    // A person who has left the network can still end the session.
    const headers = { ...SAME_ORIGIN, ...elsewhere, Cookie: cookie }
    expect((await api.send('DELETE', '/console/api/session', { key: null, headers })).status).toBe(204)
    const { json } = await get('/console/api/v1/ping', { 'X-Forwarded-For': '203.0.113.7' })
    expect(json.error.details).toEqual({ reason: 'ended' })
  })

  it('creates and rotates only keys whose addresses are within its own', async () => {
    const { key: unlimited } = await createManager(service)
    const limited = { name: 'limited', scopes: ['read', 'manage'], allowed_ips: ['203.0.113.0/24'] }
    const key = (await post(api, unlimited, '/api/v1/keys', limited)).json.data.secret
    const send = (path: string, body: object) =>
      api.send('POST', path, {
        key,
        headers: { 'X-Forwarded-For': '203.0.113.7', 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      })
    const create = (allowed_ips?: readonly string[]) =>
      send('/api/v1/keys', { name: 'narrow', scopes: ['read'], allowed_ips })
    expect((await create(['203.0.113.128/25', '203.0.113.7'])).status).toBe(200)
    for (const wider of [undefined, ['203.0.112.0/23'], ['203.0.113.7', '192.0.2.1'], ['::/0']])
      expect((await create(wider)).json.error.details).toEqual({ reason: 'allowed_ips' })
    for (const allowed_ips of [[], ['203.0.112.0/23']]) {
      const { json } = await post(api, unlimited, '/api/v1/keys', { name: 'wide', scopes: ['read'], allowed_ips })
      expect((await send(`/api/v1/keys/${json.data.key.id}/rotate`, {})).json.error.details).toEqual({
        reason: 'allowed_ips',
      })
    }
  })
})
