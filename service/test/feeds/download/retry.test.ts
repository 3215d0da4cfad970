import { describe, expect, it } from 'vitest'
import { pauseMs, retryAfterMs } from '../../../src/feeds/download/retry.ts'
import { testDownload } from '../../support/network/downloads.ts'
import { manners, startUpstream } from '../../support/network/upstream.ts'

const upstream = await startUpstream()

describe('An upstream that wants us to slow down', () => {
  it.each([429, 503])('with %i is asked again, after pauses that double', async (status) => {
    upstream.serve(`/busy/${status}`, manners.throttles(status))
    const download = testDownload([upstream])

    await expect(download.get(`/busy/${status}`)).rejects.toThrow(
      new RegExp(`wants us to come back later \\(${status} .*\\)\\. Tried 4 times\\.`),
    )
    expect(upstream.requests(`/busy/${status}`)).toHaveLength(4)
    expect(download.pauses).toEqual([5000, 10_000, 20_000])
  })

  it('is given the time it asks for, in seconds', async () => {
    upstream.serve('/seconds', manners.inTurn(manners.throttles(429, '17'), 'data'))
    const download = testDownload([upstream])

    expect(await download.get('/seconds')).toMatchObject({ bytes: 4 })
    expect(download.pauses).toEqual([17_000])
    expect(await download.content()).toBe('data')
  })

  it('is given the time it asks for, as a date', async () => {
    upstream.serve('/date', manners.inTurn(manners.throttles(503, 'Sat, 22 Aug 2026 00:00:40 GMT'), 'data'))
    const download = testDownload([upstream])

    await download.get('/date')
    expect(download.pauses).toEqual([40_000])
  })

  it('may mean it by a status of its own', async () => {
    upstream.serve('/nvd', manners.inTurn(manners.throttles(403), manners.throttles(403), 'data'))
    const download = testDownload([upstream])

    expect(await download.get('/nvd', { throttledBy: [403] })).toMatchObject({ bytes: 4 })
    expect(download.pauses).toEqual([5000, 10_000])
  })

  it('is asked as often as the settings say', async () => {
    upstream.serve('/patient', manners.throttles(503))

    await expect(testDownload([upstream], { attempts: 2 }).get('/patient')).rejects.toThrow('Tried 2 times')
    expect(upstream.requests('/patient')).toHaveLength(2)
  })
})

describe('A connection that fails', () => {
  it('is tried again when it is reset before the answer', async () => {
    upstream.serve('/reset', manners.inTurn(manners.resets(), 'data'))

    expect(await testDownload([upstream]).get('/reset')).toMatchObject({ bytes: 4 })
    expect(upstream.requests('/reset')).toHaveLength(2)
  })

  it('is named, if it keeps being reset', async () => {
    upstream.serve('/resets', manners.resets())

    await expect(testDownload([upstream]).get('/resets')).rejects.toThrow(/connection was cut.*Tried 4 times/)
  })

  it('is tried again, and named, when nobody listens', async () => {
    const closed = await startUpstream()
    closed.close()
    const download = testDownload([closed])

    await expect(download.get('/list')).rejects.toThrow(/the server refused the connection\. Tried 4 times\./)
    expect(download.pauses).toHaveLength(3)
  })

  it('is tried again when DNS has no answer', async () => {
    const url = upstream.url.replace('127.0.0.1', 'localhost')
    const host = new URL(url).host
    let asked = 0
    const resolve = async () => {
      asked += 1
      throw Object.assign(new Error('getaddrinfo EAI_AGAIN'), { code: 'EAI_AGAIN' })
    }

    await expect(testDownload([{ url, host }], { resolve }).get('/list')).rejects.toThrow(/DNS gave no answer.*4 times/)
    expect(asked).toBe(4)
  })

  it('is tried again, and named, when what comes is not HTTP', async () => {
    upstream.serve('/greeting', manners.sendsRaw('SSH-2.0-OpenSSH_9.2\r\n'))

    await expect(testDownload([upstream]).get('/greeting')).rejects.toThrow(/not HTTP \(HPE_\w+\)\. Tried 4 times/)
  })

  it('is tried again, and named, when the server switches to another protocol', async () => {
    upstream.serve(
      '/switch',
      manners.sendsRaw('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
    )

    await expect(testDownload([upstream]).get('/switch')).rejects.toThrow(/closed before there was an answer.*4 times/)
  })

  it('is tried again, and named, when the headers do not end', async () => {
    upstream.serve('/headers', manners.sendsRaw(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(100_000)}`))

    await expect(testDownload([upstream]).get('/headers')).rejects.toThrow(/headers of the answer are too large/)
  })
})

describe('A pause', () => {
  it('is never shorter than our own manners demand', () => {
    expect(pauseMs(1, 0, 0)).toBe(5000)
    expect(pauseMs(3, 1000, 0)).toBe(20_000)
  })

  it('is never longer than two minutes, whatever is asked', () => {
    expect(pauseMs(1, 86_400_000, 0)).toBe(120_000)
    expect(pauseMs(20, 0, 1)).toBe(120_000)
  })

  it('is spread by half of itself, so that many do not come back at once', () => {
    expect([0, 0.5, 1].map((random) => pauseMs(2, 0, random))).toEqual([10_000, 12_500, 15_000])
  })

  it('does not depend on a Retry-After that cannot be read, or lies in the past', () => {
    const now = new Date('2026-08-22T00:00:00Z')
    expect(retryAfterMs(undefined, now)).toBeUndefined()
    expect(retryAfterMs('soon', now)).toBeUndefined()
    expect(retryAfterMs('-5 apples', now)).toBeUndefined()
    expect(retryAfterMs('Fri, 21 Aug 2026 00:00:00 GMT', now)).toBe(0)
  })
})
