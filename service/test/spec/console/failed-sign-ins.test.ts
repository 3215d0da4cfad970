import { describe, expect, it } from 'vitest'
import { toClientNetwork } from '../../../src/api/admission/client-network.ts'
import { createSignInAttempts } from '../../../src/console/sign-in-attempts.ts'
import { account, createTestKey } from '../../support/builders.ts'
import { postKey, SAME_ORIGIN, SESSION_PATH } from '../../support/console.ts'
import { startTestService } from '../../support/service.ts'

const { api, given } = await startTestService({
  environment: { CONSOLE_KEY_SIGN_IN: 'on', TRUST_PROXY: '127.0.0.1' },
})
const key = createTestKey()
await given(account('pro').withKey(key))

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

  it('are counted together for all addresses of one IPv6 network (/64)', async () => {
    for (let count = 0; count < 20; count += 1) await postFrom(`2001:db8:1:2::${count + 1}`, createTestKey().key)

    expect((await postFrom('2001:db8:1:2:ffff::1', key.key)).status).toBe(429)
    expect((await postFrom('2001:db8:1:3::1', key.key)).status).toBe(201)
  })

  it('are counted apart from successful sign-ins', async () => {
    for (let count = 0; count < 25; count += 1) expect((await postFrom('192.0.2.3', key.key)).status).toBe(201)
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

describe('The network of a client', () => {
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
  ])('of %s is %s', (address, network) => {
    expect(toClientNetwork(address)).toBe(network)
  })
})

describe('Counts of failed sign-ins', () => {
  it('begin again a minute after the first failure', () => {
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
