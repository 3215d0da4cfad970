import { describe, expect, it } from 'vitest'
import { FeedError } from '../../../src/feeds/feed.ts'
import { createTestDownload } from '../../support/network/downloads.ts'
import { behaviours, startUpstream } from '../../support/network/upstream.ts'

const upstream = await startUpstream()

describe('download: successful requests', () => {
  it('saves the complete response at the given path', async () => {
    upstream.serve('/list', 'line one\nline two\n')
    const download = createTestDownload([upstream])

    expect(await download.get('/list')).toEqual({ isUnchanged: false, bytes: 18, validators: {} })
    expect(await download.content()).toBe('line one\nline two\n')
    expect(await download.files()).toEqual(['data'])
  })

  it('reports the bytes that were received so far', async () => {
    upstream.serve('/chunks', behaviours.sendsChunks('one', 'two'))
    const received: number[] = []
    await createTestDownload([upstream]).get('/chunks', { onBytes: (bytes) => received.push(bytes) })

    expect(received.at(-1)).toBe(6)
  })

  it('returns the Link header of the response', async () => {
    upstream.serve('/page', behaviours.answers(200, '[]', { link: '</page?after=2>; rel="next"' }))
    expect(await createTestDownload([upstream]).get('/page')).toMatchObject({ link: '</page?after=2>; rel="next"' })
  })

  it("sends a User-Agent and the feed's headers, and requests no content encoding", async () => {
    upstream.serve('/headers', 'data')
    await createTestDownload([upstream]).get('/headers', { headers: { ApiKey: 'secret', 'Accept-Encoding': 'gzip' } })

    expect(upstream.requests('/headers')[0]?.headers).toMatchObject({
      'user-agent': 'vis-tests/1 (+https://example.org/contact)',
      'accept-encoding': 'identity',
      accept: '*/*',
      apikey: 'secret',
    })
  })

  it('sends the query and the credentials in the URL', async () => {
    upstream.serve('/query', 'data')
    const download = createTestDownload([upstream])
    await download.get('', { url: `${upstream.url.replace('//', '//me:word@')}/query?startIndex=2000` })

    const [seen] = upstream.requests('/query')
    expect(seen?.query.get('startIndex')).toBe('2000')
    expect(seen?.headers.authorization).toBe(`Basic ${Buffer.from('me:word').toString('base64')}`)
  })

  it('saves a chunked response without a Content-Length', async () => {
    upstream.serve('/chunks', behaviours.sendsChunks('one ', 'two ', 'three'))
    const download = createTestDownload([upstream])

    expect(await download.get('/chunks')).toMatchObject({ bytes: 13 })
    expect(await download.content()).toBe('one two three')
  })

  it('saves a 3 MB response unchanged', async () => {
    const content = 'abcdefghij'.repeat(300_000)
    upstream.serve('/large', content)
    const download = createTestDownload([upstream])

    await download.get('/large', { maxBytes: content.length })
    expect((await download.content()) === content).toBe(true)
  })
})

