import { describe, expect, it } from 'vitest'
import { endpoints } from '../../../src/api/endpoints/index.ts'
import { sendRaw } from '../../support/network/raw-socket.ts'
import { startTestService } from '../../support/service.ts'

const { api } = await startTestService({ endpoints })
const CRLF = '\r\n'

async function expectRefusal(bytes: string | readonly string[], status: number, code: string) {
  const answer = await sendRaw(api.port, bytes)
  expect(answer.status, answer.text.slice(0, 200)).toBe(status)
  const { error, meta } = JSON.parse(answer.body)
  expect(error.code).toBe(code)
  expect(error.message).toBeTruthy()
  expect(meta.correlationId).toBe(answer.headers['x-correlation-id'])
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
  return answer
}

describe('HTTP parser: size limits (decision B11)', () => {
  const buildUrl = (bytes: number) => `/api/v1/ping-lite?${'x'.repeat(bytes - '/api/v1/ping-lite?'.length)}`

  it('accepts a URL of 8 KiB and returns 414 for a URL that is one byte longer', async () => {
    expect((await api.get(buildUrl(8192))).status).toBe(400)
    const { status, json } = await api.get(buildUrl(8193))
    expect([status, json.error.code]).toEqual([414, 'URI_TOO_LONG'])
    expect(json.error.message).toContain('POST /api/v1/cve/batch takes a list of CVE ids in its body')
  })

  it('returns 414 for a URL that exceeds the limit of the HTTP parser', async () => {
    await expectRefusal(`GET /${'x'.repeat(30_000)} HTTP/1.1${CRLF}Host: a${CRLF}${CRLF}`, 414, 'URI_TOO_LONG')
  })

  it('returns 431 for headers over 16 KiB', async () => {
    await expectRefusal(
      `GET / HTTP/1.1${CRLF}Host: a${CRLF}X-Padding: ${'x'.repeat(17_000)}${CRLF}${CRLF}`,
      431,
      'HEADERS_TOO_LARGE',
    )
  })

  it('returns 431 for headers over 16 KiB that arrive in pieces', async () => {
    const start = `GET /health HTTP/1.1${CRLF}Host: a${CRLF}X-Padding: `
    await expectRefusal([`${start}${'x'.repeat(8000)}`, 'x'.repeat(9500)], 431, 'HEADERS_TOO_LARGE')
  })

  it('accepts headers under 16 KiB', async () => {
    expect((await api.get('/api/v1/ping-lite', { headers: { 'X-Padding': 'x'.repeat(15_000) } })).status).toBe(200)
  })
})

describe('HTTP parser: malformed requests (decision B1)', () => {
  it.each([
    ['a request line of one word', `GARBAGE${CRLF}${CRLF}`],
    ['an unknown method', `FETCH / HTTP/1.1${CRLF}Host: a${CRLF}${CRLF}`],
    ['a bare line feed in a header', `GET / HTTP/1.1\nHost: a\n\n`],
    [
      'two Content-Length headers',
      `POST / HTTP/1.1${CRLF}Host: a${CRLF}Content-Length: 1${CRLF}Content-Length: 2${CRLF}${CRLF}xx`,
    ],
    [
      'both Content-Length and Transfer-Encoding',
      `POST / HTTP/1.1${CRLF}Host: a${CRLF}Content-Length: 3${CRLF}Transfer-Encoding: chunked${CRLF}${CRLF}0${CRLF}${CRLF}`,
    ],
    [
      'a Transfer-Encoding that does not end in chunked',
      `POST / HTTP/1.1${CRLF}Host: a${CRLF}Transfer-Encoding: chunked, identity${CRLF}${CRLF}0${CRLF}${CRLF}`,
    ],
    ['a space before the colon', `GET / HTTP/1.1${CRLF}Host : a${CRLF}${CRLF}`],
    ['a folded header', `GET / HTTP/1.1${CRLF}Host: a${CRLF}X-A: b${CRLF} c${CRLF}${CRLF}`],
    ['a NUL in a header', `GET / HTTP/1.1${CRLF}Host: a${CRLF}X-A: b\0c${CRLF}${CRLF}`],
    ['an HTTP/2 preface', `PRI * HTTP/2.0${CRLF}${CRLF}SM${CRLF}${CRLF}`],
  ])('returns a JSON error with status 400 and closes the connection for %s', async (_kind, bytes) => {
    const answer = await expectRefusal(bytes, 400, 'INVALID_PARAMETER')
    expect(answer.headers['connection']).toBe('close')
    expect(answer.text.match(/^HTTP\/1\.1 \d/gm)).toHaveLength(1)
  })

  it.each([
    ['without a Host header', ''],
    ['with two Host headers', `Host: a${CRLF}Host: b${CRLF}`],
  ])('returns 400 for a request %s', async (_kind, hosts) => {
    await expectRefusal(`GET /health HTTP/1.1${CRLF}${hosts}Connection: close${CRLF}${CRLF}`, 400, 'INVALID_PARAMETER')
  })

  it('returns 400 for a request target with a fragment', async () => {
    await expectRefusal(
      `GET /health#x HTTP/1.1${CRLF}Host: a${CRLF}Connection: close${CRLF}${CRLF}`,
      400,
      'INVALID_PARAMETER',
    )
  })
})

describe('HTTP parser: malformed data on an open connection', () => {
  const good = `GET /health HTTP/1.1${CRLF}Host: a${CRLF}${CRLF}`
  const statuses = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d{3}) [A-Z]/g)].map(([, status]) => status)

  it('answers the valid request first, and then the malformed data in the same packet', async () => {
    expect(statuses((await sendRaw(api.port, `${good}GARBAGE${CRLF}${CRLF}`)).text)).toEqual(['200', '400'])
  })

  it('sends only one response when the request body becomes malformed after the response', async () => {
    const post = `POST /health HTTP/1.1${CRLF}Host: a${CRLF}Transfer-Encoding: chunked${CRLF}${CRLF}`
    expect(statuses((await sendRaw(api.port, [post, `zz${CRLF}`])).text)).toEqual(['405'])
  })

  it('returns 400 for malformed data that follows an answered request', async () => {
    expect(statuses((await sendRaw(api.port, [good, `GARBAGE${CRLF}${CRLF}`])).text)).toEqual(['200', '400'])
  })
})

describe('HTTP parser: requests that Node handles itself by default', () => {
  it('returns 405 for CONNECT', async () => {
    await expectRefusal(
      `CONNECT example.org:443 HTTP/1.1${CRLF}Host: example.org${CRLF}${CRLF}`,
      405,
      'METHOD_NOT_ALLOWED',
    )
  })

  it('ignores an unknown Expect header', async () => {
    const answer = await sendRaw(
      api.port,
      `GET /health HTTP/1.1${CRLF}Host: a${CRLF}Expect: miracles${CRLF}Connection: close${CRLF}${CRLF}`,
    )
    expect(answer.status).toBe(200)
  })

  it('accepts an HTTP/1.0 request without a Host header', async () => {
    expect((await sendRaw(api.port, `GET /health HTTP/1.0${CRLF}${CRLF}`)).status).toBe(200)
  })
})
