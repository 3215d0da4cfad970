import { describe, expect, it } from 'vitest'
import { computeRetryDelayMs, parseRetryAfterMs } from '../../../src/feeds/download/retry.ts'
import { createTestDownload } from '../../support/network/downloads.ts'
import { behaviours, startUpstream } from '../../support/network/upstream.ts'

const upstream = await startUpstream()

describe('download: rate limiting by the upstream', () => {
  it.each([429, 503])('retries three times after status %i, doubling the delay', async (status) => {
    upstream.serve(`/busy/${status}`, behaviours.throttles(status))
    const download = createTestDownload([upstream])

    await expect(download.get(`/busy/${status}`)).rejects.toThrow(
      new RegExp(`asks to retry later \\(${status} .*\\)\\. Tried 4 times\\.`),
    )
    expect(upstream.requests(`/busy/${status}`)).toHaveLength(4)
    expect(download.pauses).toEqual([5000, 10_000, 20_000])
  })

  it('waits as long as a Retry-After header in seconds requests', async () => {
    upstream.serve('/seconds', behaviours.inTurn(behaviours.throttles(429, '17'), 'data'))
    const download = createTestDownload([upstream])

    expect(await download.get('/seconds')).toMatchObject({ bytes: 4 })
    expect(download.pauses).toEqual([17_000])
    expect(await download.content()).toBe('data')
  })

  it('waits until the date in a Retry-After header', async () => {
    upstream.serve('/date', behaviours.inTurn(behaviours.throttles(503, 'Sat, 22 Aug 2026 00:00:40 GMT'), 'data'))
    const download = createTestDownload([upstream])

    await download.get('/date')
    expect(download.pauses).toEqual([40_000])
  })

  it('retries after a status that the feed lists as throttling', async () => {
    upstream.serve('/nvd', behaviours.inTurn(behaviours.throttles(403), behaviours.throttles(403), 'data'))
    const download = createTestDownload([upstream])

    expect(await download.get('/nvd', { throttleStatuses: [403] })).toMatchObject({ bytes: 4 })
    expect(download.pauses).toEqual([5000, 10_000])
  })

  it('makes as many attempts as configured', async () => {
    upstream.serve('/patient', behaviours.throttles(503))

    await expect(createTestDownload([upstream], { attempts: 2 }).get('/patient')).rejects.toThrow('Tried 2 times')
    expect(upstream.requests('/patient')).toHaveLength(2)
  })
})

describe('download: failed connections', () => {
  it('retries when the connection is reset before the response', async () => {
    upstream.serve('/reset', behaviours.inTurn(behaviours.resets(), 'data'))

    expect(await createTestDownload([upstream]).get('/reset')).toMatchObject({ bytes: 4 })
    expect(upstream.requests('/reset')).toHaveLength(2)
  })

  it('reports a connection that is reset in every attempt', async () => {
    upstream.serve('/resets', behaviours.resets())

    await expect(createTestDownload([upstream]).get('/resets')).rejects.toThrow(/connection was closed.*Tried 4 times/)
  })

  it('retries and reports a refused connection', async () => {
    const closed = await startUpstream()
    closed.close()
    const download = createTestDownload([closed])

    await expect(download.get('/list')).rejects.toThrow(/the server refused the connection\. Tried 4 times\./)
    expect(download.pauses).toHaveLength(3)
  })

  it('retries when DNS does not respond', async () => {
    const url = upstream.url.replace('127.0.0.1', 'localhost')
    const host = new URL(url).host
    let lookups = 0
    const resolve = async () => {
      lookups += 1
      throw Object.assign(new Error('getaddrinfo EAI_AGAIN'), { code: 'EAI_AGAIN' })
    }

    await expect(createTestDownload([{ url, host }], { resolve }).get('/list')).rejects.toThrow(
      /DNS did not answer.*4 times/,
    )
    expect(lookups).toBe(4)
  })

  it('retries and reports a response that is not HTTP', async () => {
    upstream.serve('/greeting', behaviours.sendsRaw('SSH-2.0-OpenSSH_9.2\r\n'))

    await expect(createTestDownload([upstream]).get('/greeting')).rejects.toThrow(
      /invalid HTTP \(HPE_\w+\)\. Tried 4 times/,
    )
  })

  it('retries and reports a server that switches to another protocol', async () => {
    upstream.serve(
      '/switch',
      behaviours.sendsRaw('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
    )

    await expect(createTestDownload([upstream]).get('/switch')).rejects.toThrow(/closed before a response.*4 times/)
  })

  it('reports response headers that are too large', async () => {
    upstream.serve('/headers', behaviours.sendsRaw(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(100_000)}`))

    await expect(createTestDownload([upstream]).get('/headers')).rejects.toThrow(/response headers are too large/)
  })
})

describe('download: delay before a retry', () => {
  it('is at least 5 s, doubled with each attempt, even if the upstream requests less', () => {
    expect(computeRetryDelayMs(1, 0, 0)).toBe(5000)
    expect(computeRetryDelayMs(3, 1000, 0)).toBe(20_000)
  })

  it('is at most two minutes, whatever the upstream requests', () => {
    expect(computeRetryDelayMs(1, 86_400_000, 0)).toBe(120_000)
    expect(computeRetryDelayMs(20, 0, 1)).toBe(120_000)
  })

  it('is extended by a random amount of up to 50 %', () => {
    expect([0, 0.5, 1].map((random) => computeRetryDelayMs(2, 0, random))).toEqual([10_000, 12_500, 15_000])
  })

  it('is not extended by a Retry-After header that is invalid or in the past', () => {
    const now = new Date('2026-08-22T00:00:00Z')
    expect(parseRetryAfterMs(undefined, now)).toBeUndefined()
    expect(parseRetryAfterMs('soon', now)).toBeUndefined()
    expect(parseRetryAfterMs('-5 seconds', now)).toBeUndefined()
    expect(parseRetryAfterMs('Fri, 21 Aug 2026 00:00:00 GMT', now)).toBe(0)
  })
})