describe('download: conditional requests', () => {
  it('returns ETag and Last-Modified, and sends them with the next request', async () => {
    const lastModified = 'Sat, 22 Aug 2026 00:00:00 GMT'
    upstream.serve('/dated', behaviours.answers(200, 'data', { etag: '"v1"', 'last-modified': lastModified }))
    const download = createTestDownload([upstream])

    const first = await download.get('/dated')
    expect(first).toMatchObject({ validators: { etag: '"v1"', lastModified } })
    await download.get('/dated', { validators: { etag: '"v1"', lastModified } })

    expect(upstream.requests('/dated')[0]?.headers).not.toHaveProperty('if-none-match')
    expect(upstream.requests('/dated')[1]?.headers).toMatchObject({
      'if-none-match': '"v1"',
      'if-modified-since': lastModified,
    })
  })

  it('writes no file when the server answers 304 Not Modified', async () => {
    upstream.serve('/same', behaviours.validates('"v1"', 'data'))
    const download = createTestDownload([upstream])

    expect(await download.get('/same', { validators: { etag: '"v1"' } })).toEqual({ isUnchanged: true })
    expect(await download.files()).toEqual([])
  })

  it('saves the new file when the ETag has changed', async () => {
    upstream.serve('/other', behaviours.validates('"v2"', 'data'))

    expect(await createTestDownload([upstream]).get('/other', { validators: { etag: '"v1"' } })).toMatchObject({
      validators: { etag: '"v2"' },
    })
  })

  it('fails when the server answers 304 Not Modified to an unconditional request', async () => {
    upstream.serve('/uninvited', behaviours.answers(304))

    await expect(createTestDownload([upstream]).get('/uninvited', { validators: {} })).rejects.toThrow(
      'answered 304 Not Modified to an unconditional request',
    )
    expect(upstream.requests('/uninvited')).toHaveLength(1)
  })
})

describe('download: failures', () => {
  it('throws a FeedError with the URL, the cause, the expected result and the number of attempts', async () => {
    upstream.serve('/gone', behaviours.answers(404))

    const failure = createTestDownload([upstream]).get('/gone')
    await expect(failure).rejects.toBeInstanceOf(FeedError)
    await expect(failure).rejects.toThrow(
      `${upstream.url}/gone could not be downloaded: the server answered 404 Not Found, expected 200 OK. Tried once.`,
    )
  })

  it('omits the query and the credentials in the URL from the error message', async () => {
    const url = `${upstream.url.replace('//', '//me:word@')}/gone?apiKey=secret#secret`

    const failure = await createTestDownload([upstream])
      .get('', { url })
      .catch((error: unknown) => String(error))
    expect(failure).toContain(`${upstream.url}/gone could not`)
    expect(failure).not.toMatch(/secret|word/)
  })

  it('omits the query and the credentials in an invalid URL from the error message', async () => {
    const failure = await createTestDownload([upstream])
      .get('', { url: 'https//me:word@mirror/list?apiKey=secret' })
      .catch((error: unknown) => String(error))
    expect(failure).toContain('mirror/list could not be downloaded: the address is not a complete URL')
    expect(failure).not.toMatch(/secret|word/)
  })

  it('omits an invalid header value from the error message', async () => {
    const failure = await createTestDownload([upstream])
      .get('/gone', { headers: { apikey: 'secret\n' } })
      .catch((error: unknown) => String(error))
    expect(failure).toContain('ERR_INVALID_CHAR')
    expect(failure).not.toContain('secret')
  })

  it('leaves an earlier file at the target path unchanged when a later download fails', async () => {
    upstream.serve('/twice', behaviours.inTurn('the first', behaviours.answers(404)))
    const download = createTestDownload([upstream])
    await download.get('/twice')

    await expect(download.get('/twice')).rejects.toThrow('404')
    expect(await download.content()).toBe('the first')
  })

  it.each([204, 206, 300, 400, 401, 403, 404, 410, 451])('fails on status %i without a retry', async (status) => {
    upstream.serve(`/status/${status}`, behaviours.answers(status))
    const download = createTestDownload([upstream])

    await expect(download.get(`/status/${status}`)).rejects.toThrow(`the server answered ${status} `)
    expect(upstream.requests(`/status/${status}`)).toHaveLength(1)
    expect(download.pauses).toEqual([])
  })

  it.each([500, 502, 504, 524, 599])('fails on status %i after four attempts', async (status) => {
    upstream.serve(`/status/${status}`, behaviours.answers(status))
    const download = createTestDownload([upstream])

    await expect(download.get(`/status/${status}`)).rejects.toThrow(/answered 5\d\d.*, expected 200 OK. Tried 4 times/)
    expect(upstream.requests(`/status/${status}`)).toHaveLength(4)
    expect(await download.files()).toEqual([])
  })
})
