import { describe, expect, it } from 'vitest'
import { endpoints } from '../../../src/api/endpoints/index.ts'
import { sendRaw } from '../../support/network/raw-socket.ts'
import { testService } from '../../support/service.ts'

const { api } = await testService({ endpoints })
const CRLF = '\r\n'

async function refused(bytes: string | readonly string[], status: number, code: string) {
  const answer = await sendRaw(api.port, bytes)
  expect(answer.status, answer.text.slice(0, 200)).toBe(status)
  const { error, meta } = JSON.parse(answer.body)
  expect(error.code).toBe(code)
  expect(error.message).toBeTruthy()
  expect(meta.correlationId).toBe(answer.headers['x-correlation-id'])
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
  return answer
}

describe('Sizes (B11)', () => {
  const urlOf = (bytes: number) => `/api/v1/ping-lite?${'x'.repeat(bytes - '/api/v1/ping-lite?'.length)}`

  it('a URL of 8 KiB is read, one byte more is 414', async () => {
    expect((await api.get(urlOf(8192))).status).toBe(400)
    const { status, json } = await api.get(urlOf(8193))
    expect([status, json.error.code]).toEqual([414, 'URI_TOO_LONG'])
  })

  it('a URL that the parser itself gives up on is 414 too', async () => {
    await refused(`GET /${'x'.repeat(30_000)} HTTP/1.1${CRLF}Host: a${CRLF}${CRLF}`, 414, 'URI_TOO_LONG')
  })

  it('headers over 16 KiB are 431', async () => {
    await refused(
      `GET / HTTP/1.1${CRLF}Host: a${CRLF}X-Padding: ${'x'.repeat(17_000)}${CRLF}${CRLF}`,
      431,
      'HEADERS_TOO_LARGE',
    )
  })

  it('headers over 16 KiB are 431 also when they come in pieces', async () => {
    const start = `GET /health HTTP/1.1${CRLF}Host: a${CRLF}X-Padding: `
    await refused([`${start}${'x'.repeat(8000)}`, 'x'.repeat(9500)], 431, 'HEADERS_TOO_LARGE')
  })

  it('headers under 16 KiB are read', async () => {
    expect((await api.get('/api/v1/ping-lite', { headers: { 'X-Padding': 'x'.repeat(15_000) } })).status).toBe(200)
  })
})

describe('What is not HTTP is 400 in the form of every other error, and the connection closes (B1)', () => {
  it.each([
    ['a word', `GARBAGE${CRLF}${CRLF}`],
    ['an unknown method', `FETCH / HTTP/1.1${CRLF}Host: a${CRLF}${CRLF}`],
    ['a bare line feed in a header', `GET / HTTP/1.1\nHost: a\n\n`],
    ['two lengths', `POST / HTTP/1.1${CRLF}Host: a${CRLF}Content-Length: 1${CRLF}Content-Length: 2${CRLF}${CRLF}xx`],
    [
      'a length and a transfer coding',
      `POST / HTTP/1.1${CRLF}Host: a${CRLF}Content-Length: 3${CRLF}Transfer-Encoding: chunked${CRLF}${CRLF}0${CRLF}${CRLF}`,
    ],
    [
      'a transfer coding that is not chunked at the end',
      `POST / HTTP/1.1${CRLF}Host: a${CRLF}Transfer-Encoding: chunked, identity${CRLF}${CRLF}0${CRLF}${CRLF}`,
    ],
    ['a space before the colon', `GET / HTTP/1.1${CRLF}Host : a${CRLF}${CRLF}`],
    ['a folded header', `GET / HTTP/1.1${CRLF}Host: a${CRLF}X-A: b${CRLF} c${CRLF}${CRLF}`],
    ['a NUL in a header', `GET / HTTP/1.1${CRLF}Host: a${CRLF}X-A: b\0c${CRLF}${CRLF}`],
    ['HTTP/2 without being asked', `PRI * HTTP/2.0${CRLF}${CRLF}SM${CRLF}${CRLF}`],
  ])('%s', async (_kind, bytes) => {
    const answer = await refused(bytes, 400, 'INVALID_PARAMETER')
    expect(answer.headers['connection']).toBe('close')
    expect(answer.text.match(/^HTTP\/1\.1 \d/gm)).toHaveLength(1)
  })

  it.each([
    ['without Host', ''],
    ['with two', `Host: a${CRLF}Host: b${CRLF}`],
  ])('so is a request %s', async (_kind, hosts) => {
    await refused(`GET /health HTTP/1.1${CRLF}${hosts}Connection: close${CRLF}${CRLF}`, 400, 'INVALID_PARAMETER')
  })

  it('so is a target with a fragment', async () => {
    await refused(
      `GET /health#x HTTP/1.1${CRLF}Host: a${CRLF}Connection: close${CRLF}${CRLF}`,
      400,
      'INVALID_PARAMETER',
    )
  })
})

describe('A connection that turns bad', () => {
  const good = `GET /health HTTP/1.1${CRLF}Host: a${CRLF}${CRLF}`
  const statuses = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d{3}) [A-Z]/g)].map(([, status]) => status)

  it('still delivers the answer to the good request before it, and nothing after', async () => {
    expect(statuses((await sendRaw(api.port, `${good}GARBAGE${CRLF}${CRLF}`)).text)).toEqual(['200'])
  })

  it('gets one answer to a request whose body turns bad after it was answered', async () => {
    const post = `POST /health HTTP/1.1${CRLF}Host: a${CRLF}Transfer-Encoding: chunked${CRLF}${CRLF}`
    expect(statuses((await sendRaw(api.port, [post, `zz${CRLF}`])).text)).toEqual(['405'])
  })

  it('is told so once the answers before it are out', async () => {
    expect(statuses((await sendRaw(api.port, [good, `GARBAGE${CRLF}${CRLF}`])).text)).toEqual(['200', '400'])
  })
})

describe('What Node would answer by itself', () => {
  it('CONNECT is 405', async () => {
    await refused(`CONNECT example.org:443 HTTP/1.1${CRLF}Host: example.org${CRLF}${CRLF}`, 405, 'METHOD_NOT_ALLOWED')
  })

  it('an unknown expectation is ignored', async () => {
    const answer = await sendRaw(
      api.port,
      `GET /health HTTP/1.1${CRLF}Host: a${CRLF}Expect: miracles${CRLF}Connection: close${CRLF}${CRLF}`,
    )
    expect(answer.status).toBe(200)
  })

  it('an HTTP/1.0 request needs no Host', async () => {
    expect((await sendRaw(api.port, `GET /health HTTP/1.0${CRLF}${CRLF}`)).status).toBe(200)
  })
})
