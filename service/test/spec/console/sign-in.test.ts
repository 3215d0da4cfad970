import { describe, expect, it } from 'vitest'
import { toClientNetwork } from '../../../src/api/admission/client-network.ts'
import { createSignInAttempts } from '../../../src/console/sign-in-attempts.ts'
import { account, createTestKey } from '../../support/builders.ts'
import { postKey, SAME_ORIGIN, SESSION_PATH, signIn, useCookie } from '../../support/console.ts'
import { readRows } from '../../support/run-statements.ts'
import { startTestService } from '../../support/service.ts'

const { api, given, logLines, database } = await startTestService({
  environment: { CONSOLE_KEY_SIGN_IN: 'on', TRUST_PROXY: '127.0.0.1' },
})
const key = createTestKey()
const owner = account('business').withKey(key)
await given(owner)

describe('POST /console/api/session', () => {
  it("exchanges an API key for a session with a viewer's rights", async () => {
    const { status, json } = await postKey(api, key.key)

    expect(status).toBe(201)
    expect(json.data).toMatchObject({
      session: {
        account: { name: 'a business account', plan: 'business' },
        role: 'viewer',
        signed_in_with: { method: 'api-key', key_last_four: key.lastFour },
        reads: { minute: { limit: 120, used: 0, remaining: 120 }, day: { limit: 1000, used: 0, remaining: 1000 } },
      },
      sign_in: { api_key: true },
    })
  })

  it('sets a cookie that scripts cannot read and other sites do not send', async () => {
    const { headers } = await postKey(api, key.key)

    expect(headers['set-cookie']).toMatch(/^vis=[\w-]{43}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Lax$/)
    expect(headers['cache-control']).toBe('no-store')
  })

  it('sets the Secure cookie __Host-vis when the browser uses HTTPS', async () => {
    const { headers } = await postKey(api, key.key, { Origin: 'https://vis.example.org' })

    expect(headers['set-cookie']).toMatch(
      /^__Host-vis=[\w-]{43}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Lax; Secure$/,
    )
  })

  it('refuses a sign-in over HTTP at an address that is not loopback and says how to change that', async () => {
    const { status, json, headers } = await postKey(api, key.key, { Host: 'vis.example.org' })

    expect(status).toBe(403)
    expect(json.error.message).toContain('PUBLIC_URL')
    expect(headers['set-cookie']).toBeUndefined()
  })

  it.each([
    ['an unknown key', createTestKey().key, 'invalid'],
    ['a key with a typo', `${key.key.slice(0, -1)}?`, 'invalid'],
    ['text that is not a key', 'password', 'invalid'],
  ])('answers 401 with an explanation for %s', async (_name, wrong, reason) => {
    const { status, json, headers } = await postKey(api, wrong)

    expect(status).toBe(401)
    expect(json.error).toMatchObject({ code: 'UNAUTHORIZED', details: { reason } })
    expect(json.error.message).toContain('vis_live_')
    expect(headers['set-cookie']).toBeUndefined()
  })

  it.each([
    ['revoked', account('pro'), { revoked: true }],
    ['expired', account('pro'), { expired: true }],
    ['suspended', account('pro').suspended(), {}],
  ])('answers 401 with the reason %s', async (reason, fixture, state) => {
    const other = createTestKey()
    await given(fixture.withKey(other, state))

    const { status, json } = await postKey(api, other.key)

    expect(status).toBe(401)
    expect(json.error.details).toEqual({ reason })
  })

  it.each([
    ['no body', undefined],
    ['a list', '[]'],
    ['another field', JSON.stringify({ apikey: key.key })],
    ['a number as key', '{"api_key": 5}'],
    ['text that is not JSON', key.key],
  ])('answers 400 for %s and does not repeat what was sent', async (_name, body) => {
    const { status, text } = await api.send('POST', SESSION_PATH, {
      key: null,
      headers: SAME_ORIGIN,
      ...(body === undefined ? {} : { body }),
    })

    expect(status).toBe(400)
    expect(text).not.toContain(key.key)
  })

  it('replaces the session that the browser already has', async () => {
    const first = await signIn(api, key.key)
    const second = await postKey(api, key.key, { Cookie: first.cookie })

    expect(second.status).toBe(201)
    expect(second.headers['set-cookie']).not.toContain(first.cookie)
    expect((await first.get('/console/api/v1/ping')).json.error.details).toEqual({ reason: 'ended' })
  })

  it('never uses a session id that the browser chose', async () => {
    const chosen = `vis=${'A'.repeat(43)}`
    const { headers } = await postKey(api, key.key, { Cookie: chosen })

    expect(headers['set-cookie']).not.toContain(chosen)
    expect((await useCookie(api, chosen).get('/console/api/v1/ping')).status).toBe(401)
  })

  it('stores only the digest of the session id and logs neither it nor the key', async () => {
    const { cookie } = await signIn(api, key.key)
    const id = cookie.slice('vis='.length)
    const rows = await readRows(
      database.url,
      "select encode(digest, 'hex') as digest, session::text as row from accounts.session",
    )

    expect(rows.length).toBeGreaterThan(0)
    const digests = rows.map((row) => String(row.digest))
    for (const secret of [id, key.key, ...digests]) expect(logLines.join('')).not.toContain(secret)
    expect(JSON.stringify(rows)).not.toContain(id)
  })
})

