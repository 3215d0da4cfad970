import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { testDownload } from '../../support/network/downloads.ts'
import { manners, startUpstream } from '../../support/network/upstream.ts'

const upstream = await startUpstream()

/** What became of it, after making sure that it left nothing behind. */
async function faultOf(path: string, request: Parameters<ReturnType<typeof testDownload>['get']>[1] = {}) {
  const download = testDownload([upstream])
  const fault: unknown = await download.get(path, request).catch((error: unknown) => error)
  expect(await download.files()).toEqual([])
  return { message: String(fault), requests: upstream.requests(path).length }
}

describe('An answer that is not whole', () => {
  it('is a fault when it ends before the length it announced', async () => {
    upstream.serve('/short', manners.claimsLength(100, 'only ten..'))

    const { message, requests } = await faultOf('/short')
    expect(message).toMatch(
      /cut off before its end, \d+ bytes of the 100 that it announced were read\. Tried 4 times\./,
    )
    expect(requests).toBe(4)
  })

  it('is a fault when it breaks off between its chunks', async () => {
    upstream.serve('/broken', manners.breaksOff('only ten..'))

    expect((await faultOf('/broken')).message).toMatch(/cut off before its end, \d+ bytes were read\. Tried 4 times\./)
  })

  it('is asked for again, and is then whole', async () => {
    upstream.serve('/second', manners.inTurn(manners.claimsLength(100, 'x'.repeat(99)), 'whole'))
    const download = testDownload([upstream])

    expect(await download.get('/second')).toMatchObject({ bytes: 5 })
    expect(await download.content()).toBe('whole')
  })

  it('is a fault when it is longer than it announced', async () => {
    upstream.serve('/long', manners.claimsLength(4, 'data and more'))

    expect((await faultOf('/long')).message).toContain('sent more than the length that it announced. Tried 4 times.')
  })

  it('is a fault when its chunks cannot be told apart', async () => {
    const head = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'
    upstream.serve('/chunk', manners.sendsRaw(`${head}4\r\ndata\r\nmore\r\n`))

    expect((await faultOf('/chunk')).message).toContain('not HTTP (HPE_INVALID_CHUNK_SIZE). Tried 4 times.')
  })

  it('is a fault when it is empty, announced or not', async () => {
    upstream.serve('/empty', manners.answers(200))
    upstream.serve('/nothing', manners.sendsChunks())

    expect((await faultOf('/empty')).message).toContain('an empty answer, expected data. Tried once.')
    expect((await faultOf('/nothing')).message).toContain('an empty answer, expected data')
  })

  it('counts as whole when it has no length and simply ends: its format must then tell', async () => {
    upstream.serve('/plain', manners.sendsRaw('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\ndata'))

    expect(await testDownload([upstream]).get('/plain')).toMatchObject({ bytes: 4 })
  })
})

describe('An answer that is too large', () => {
  it('is refused before it is read, when it says so', async () => {
    upstream.serve('/announced', manners.claimsLength(5000, ''))

    const { message, requests } = await faultOf('/announced', { maxBytes: 4999 })
    expect(message).toContain('announces 5000 bytes, expected at most 4999. Tried once.')
    expect(requests).toBe(1)
  })

  it('is cut off when it never ends', async () => {
    upstream.serve('/endless', manners.sendsWithoutEnd('x'.repeat(10_000)))

    expect((await faultOf('/endless', { maxBytes: 100_000 })).message).toContain(
      'sent more than the 100000 bytes expected. Tried once.',
    )
  })

  it('is welcome at exactly the limit, and not one byte beyond', async () => {
    upstream.serve('/limit', manners.sendsChunks('12345', '67890'))

    expect(await testDownload([upstream]).get('/limit', { maxBytes: 10 })).toMatchObject({ bytes: 10 })
    expect((await faultOf('/limit', { maxBytes: 9 })).message).toContain('more than the 9 bytes')
  })
})

describe('An answer that is something else', () => {
  it('is a fault when it is an HTML page', async () => {
    upstream.serve('/page', manners.sendsHtml())

    const { message, requests } = await faultOf('/page')
    expect(message).toContain('the server sent an HTML page instead of data. Tried once.')
    expect(requests).toBe(1)
  })

  it('is a fault when it is called an HTML page, whatever it is', async () => {
    upstream.serve('/denied', manners.answers(200, 'Access denied', { 'content-type': 'text/html' }))

    expect((await faultOf('/denied')).message).toContain('an HTML page instead of data')
  })

  it.each(['application/gzip', 'application/json'])('is a fault when an HTML page is called %s', async (type) => {
    upstream.serve('/disguised', manners.sendsHtml(type))

    expect((await faultOf('/disguised')).message).toContain('an HTML page instead of data')
  })

  it('is welcome when an HTML page was asked for', async () => {
    upstream.serve('/history', manners.sendsHtml())

    expect(await testDownload([upstream]).get('/history', { headers: { Accept: 'text/html' } })).toMatchObject({
      isUnchanged: false,
    })
  })

  it.each(['gzip', 'br', 'identity, gzip'])(
    'is a fault when it is encoded as %s without being asked',
    async (encoding) => {
      upstream.serve('/encoded', manners.answers(200, 'bytes', { 'content-encoding': encoding }))

      expect((await faultOf('/encoded')).message).toContain(`encoded its answer as "${encoding}", expected no encoding`)
    },
  )

  it('is welcome when a .gz file is called encoded: it is what was asked for', async () => {
    upstream.serve('/scores.csv.gz', manners.answers(200, 'bytes', { 'content-encoding': 'x-gzip' }))
    upstream.serve('/identity', manners.answers(200, 'bytes', { 'content-encoding': 'identity' }))

    expect(await testDownload([upstream]).get('/scores.csv.gz')).toMatchObject({ bytes: 5 })
    expect(await testDownload([upstream]).get('/identity')).toMatchObject({ bytes: 5 })
  })
})

describe('A disk that does not take it', () => {
  it('is named, and the upstream is not asked again', async () => {
    upstream.serve('/fine', 'data')
    const download = testDownload([upstream])
    const missing = join(import.meta.dirname, 'no-such-folder', 'data')

    await expect(download.file({ url: `${upstream.url}/fine`, maxBytes: 10 }, missing)).rejects.toThrow(
      'it could not be stored: the folder is not there. Tried once.',
    )
    expect(upstream.requests('/fine')).toHaveLength(1)
  })

  it('is named when it is full, and the part is gone', async () => {
    upstream.serve('/too-much', 'data')
    const download = testDownload([upstream])
    await symlink('/dev/full', join(download.folder, 'data.part'))

    await expect(download.get('/too-much')).rejects.toThrow('it could not be stored: the disk is full. Tried once.')
    expect(await download.files()).toEqual([])
  })
})
