import { describe, expect, it } from 'vitest'
import { FeedError } from '../../../src/feeds/feed.ts'
import { testDownload } from '../../support/network/downloads.ts'
import { manners, startUpstream } from '../../support/network/upstream.ts'

const upstream = await startUpstream()

describe('A download', () => {
  it('is there under its name, and complete', async () => {
    upstream.serve('/list', 'line one\nline two\n')
    const download = testDownload([upstream])

    expect(await download.get('/list')).toEqual({ isUnchanged: false, bytes: 18, validators: {} })
    expect(await download.content()).toBe('line one\nline two\n')
    expect(await download.files()).toEqual(['data'])
  })

  it('hands on where the server says that the next page is', async () => {
    upstream.serve('/page', manners.answers(200, '[]', { link: '</page?after=2>; rel="next"' }))
    expect(await testDownload([upstream]).get('/page')).toMatchObject({ link: '</page?after=2>; rel="next"' })
  })

  it('introduces itself, asks for the file as it is, and sends the headers of the feed', async () => {
    upstream.serve('/manners', 'data')
    await testDownload([upstream]).get('/manners', { headers: { ApiKey: 'secret', 'Accept-Encoding': 'gzip' } })

    expect(upstream.requests('/manners')[0]?.headers).toMatchObject({
      'user-agent': 'vis-tests/1 (+https://example.org/contact)',
      'accept-encoding': 'identity',
      accept: '*/*',
      apikey: 'secret',
    })
  })

  it('sends the query, and the credentials of the address', async () => {
    upstream.serve('/query', 'data')
    const download = testDownload([upstream])
    await download.get('', { url: `${upstream.url.replace('//', '//me:word@')}/query?startIndex=2000` })

    const [seen] = upstream.requests('/query')
    expect(seen?.query.get('startIndex')).toBe('2000')
    expect(seen?.headers.authorization).toBe(`Basic ${Buffer.from('me:word').toString('base64')}`)
  })

  it('may have any length when it comes in chunks', async () => {
    upstream.serve('/chunks', manners.sendsChunks('one ', 'two ', 'three'))
    const download = testDownload([upstream])

    expect(await download.get('/chunks')).toMatchObject({ bytes: 13 })
    expect(await download.content()).toBe('one two three')
  })

  it('may be a large one, byte for byte', async () => {
    const content = 'abcdefghij'.repeat(300_000)
    upstream.serve('/large', content)
    const download = testDownload([upstream])

    await download.get('/large', { maxBytes: content.length })
    expect((await download.content()) === content).toBe(true)
  })
})

describe('What the upstream said of our copy', () => {
  it('is kept, to be shown to it the next time', async () => {
    const lastModified = 'Sat, 22 Aug 2026 00:00:00 GMT'
    upstream.serve('/dated', manners.answers(200, 'data', { etag: '"v1"', 'last-modified': lastModified }))
    const download = testDownload([upstream])

    const first = await download.get('/dated')
    expect(first).toMatchObject({ validators: { etag: '"v1"', lastModified } })
    await download.get('/dated', { validators: { etag: '"v1"', lastModified } })

    expect(upstream.requests('/dated')[0]?.headers).not.toHaveProperty('if-none-match')
    expect(upstream.requests('/dated')[1]?.headers).toMatchObject({
      'if-none-match': '"v1"',
      'if-modified-since': lastModified,
    })
  })

  it('spares the download when nothing changed', async () => {
    upstream.serve('/same', manners.validates('"v1"', 'data'))
    const download = testDownload([upstream])

    expect(await download.get('/same', { validators: { etag: '"v1"' } })).toEqual({ isUnchanged: true })
    expect(await download.files()).toEqual([])
  })

  it('does not spare it when something did', async () => {
    upstream.serve('/other', manners.validates('"v2"', 'data'))

    expect(await testDownload([upstream]).get('/other', { validators: { etag: '"v1"' } })).toMatchObject({
      validators: { etag: '"v2"' },
    })
  })

  it('is a fault when we have no copy: "nothing changed" is then no answer', async () => {
    upstream.serve('/uninvited', manners.answers(304))

    await expect(testDownload([upstream]).get('/uninvited', { validators: {} })).rejects.toThrow(
      'nothing changed, but we have no copy',
    )
    expect(upstream.requests('/uninvited')).toHaveLength(1)
  })
})

describe('A failure', () => {
  it('is a FeedError that names the address, what happened, what was expected, and how often it was tried', async () => {
    upstream.serve('/gone', manners.answers(404))

    const failure = testDownload([upstream]).get('/gone')
    await expect(failure).rejects.toBeInstanceOf(FeedError)
    await expect(failure).rejects.toThrow(
      `${upstream.url}/gone could not be downloaded: the server answered 404 Not Found, expected 200 OK. Tried once.`,
    )
  })

  it('shows neither the query nor the credentials of the address', async () => {
    const url = `${upstream.url.replace('//', '//me:word@')}/gone?apiKey=secret#secret`

    const failure = await testDownload([upstream])
      .get('', { url })
      .catch((error: unknown) => String(error))
    expect(failure).toContain(`${upstream.url}/gone could not`)
    expect(failure).not.toMatch(/secret|word/)
  })

  it('shows them neither when the address cannot be read', async () => {
    const failure = await testDownload([upstream])
      .get('', { url: 'https//me:word@mirror/list?apiKey=secret' })
      .catch((error: unknown) => String(error))
    expect(failure).toContain('mirror/list could not be downloaded: it is not a complete address')
    expect(failure).not.toMatch(/secret|word/)
  })

  it('does not show a key that cannot be sent', async () => {
    const failure = await testDownload([upstream])
      .get('/gone', { headers: { apikey: 'secret\n' } })
      .catch((error: unknown) => String(error))
    expect(failure).toContain('ERR_INVALID_CHAR')
    expect(failure).not.toContain('secret')
  })

  it('leaves an earlier file as it was', async () => {
    upstream.serve('/twice', manners.inTurn('the first', manners.answers(404)))
    const download = testDownload([upstream])
    await download.get('/twice')

    await expect(download.get('/twice')).rejects.toThrow('404')
    expect(await download.content()).toBe('the first')
  })

  it.each([204, 206, 300, 400, 401, 403, 404, 410, 451])('is status %i, at once', async (status) => {
    upstream.serve(`/status/${status}`, manners.answers(status))
    const download = testDownload([upstream])

    await expect(download.get(`/status/${status}`)).rejects.toThrow(`the server answered ${status} `)
    expect(upstream.requests(`/status/${status}`)).toHaveLength(1)
    expect(download.pauses).toEqual([])
  })

  it.each([500, 502, 504, 524, 599])('is status %i, after four attempts', async (status) => {
    upstream.serve(`/status/${status}`, manners.answers(status))
    const download = testDownload([upstream])

    await expect(download.get(`/status/${status}`)).rejects.toThrow(/answered 5\d\d.*, expected 200 OK. Tried 4 times/)
    expect(upstream.requests(`/status/${status}`)).toHaveLength(4)
    expect(await download.files()).toEqual([])
  })
})
