import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createTestDownload } from '../../support/network/downloads.ts'
import { behaviours, startUpstream } from '../../support/network/upstream.ts'

const upstream = await startUpstream()

/** Returns the error of a failed download, after checking that no file is left behind. */
async function downloadAndFail(
  path: string,
  request: Parameters<ReturnType<typeof createTestDownload>['get']>[1] = {},
) {
  const download = createTestDownload([upstream])
  const failure: unknown = await download.get(path, request).catch((error: unknown) => error)
  expect(await download.files()).toEqual([])
  return { message: String(failure), requests: upstream.requests(path).length }
}

describe('download: incomplete responses', () => {
  it('fails after four attempts when the response is shorter than its Content-Length', async () => {
    upstream.serve('/short', behaviours.claimsLength(100, 'only ten..'))

    const { message, requests } = await downloadAndFail('/short')
    expect(message).toMatch(/truncated after \d+ bytes of 100 announced bytes\. Tried 4 times\./)
    expect(requests).toBe(4)
  })

  it('fails after four attempts when a chunked response breaks off', async () => {
    upstream.serve('/broken', behaviours.breaksOff('only ten..'))

    expect((await downloadAndFail('/broken')).message).toMatch(/truncated after \d+ bytes\. Tried 4 times\./)
  })

  it('retries after a truncated response and saves the complete second response', async () => {
    upstream.serve('/second', behaviours.inTurn(behaviours.claimsLength(100, 'x'.repeat(99)), 'whole'))
    const download = createTestDownload([upstream])

    expect(await download.get('/second')).toMatchObject({ bytes: 5 })
    expect(await download.content()).toBe('whole')
  })

  it('fails when the response is longer than its Content-Length', async () => {
    upstream.serve('/long', behaviours.claimsLength(4, 'data and more'))

    expect((await downloadAndFail('/long')).message).toContain('sent more bytes than it announced. Tried 4 times.')
  })

  it('fails when the chunk sizes of a chunked response are invalid', async () => {
    const head = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'
    upstream.serve('/chunk', behaviours.sendsRaw(`${head}4\r\ndata\r\nmore\r\n`))

    expect((await downloadAndFail('/chunk')).message).toContain('invalid HTTP (HPE_INVALID_CHUNK_SIZE). Tried 4 times.')
  })

  it('fails on an empty response, with and without a Content-Length', async () => {
    upstream.serve('/empty', behaviours.answers(200))
    upstream.serve('/nothing', behaviours.sendsChunks())

    expect((await downloadAndFail('/empty')).message).toContain('an empty response, expected data. Tried once.')
    expect((await downloadAndFail('/nothing')).message).toContain('an empty response, expected data')
  })

  it('accepts a response without a length that ends when the connection closes', async () => {
    upstream.serve('/plain', behaviours.sendsRaw('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\ndata'))

    expect(await createTestDownload([upstream]).get('/plain')).toMatchObject({ bytes: 4 })
  })
})

describe('download: size limit', () => {
  it('fails before reading a body whose Content-Length exceeds the size limit', async () => {
    upstream.serve('/announced', behaviours.claimsLength(5000, ''))

    const { message, requests } = await downloadAndFail('/announced', { maxBytes: 4999 })
    expect(message).toContain('announced 5000 bytes, expected at most 4999. Tried once.')
    expect(requests).toBe(1)
  })

  it('stops reading an endless response at the size limit', async () => {
    upstream.serve('/endless', behaviours.sendsWithoutEnd('x'.repeat(10_000)))

    expect((await downloadAndFail('/endless', { maxBytes: 100_000 })).message).toContain(
      'sent more than 100000 bytes, which is the limit. Tried once.',
    )
  })

  it('accepts a response of exactly the size limit and rejects one that is one byte larger', async () => {
    upstream.serve('/limit', behaviours.sendsChunks('12345', '67890'))

    expect(await createTestDownload([upstream]).get('/limit', { maxBytes: 10 })).toMatchObject({ bytes: 10 })
    expect((await downloadAndFail('/limit', { maxBytes: 9 })).message).toContain('more than 9 bytes')
  })
})

describe('download: responses that are not the requested data', () => {
  it('fails without a retry when the server sends an HTML page', async () => {
    upstream.serve('/page', behaviours.sendsHtml())

    const { message, requests } = await downloadAndFail('/page')
    expect(message).toContain('the server sent an HTML page instead of data. Tried once.')
    expect(requests).toBe(1)
  })

  it('fails when the content type is text/html, whatever the body', async () => {
    upstream.serve('/denied', behaviours.answers(200, 'Access denied', { 'content-type': 'text/html' }))

    expect((await downloadAndFail('/denied')).message).toContain('an HTML page instead of data')
  })

  it.each(['application/gzip', 'application/json'])(
    'fails when the server sends an HTML page with the content type %s',
    async (type) => {
      upstream.serve('/disguised', behaviours.sendsHtml(type))

      expect((await downloadAndFail('/disguised')).message).toContain('an HTML page instead of data')
    },
  )

  it('accepts an HTML page when the Accept header names text/html', async () => {
    upstream.serve('/history', behaviours.sendsHtml())

    expect(await createTestDownload([upstream]).get('/history', { headers: { Accept: 'text/html' } })).toMatchObject({
      isUnchanged: false,
    })
  })

  it.each(['gzip', 'br', 'identity, gzip'])(
    'fails when the response has the unrequested content encoding %s',
    async (encoding) => {
      upstream.serve('/encoded', behaviours.answers(200, 'bytes', { 'content-encoding': encoding }))

      expect((await downloadAndFail('/encoded')).message).toContain(
        `encoded its response as "${encoding}", expected no encoding`,
      )
    },
  )

  it('accepts content encoding gzip for a .gz file, and identity for any file', async () => {
    upstream.serve('/scores.csv.gz', behaviours.answers(200, 'bytes', { 'content-encoding': 'x-gzip' }))
    upstream.serve('/identity', behaviours.answers(200, 'bytes', { 'content-encoding': 'identity' }))

    expect(await createTestDownload([upstream]).get('/scores.csv.gz')).toMatchObject({ bytes: 5 })
    expect(await createTestDownload([upstream]).get('/identity')).toMatchObject({ bytes: 5 })
  })
})

describe('download: disk errors', () => {
  it('reports a missing target directory and does not retry', async () => {
    upstream.serve('/fine', 'data')
    const download = createTestDownload([upstream])
    const missing = join(import.meta.dirname, 'no-such-folder', 'data')

    await expect(download.file({ url: `${upstream.url}/fine`, maxBytes: 10 }, missing)).rejects.toThrow(
      'the file could not be written: the directory does not exist. Tried once.',
    )
    expect(upstream.requests('/fine')).toHaveLength(1)
  })

  it('reports a full disk and deletes the partial file', async () => {
    upstream.serve('/too-much', 'data')
    const download = createTestDownload([upstream])
    await symlink('/dev/full', join(download.folder, 'data.part'))

    await expect(download.get('/too-much')).rejects.toThrow(
      'the file could not be written: the disk is full. Tried once.',
    )
    expect(await download.files()).toEqual([])
  })
})