describe('GET /console/api/session', () => {
  it('answers 200 without a session and lists the ways to sign in', async () => {
    const { status, json } = await api.get(SESSION_PATH, { key: null })

    expect(status).toBe(200)
    expect(json.data).toEqual({
      session: null,
      reason: 'missing',
      sign_in: { api_key: true, members: 'off', link: false, mail: null, oidc: null, sign_up: 'closed' },
    })
  })

  it('does not accept an API key', async () => {
    const { json } = await api.get(SESSION_PATH, { key: key.key })

    expect(json.data.session).toBeNull()
  })
})

describe('CONSOLE_KEY_SIGN_IN=off', async () => {
  const closed = await startTestService()
  await closed.given(account('pro').withKey(key))

  it('refuses to exchange a key and says which setting allows it', async () => {
    const { status, json } = await postKey(closed.api, key.key)

    expect(status).toBe(403)
    expect(json.error.message).toContain('CONSOLE_KEY_SIGN_IN=on')
    expect((await closed.api.get(SESSION_PATH, { key: null })).json.data.sign_in).toMatchObject({ api_key: false })
  })
})

/** Signs in through a proxy that names the address of the client. */
const postFrom = (address: string, text: string) => postKey(api, text, { 'X-Forwarded-For': address })

describe('Failed sign-ins', () => {
  it('are limited to 20 a minute per address', async () => {
    const sent = Array.from({ length: 25 }, () => postFrom('192.0.2.1', createTestKey().key))
    const statuses = (await Promise.all(sent)).map(({ status }) => status)

    expect(statuses.filter((status) => status === 401)).toHaveLength(20)
    expect(statuses.filter((status) => status === 429)).toHaveLength(5)
    const refused = await postFrom('192.0.2.1', key.key)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60)
    expect((await postFrom('192.0.2.2', key.key)).status).toBe(201)
  })

  it('are counted together for all addresses in one IPv6 network (/64)', async () => {
    for (let count = 0; count < 20; count += 1) await postFrom(`2001:db8:1:2::${count + 1}`, createTestKey().key)

    expect((await postFrom('2001:db8:1:2:ffff::1', key.key)).status).toBe(429)
    expect((await postFrom('2001:db8:1:3::1', key.key)).status).toBe(201)
  })

  it('are counted separately from successful sign-ins', async () => {
    // A key may be exchanged 30 times a minute, so the test needs another one than the tests before it.
    const other = createTestKey()
    await given(account('pro').withKey(other))
    for (let count = 0; count < 25; count += 1) expect((await postFrom('192.0.2.3', other.key)).status).toBe(201)
  })

  it('get 413 if the body is larger than 1 KB', async () => {
    const { status } = await api.send('POST', SESSION_PATH, {
      key: null,
      headers: SAME_ORIGIN,
      body: JSON.stringify({ api_key: 'x'.repeat(1024) }),
    })

    expect(status).toBe(413)
  })
})

describe("A client's network", () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::6', '2001:db8:1:2::/64'],
    ['2001:db8::6', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
    ['no address', 'no address'],
  ])('for %s is %s', (address, network) => {
    expect(toClientNetwork(address)).toBe(network)
  })
})

describe('Failed sign-in counts', () => {
  it('start again a minute after the first failure', () => {
    let now = 0
    const attempts = createSignInAttempts(() => now)
    for (let count = 0; count < 20; count += 1) attempts.start('a')
    now = 30_000

    expect(attempts.start('a')).toEqual({ waitSeconds: 30 })
    now = 60_000
    expect(attempts.start('a')).not.toHaveProperty('waitSeconds')
  })

  it('exist for at most 10,000 addresses: the oldest one is forgotten', () => {
    const attempts = createSignInAttempts(() => 0)
    for (let count = 0; count < 20; count += 1) for (const address of ['a', 'b']) attempts.start(address)
    for (let address = 0; address < 9999; address += 1) attempts.start(`address ${address}`)

    expect(attempts.start('b')).toHaveProperty('waitSeconds')
    expect(attempts.start('a')).not.toHaveProperty('waitSeconds')
  })
})
