import { describe, expect, it } from 'vitest'
import { containsKey } from '../../../src/domain/account/key-form.ts'
import { account, createTestKey } from '../../support/builders.ts'
import { exchange } from '../../support/network/raw-exchange.ts'
import { startTestService } from '../../support/service.ts'

const { api, given, logLines } = await startTestService()
const { key, ...issued } = createTestKey()
const [expired, revoked] = [createTestKey(), createTestKey()]
await given(
  account('pro')
    .withKey({ key, ...issued })
    .withKey(expired, { expired: true })
    .withKey(revoked, { revoked: true }),
)

const encode = (text: string) => [...Buffer.from(text)].map((byte) => `%${byte.toString(16)}`).join('')
const FORMS = {
  'as issued': key,
  'in capital letters': key.toUpperCase(),
  'with percent-escapes': encode(key),
  'with percent-escapes that are escaped again': encode(key).replaceAll('%', '%25'),
}

const get = (path: string, ...headers: readonly string[]) =>
  [`GET ${path} HTTP/1.1`, 'Host: a', `X-API-Key: ${key}`, ...headers, '', ''].join('\r\n')
const post = (body: string) =>
  `POST /api/v1/cve/batch HTTP/1.1\r\nHost: a\r\nX-API-Key: ${key}\r\nContent-Length: ${body.length}\r\n\r\n${body}`

/** Requests that each contain the text in one position. */
const PLACES: Readonly<Record<string, (text: string) => string>> = {
  'in an unknown path': (text) => get(`/nothing/${text}`),
  'as the CVE id in a path': (text) => get(`/api/v1/cve/${text}`),
  'in a path with invalid percent-escapes': (text) => get(`/%zz/${text}`),
  'as the value of a parameter': (text) => get(`/api/v1/cves?severity=${text}`),
  'as the name of a parameter': (text) => get(`/api/v1/cves?${text}=1`),
  'as a name and a value with invalid percent-escapes': (text) => get(`/api/v1/cves?%ff${text}=%ff${text}`),
  'in a list of ids': (text) => get(`/api/v1/cves?ids=CVE-2021-44228,${text}`),
  'as a cursor': (text) => get(`/api/v1/cves?q=x&after=${text}`),
  'in a URL with a malformed host': (text) => get(`http://a:99999/?k=${text}`),
  'as the user of a URL': (text) => get(`http://${text}@a/nothing`),
  'as the Host and the Origin': (text) =>
    `GET /api/v1/ping-lite HTTP/1.1\r\nHost: ${text}\r\nOrigin: http://${text}\r\nX-API-Key: ${key}\r\n\r\n`,
  'as X-Request-Id': (text) => get('/api/v1/ping-lite', `X-Request-Id: ${text}`),
  'as Referer, cookie and If-None-Match': (text) =>
    get('/api/v1/stats', `Referer: ${text}`, `Cookie: ${text}`, `If-None-Match: ${text}`),
  'as Accept-Encoding, Content-Type and Expect': (text) =>
    get('/api/v1/ping', `Accept-Encoding: ${text}`, `Content-Type: ${text}`, `Expect: ${text}`),
  'as the name of a header': (text) => get('/api/v1/ping', `${text}: 1`),
  'in a malformed header': (text) => get('/api/v1/ping', `X ${text}`),
  'as the method': (text) => get('/').replace('GET', text),
  'as the target of CONNECT': (text) => `CONNECT ${text}:1 HTTP/1.1\r\nHost: a\r\n\r\n`,
  'as an id in a body': (text) => post(JSON.stringify({ cve_ids: [text] })),
  'as a member name of a body': (text) => post(JSON.stringify({ cve_ids: ['CVE-2021-44228'], [text]: 1 })),
  'inside nested members of a body': (text) => post(JSON.stringify({ cve_ids: { [text]: [text] } })),
  'in a body with JSON escapes': (text) => post(`{"cve_ids":["\\u0076${text.slice(1)}"]}`),
  'in a body that is not JSON': (text) => post(`{"cve_ids": ${text}`),
  'as a chunk size': (text) => get('/api/v1/ping', 'Transfer-Encoding: chunked') + text,
}

describe.each(Object.entries(FORMS))('API key %s', (_form, text) => {
  it.concurrent.each(Object.entries(PLACES))(
    'appears in no response and no log line when it is sent %s',
    async (_place, build) => {
      const { responses } = await exchange({ port: api.port, steps: [build(text)], expectedResponses: 1 })

      expect(responses).toHaveLength(1)
      for (const { headers, body } of responses) {
        expect(containsKey(JSON.stringify(headers))).toBe(false)
        expect(containsKey(body.toString('latin1'))).toBe(false)
        const lines = logLines.filter((line) => line.includes(headers['x-correlation-id'] ?? '?'))
        expect(lines).toHaveLength(1)
      }
      const secret = key.slice(9, -4).toLowerCase()
      expect(logLines.filter((line) => decodeFully(line).toLowerCase().includes(secret))).toEqual([])
    },
  )
})

const changeCharacter = (key: string, at: number) =>
  `${key.slice(0, at)}${key[at] === 'a' ? 'b' : 'a'}${key.slice(at + 1)}`

describe('Refused API keys', () => {
  const refused = [
    ['no key', null, 'missing'],
    ['an empty key', '', 'missing'],
    ['a key in another format', 'abc', 'invalid'],
    ['an unknown key', createTestKey().key, 'invalid'],
    ['a key with a wrong checksum', `vis_live_${'A'.repeat(43)}000000`, 'invalid'],
    ['a key with a changed character', changeCharacter(key, 20), 'invalid'],
    ['a key with a changed checksum', changeCharacter(key, key.length - 1), 'invalid'],
    ['a key in upper case', key.toUpperCase(), 'invalid'],
    ['an SQL injection', "' OR 1=1 --", 'invalid'],
    ['a key of 3,000 characters', 'k'.repeat(3000), 'invalid'],
    ['an expired key', expired.key, 'expired'],
    ['a revoked key', revoked.key, 'revoked'],
  ] as const

  it('get the same 401 body, whatever is wrong with them, except for details.reason (threat T-3)', async () => {
    const bodies = await Promise.all(
      refused.map(async ([, key]) => {
        const { json } = await api.get('/api/v1/ping-lite', {
          key: null,
          headers: key === null ? {} : { 'X-API-Key': key },
        })
        return { ...json.error, details: undefined }
      }),
    )
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1)
  })
})

function decodeFully(text: string): string {
  return text.replaceAll(/%(?:25)*([0-9a-f]{2})/gi, (_escape, hex: string) => String.fromCharCode(Number(`0x${hex}`)))
}
