import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { openDownload } from '../../../src/feeds/download/open-download.ts'
import { FeedError, LeaseLostError } from '../../../src/feeds/feed.ts'
import { DEFAULT_TIMEOUTS, startRequestTimers } from '../../../src/outbound/timeouts.ts'
import { createTestClock } from '../../support/clock.ts'
import { createTestDownload } from '../../support/network/downloads.ts'
import { behaviours, startUpstream } from '../../support/network/upstream.ts'

const upstream = await startUpstream()
const once = { attempts: 1 }

describe('download: timeouts', () => {
  it('allows 10 s for the connection, 30 s without data and 15 minutes in total by default', () => {
    expect(DEFAULT_TIMEOUTS).toMatchObject({ connectMs: 10_000, idleMs: 30_000, totalMs: 900_000 })
  })

  it('fails when DNS does not respond within the connection timeout', async () => {
    const named = {
      url: upstream.url.replace('127.0.0.1', 'localhost'),
      host: upstream.host.replace('127.0.0.1', 'localhost'),
    }
    const resolve = () => new Promise<never>(() => {})

    await expect(
      createTestDownload([named], { ...once, resolve, timeouts: { connectMs: 40 } }).get('/list'),
    ).rejects.toThrow('no connection was established within 0.04 s. Tried once.')
  })

  it('fails when the server does not respond within the idle timeout', async () => {
    upstream.serve('/silent', behaviours.hangs())

    await expect(createTestDownload([upstream], { ...once, timeouts: { idleMs: 40 } }).get('/silent')).rejects.toThrow(
      'the server did not start to respond within 0.04 s',
    )
  })

  it('fails when the server sends endless headers slowly', async () => {
    upstream.serve('/slow-head', (_request, response) => {
      response.socket?.write('HTTP/1.1 200 OK\r\n')
      const timer = setInterval(() => response.socket?.write('X: y\r\n'), 5)
      response.once('close', () => clearInterval(timer))
    })

    await expect(
      createTestDownload([upstream], { ...once, timeouts: { idleMs: 60 } }).get('/slow-head'),
    ).rejects.toThrow('did not start to respond within 0.06 s')
  })

  it('fails and leaves no file when the server stops sending in the middle of its response', async () => {
    upstream.serve('/half', behaviours.fallsSilent('half of the da'))
    const download = createTestDownload([upstream], { ...once, timeouts: { idleMs: 500 } })

    await expect(download.get('/half')).rejects.toThrow('sent nothing for 0.5 s in the middle of its response')
    expect(await download.files()).toEqual([])
  })

  it('fails and leaves no file when the response is slower than the minimum speed', async () => {
    upstream.serve('/drip', behaviours.drips('.', 5))
    const download = createTestDownload([upstream], { ...once, timeouts: { speedWindowMs: 500 } })

    await expect(download.get('/drip')).rejects.toThrow(
      /sent only [1-9]\d* bytes in 0\.5 s, expected at least 1024 bytes per second\. Tried once\./,
    )
    expect(await download.files()).toEqual([])
  })

  it('retries after an idle timeout', async () => {
    upstream.serve('/sleepy', behaviours.inTurn(behaviours.hangs(), 'data'))
    const download = createTestDownload([upstream], { timeouts: { idleMs: 1000 } })

    expect(await download.get('/sleepy')).toMatchObject({ bytes: 4 })
    expect(upstream.requests('/sleepy')).toHaveLength(2)
  })

  it('fails when the download exceeds the total timeout', async () => {
    upstream.serve('/forever', behaviours.drips('x'.repeat(10_000), 5))
    const download = createTestDownload([upstream], { timeouts: { totalMs: 60 } })

    await expect(download.get('/forever', { maxBytes: 1e12 })).rejects.toThrow('took longer than 0.06 s. Tried once.')
    expect(await download.files()).toEqual([])
  })

  it('fails when the total timeout passes during the delay before a retry', async () => {
    upstream.serve('/busy', behaviours.throttles(503, '60'))
    const hosts = { allowedHosts: [upstream.host], privateHosts: [upstream.host] }
    const download = openDownload({
      ...hosts,
      userAgent: 'vis-tests',
      now: createTestClock().now,
      timeouts: { totalMs: 100 },
    })

    await expect(
      download.file({ url: `${upstream.url}/busy`, maxBytes: 10 }, join(tmpdir(), 'never-written')),
    ).rejects.toThrow('took longer than 0.1 s. Tried once.')
  })
})

