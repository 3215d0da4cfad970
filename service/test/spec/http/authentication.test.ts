import { describe, expect, it } from 'vitest'
import { account, aKey } from '../../support/builders.ts'
import { testService } from '../../support/service.ts'

const { api, given, logLines } = await testService()
const [good, expired, revoked] = [aKey(), aKey(), aKey()]
await given(account('pro').withKey(good).withKey(expired, { expired: true }).withKey(revoked, { revoked: true }))

const PATH = '/api/v1/ping-lite'
const oneChanged = (key: string, at: number) => `${key.slice(0, at)}${key[at] === 'a' ? 'b' : 'a'}${key.slice(at + 1)}`

describe('Authentication — a key in the X-API-Key header', () => {
  it('is enough', async () => {
    expect((await api.get(PATH, { key: good.key })).status).toBe(200)
  })

  const refused = [
    ['absent', null, 'missing'],
    ['empty', '', 'missing'],
    ['a word', 'abc', 'invalid'],
    ['of the right form but unknown', aKey().key, 'invalid'],
    ['with a wrong checksum', `vis_live_${'A'.repeat(43)}000000`, 'invalid'],
    ['with one character of its body changed', oneChanged(good.key, 20), 'invalid'],
    ['with one character of its checksum changed', oneChanged(good.key, good.key.length - 1), 'invalid'],
    ['in another letter case', good.key.toUpperCase(), 'invalid'],
    ['an injection', "' OR 1=1 --", 'invalid'],
    ['very long', 'k'.repeat(3000), 'invalid'],
    ['expired', expired.key, 'expired'],
    ['revoked', revoked.key, 'revoked'],
  ] as const

  it.each(refused)('%s: 401 UNAUTHORIZED (A2)', async (_kind, key, reason) => {
    const { status, json, headers } = await api.get(PATH, {
      key: null,
      headers: key === null ? {} : { 'X-API-Key': key },
    })

    expect(status).toBe(401)
    expect(json.error).toMatchObject({ code: 'UNAUTHORIZED', details: { reason } })
    expect(headers['www-authenticate']).toBe('ApiKey')
  })

  it('has one body for every kind of refusal but for details.reason (A-3)', async () => {
    const bodies = await Promise.all(
      refused.map(async ([, key]) => {
        const { json } = await api.get(PATH, { key: null, headers: key === null ? {} : { 'X-API-Key': key } })
        return { ...json.error, details: undefined }
      }),
    )
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1)
  })

  it('sent twice is refused, even when both are good', async () => {
    const { status, json } = await api.get(PATH, { key: null, headers: { 'X-API-Key': [good.key, good.key] } })
    expect([status, json.error.details.reason]).toEqual([401, 'invalid'])
  })

  it('is not accepted in the URL or as Authorization', async () => {
    const inUrl = await api.get(`${PATH}?api_key=${good.key}`, { key: null })
    const asBearer = await api.get(PATH, { key: null, headers: { Authorization: `Bearer ${good.key}` } })
    expect([inUrl.json.error.details.reason, asBearer.json.error.details.reason]).toEqual(['missing', 'missing'])
  })

  it('is checked before parameters (B2)', async () => {
    expect((await api.get(`${PATH}?nonsense=1`, { key: 'abc' })).status).toBe(401)
  })
})

describe('A key never appears', () => {
  it('in an error, when it stands in the query beside a good one (A-4)', async () => {
    const other = aKey().key
    for (const query of [`api_key=${other}`, `${other}=1`, `x=prefix-${other}`]) {
      const { status, text } = await api.get(`${PATH}?${query}`)
      expect(status).toBe(400)
      expect(text).not.toContain(other.slice(0, 20))
    }
  })

  it('in a log line, wherever it was sent', async () => {
    const canary = aKey().key
    const headers = { Referer: `https://x.example/?k=${canary}`, 'User-Agent': canary, 'X-Request-Id': canary }
    await api.get(`/api/v1/${canary}?key=${canary}`, { key: canary, headers })
    await api.get(PATH, { key: canary, headers })

    const log = logLines.join('')
    expect(log).toContain('"status":404')
    expect(log).not.toContain(canary.slice(9))
  })
})
