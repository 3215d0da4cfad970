import { describe, expect, it } from 'vitest'
import { account, createTestKey } from '../../support/builders.ts'
import { startTestService } from '../../support/service.ts'

const { api, given, logLines } = await startTestService()
const [good, expired, revoked] = [createTestKey(), createTestKey(), createTestKey()]
await given(account('pro').withKey(good).withKey(expired, { expired: true }).withKey(revoked, { revoked: true }))

const PATH = '/api/v1/ping-lite'
const changeCharacter = (key: string, at: number) =>
  `${key.slice(0, at)}${key[at] === 'a' ? 'b' : 'a'}${key.slice(at + 1)}`

describe('Authentication: the X-API-Key header', () => {
  const refused = [
    ['no key', null, 'missing'],
    ['an empty key', '', 'missing'],
    ['a key in another format', 'abc', 'invalid'],
    ['an unknown key', createTestKey().key, 'invalid'],
    ['a key with a wrong checksum', `vis_live_${'A'.repeat(43)}000000`, 'invalid'],
    ['a key with a changed character', changeCharacter(good.key, 20), 'invalid'],
    ['a key with a changed checksum', changeCharacter(good.key, good.key.length - 1), 'invalid'],
    ['a key in upper case', good.key.toUpperCase(), 'invalid'],
    ['an SQL injection', "' OR 1=1 --", 'invalid'],
    ['a key of 3,000 characters', 'k'.repeat(3000), 'invalid'],
    ['an expired key', expired.key, 'expired'],
    ['a revoked key', revoked.key, 'revoked'],
  ] as const

  it('returns the same 401 body for every kind of bad key except for details.reason (threat T-3)', async () => {
    const bodies = await Promise.all(
      refused.map(async ([, key]) => {
        const { json } = await api.get(PATH, { key: null, headers: key === null ? {} : { 'X-API-Key': key } })
        return { ...json.error, details: undefined }
      }),
    )
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1)
  })
})

describe('Authentication: keys stay secret', () => {
  it('does not repeat a key from the query in an error (threat T-4)', async () => {
    const other = createTestKey().key
    for (const query of [`api_key=${other}`, `${other}=1`, `x=prefix-${other}`]) {
      const { status, text } = await api.get(`${PATH}?${query}`)
      expect(status).toBe(400)
      expect(text).not.toContain(other.slice(0, 20))
    }
  })

  it('never logs a key, wherever the request contains it', async () => {
    const canary = createTestKey().key
    const headers = { Referer: `https://x.example/?k=${canary}`, 'User-Agent': canary, 'X-Request-Id': canary }
    await api.get(`/api/v1/${canary}?key=${canary}`, { key: canary, headers })
    await api.get(PATH, { key: canary, headers })

    const log = logLines.join('')
    expect(log).toContain('"status":404')
    expect(log).not.toContain(canary.slice(9))
  })
})