describe('download: minimum speed', () => {
  /**
   * Simulates a download of half an hour with fake timers: after an initial burst of data, `bytes` bytes arrive in each
   * interval.
   */
  const simulate = (bytes: number, intervalSeconds: number, beginning = 0) => {
    vi.useFakeTimers()
    const errors: string[] = []
    const timers = startRequestTimers(DEFAULT_TIMEOUTS, ({ message }) => errors.push(message))
    timers.connected()
    timers.responded()
    timers.received(beginning)
    for (let at = 0; at < 1800; at += intervalSeconds) {
      timers.received(bytes)
      vi.advanceTimersByTime(intervalSeconds * 1000)
    }
    timers.end()
    const left = vi.getTimerCount()
    vi.useRealTimers()
    return { error: errors[0], left }
  }

  it('allows a long response that is fast enough on average', () => {
    expect(simulate(1024, 1)).toEqual({ error: undefined, left: 0 })
    expect(simulate(29 * 1024 + 1024, 29).error).toBeUndefined()
  })

  it('aborts a response that is slower than 1024 bytes per second', () => {
    expect(simulate(1000, 1).error).toBe(
      'the server sent only 30000 bytes in 30 s, expected at least 1024 bytes per second',
    )
  })

  it('aborts a response that becomes too slow after a fast start', () => {
    expect(simulate(1, 1, 10_000_000).error).toBe(
      'the server sent only 30 bytes in 30 s, expected at least 1024 bytes per second',
    )
  })

  it('aborts a response with a gap of more than 30 s', () => {
    expect(simulate(10_000_000, 31).error).toContain('sent nothing for 30 s')
  })
})

describe('download: stopping the feed run', () => {
  it('aborts a running download and leaves no file', async () => {
    const stop = new AbortController()
    upstream.serve('/going-on', (_request, response) => {
      response.write('half of the da')
      setTimeout(() => stop.abort(), 20)
    })
    const download = createTestDownload([upstream], { signal: stop.signal })

    await expect(download.get('/going-on')).rejects.toThrow(
      `${upstream.url}/going-on could not be downloaded: the run was stopped. Tried once.`,
    )
    expect(await download.files()).toEqual([])
  })

  it('aborts the delay before a retry', async () => {
    const stop = new AbortController()
    upstream.serve('/pausing', behaviours.throttles(503))
    const sleep = (ms: number, signal: AbortSignal) => {
      setTimeout(() => stop.abort(), 5)
      return wait(ms, undefined, { signal })
    }
    const failure = createTestDownload([upstream], { signal: stop.signal, sleep }).get('/pausing')

    await expect(failure).rejects.toBeInstanceOf(FeedError)
    await expect(failure).rejects.toThrow('the run was stopped')
    expect(upstream.requests('/pausing')).toHaveLength(1)
  })

  it("throws the signal's abort reason if it is a FeedError", async () => {
    const stop = new AbortController()
    const reason = new LeaseLostError('another worker has the lease')
    upstream.serve('/fenced', () => stop.abort(reason))

    await expect(createTestDownload([upstream], { signal: stop.signal }).get('/fenced')).rejects.toBe(reason)
  })

  it('sends no request when the feed run is already stopped', async () => {
    const download = createTestDownload([upstream], { signal: AbortSignal.abort() })

    await expect(download.get('/never')).rejects.toThrow('the run was stopped')
    expect(upstream.requests('/never')).toHaveLength(0)
  })
})
