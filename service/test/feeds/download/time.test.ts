import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { openDownload } from '../../../src/feeds/download/open-download.ts'
import { USUAL_PATIENCE, watchRequest } from '../../../src/feeds/download/timeouts.ts'
import { FeedError, LeaseLostError } from '../../../src/feeds/feed.ts'
import { testClock } from '../../support/clock.ts'
import { testDownload } from '../../support/network/downloads.ts'
import { manners, startUpstream } from '../../support/network/upstream.ts'

const upstream = await startUpstream()
const once = { attempts: 1 }

describe('Patience', () => {
  it('is ten seconds for a connection, thirty for a sign of life, a quarter of an hour for everything', () => {
    expect(USUAL_PATIENCE).toMatchObject({ connectMs: 10_000, idleMs: 30_000, wholeMs: 900_000 })
  })

  it('ends when DNS does not answer', async () => {
    const named = {
      url: upstream.url.replace('127.0.0.1', 'localhost'),
      host: upstream.host.replace('127.0.0.1', 'localhost'),
    }
    const resolve = () => new Promise<never>(() => {})

    await expect(testDownload([named], { ...once, resolve, patience: { connectMs: 40 } }).get('/list')).rejects.toThrow(
      'no connection came about within 0.04 s. Tried once.',
    )
  })

  it('ends when the server takes the request and says nothing', async () => {
    upstream.serve('/silent', manners.hangs())

    await expect(testDownload([upstream], { ...once, patience: { idleMs: 40 } }).get('/silent')).rejects.toThrow(
      'the server did not begin to answer within 0.04 s',
    )
  })

  it('ends when headers come byte by byte, without end', async () => {
    upstream.serve('/slow-head', (_request, response) => {
      response.socket?.write('HTTP/1.1 200 OK\r\n')
      const timer = setInterval(() => response.socket?.write('X: y\r\n'), 5)
      response.once('close', () => clearInterval(timer))
    })

    await expect(testDownload([upstream], { ...once, patience: { idleMs: 60 } }).get('/slow-head')).rejects.toThrow(
      'did not begin to answer within 0.06 s',
    )
  })

  it('ends when the server falls silent within its answer, and nothing is left of it', async () => {
    upstream.serve('/half', manners.fallsSilent('half of the da'))
    const download = testDownload([upstream], { ...once, patience: { idleMs: 40 } })

    await expect(download.get('/half')).rejects.toThrow('went silent for 0.04 s in the middle of its answer')
    expect(await download.files()).toEqual([])
  })

  it('ends when the answer drips, though it never stops', async () => {
    upstream.serve('/drip', manners.drips('.', 5))
    const download = testDownload([upstream], { ...once, patience: { speedWindowMs: 80 } })

    await expect(download.get('/drip')).rejects.toThrow(
      /sent only [1-9]\d* bytes in 0\.08 s, expected at least 1024 a second\. Tried once\./,
    )
    expect(await download.files()).toEqual([])
  })

  it('gives silent servers further attempts', async () => {
    upstream.serve('/sleepy', manners.inTurn(manners.hangs(), 'data'))
    const download = testDownload([upstream], { patience: { idleMs: 300 } })

    expect(await download.get('/sleepy')).toMatchObject({ bytes: 4 })
    expect(upstream.requests('/sleepy')).toHaveLength(2)
  })

  it('ends for the whole, whatever still goes on', async () => {
    upstream.serve('/forever', manners.drips('x'.repeat(10_000), 5))
    const download = testDownload([upstream], { patience: { wholeMs: 60 } })

    await expect(download.get('/forever', { maxBytes: 1e12 })).rejects.toThrow('took longer than 0.06 s. Tried once.')
    expect(await download.files()).toEqual([])
  })

  it('ends for the whole in a pause too', async () => {
    upstream.serve('/busy', manners.throttles(503, '60'))
    const hosts = { allowedHosts: [upstream.host], privateHosts: [upstream.host] }
    const download = openDownload({
      ...hosts,
      userAgent: 'vis-tests',
      now: testClock().now,
      patience: { wholeMs: 100 },
    })

    await expect(
      download.file({ url: `${upstream.url}/busy`, maxBytes: 10 }, join(tmpdir(), 'never-written')),
    ).rejects.toThrow('took longer than 0.1 s. Tried once.')
  })
})

describe('Patience with an answer that goes on', () => {
  /** Half an hour in no time: so many bytes every so many seconds, after a beginning of any speed. */
  const watched = (bytes: number, everySeconds: number, beginning = 0) => {
    vi.useFakeTimers()
    const troubles: string[] = []
    const watch = watchRequest(USUAL_PATIENCE, ({ message }) => troubles.push(message))
    watch.connected()
    watch.answered()
    watch.received(beginning)
    for (let at = 0; at < 1800; at += everySeconds) {
      watch.received(bytes)
      vi.advanceTimersByTime(everySeconds * 1000)
    }
    watch.end()
    const left = vi.getTimerCount()
    vi.useRealTimers()
    return { trouble: troubles[0], left }
  }

  it('does not end while it is fast enough on average, however long it takes', () => {
    expect(watched(1024, 1)).toEqual({ trouble: undefined, left: 0 })
    expect(watched(29 * 1024 + 1024, 29).trouble).toBeUndefined()
  })

  it('ends when it is slower than that', () => {
    expect(watched(1000, 1).trouble).toBe('the server sent only 30000 bytes in 30 s, expected at least 1024 a second')
  })

  it('ends when it has become slower than that, however fast it began', () => {
    expect(watched(1, 1, 10_000_000).trouble).toBe(
      'the server sent only 30 bytes in 30 s, expected at least 1024 a second',
    )
  })

  it('ends when nothing comes for too long, however much comes then', () => {
    expect(watched(10_000_000, 31).trouble).toContain('went silent for 30 s')
  })
})

describe('The end of the run', () => {
  it('ends a download in the middle of the answer, and nothing is left of it', async () => {
    const stop = new AbortController()
    upstream.serve('/going-on', (_request, response) => {
      response.write('half of the da')
      setTimeout(() => stop.abort(), 20)
    })
    const download = testDownload([upstream], { signal: stop.signal })

    await expect(download.get('/going-on')).rejects.toThrow(
      `${upstream.url}/going-on could not be downloaded: the run was stopped. Tried once.`,
    )
    expect(await download.files()).toEqual([])
  })

  it('ends a pause', async () => {
    const stop = new AbortController()
    upstream.serve('/pausing', manners.throttles(503))
    const sleep = (ms: number, signal: AbortSignal) => {
      setTimeout(() => stop.abort(), 5)
      return wait(ms, undefined, { signal })
    }
    const failure = testDownload([upstream], { signal: stop.signal, sleep }).get('/pausing')

    await expect(failure).rejects.toBeInstanceOf(FeedError)
    await expect(failure).rejects.toThrow('the run was stopped')
    expect(upstream.requests('/pausing')).toHaveLength(1)
  })

  it('has a reason, which is what is thrown', async () => {
    const stop = new AbortController()
    const reason = new LeaseLostError('somebody else has the lease')
    upstream.serve('/fenced', () => stop.abort(reason))

    await expect(testDownload([upstream], { signal: stop.signal }).get('/fenced')).rejects.toBe(reason)
  })

  it('comes before the first request, if it has come', async () => {
    const download = testDownload([upstream], { signal: AbortSignal.abort() })

    await expect(download.get('/never')).rejects.toThrow('the run was stopped')
    expect(upstream.requests('/never')).toHaveLength(0)
  })
})
