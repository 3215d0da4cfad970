import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  createReadRateWatch,
  type DisconnectReason,
  type ReadRateWatch,
} from '../../../src/api/large-answers/read-rate.ts'

const RULE = { minBytesPerSecond: 16_000, windowMs: 60_000 }
const MEGABYTES = 1_000_000

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

interface Reading {
  readonly bytes: number
  /** Bytes that the kernel accepts in each step. */
  readonly step: number
  readonly everyMs: number
  readonly forMs: number
  readonly isBeingSent?: () => boolean
}

/** Simulates a client. Returns why and when it was disconnected. */
async function read(
  watch: ReadRateWatch,
  reading: Reading,
): Promise<{ reason: DisconnectReason; afterMs: number } | 'kept'> {
  const startedAt = performance.now()
  const ends: { reason: DisconnectReason; afterMs: number }[] = []
  const disconnect = (reason: DisconnectReason) => void ends.push({ reason, afterMs: performance.now() - startedAt })
  const { isBeingSent = () => true, bytes, step, everyMs, forMs } = reading
  const watched = watch.watch(bytes, { isBeingSent, disconnect })
  let sent = 0
  while (performance.now() - startedAt < forMs && sent < bytes && ends.length === 0) {
    await vi.advanceTimersByTimeAsync(everyMs)
    watched.addSent(step)
    sent += step
  }
  watched.end()
  return ends[0] ?? 'kept'
}

describe('Minimum read rate', () => {
  it('disconnects a client that reads 64 KB every 8 s once the window has passed', async () => {
    const watch = createReadRateWatch(RULE)
    const end = await read(watch, { bytes: 10 * MEGABYTES, step: 65_536, everyMs: 8000, forMs: 600_000 })

    expect(end).toMatchObject({ reason: 'rate' })
    expect(watch.disconnects()).toEqual({ rate: 1, deadline: 0 })
    expect(end === 'kept' ? 0 : end.afterMs).toBeLessThan(75_000)
  })

  it('keeps a client that reads 256 kbit/s until it has the whole response', async () => {
    const watch = createReadRateWatch(RULE)
    expect(await read(watch, { bytes: 10 * MEGABYTES, step: 32_000, everyMs: 1000, forMs: 600_000 })).toBe('kept')
  })

  it('keeps such a client even if the kernel reports its progress in steps of 1.5 MB', async () => {
    const watch = createReadRateWatch(RULE)
    const reading = { bytes: 40 * MEGABYTES, step: 1.5 * MEGABYTES, everyMs: 47_000, forMs: 1_500_000 }
    expect(await read(watch, reading)).toBe('kept')
  })

  it('disconnects a client that stops after it has read most of the response', async () => {
    const watch = createReadRateWatch(RULE)
    const watched: { reason?: DisconnectReason } = {}
    const { addSent } = watch.watch(10 * MEGABYTES, {
      isBeingSent: () => true,
      disconnect: (reason) => {
        watched.reason = reason
      },
    })
    addSent(9 * MEGABYTES)
    await vi.advanceTimersByTimeAsync(62_000)
    expect(watched.reason).toBe('rate')
  })

  it('does not measure a response while an earlier response on its connection is being sent', async () => {
    const watch = createReadRateWatch(RULE)
    const isBeingSent = () => false
    expect(await read(watch, { bytes: 10 * MEGABYTES, step: 0, everyMs: 1000, forMs: 300_000, isBeingSent })).toBe(
      'kept',
    )
  })
})

describe('Response deadline', () => {
  it('is the time that the response takes at the minimum rate, plus the window', async () => {
    let pausedMs = 0
    const watch = createReadRateWatch(RULE, () => performance.now() + pausedMs)
    const startedAt = performance.now()
    const ends: { reason: DisconnectReason; afterMs: number }[] = []
    const disconnect = (reason: DisconnectReason) => void ends.push({ reason, afterMs: performance.now() - startedAt })
    watch.watch(1.6 * MEGABYTES, { isBeingSent: () => true, disconnect })
    // A process that pauses every 50 s never measures the read rate over a whole window.
    for (let pauses = 0; pauses < 6; pauses += 1) {
      await vi.advanceTimersByTimeAsync(50_000)
      pausedMs += 3000
    }

    expect(ends).toEqual([{ reason: 'deadline', afterMs: expect.closeTo(160_000, -4) }])
    expect(watch.disconnects()).toEqual({ rate: 0, deadline: 1 })
  })

  it('starts when the earlier responses on the connection have been sent', async () => {
    const watch = createReadRateWatch(RULE)
    const startedAt = performance.now()
    let [sent, reason]: [number, DisconnectReason | undefined] = [0, undefined]
    const watched = watch.watch(1.6 * MEGABYTES, {
      isBeingSent: () => performance.now() - startedAt >= 500_000,
      disconnect: (given) => {
        reason = given
      },
    })
    await vi.advanceTimersByTimeAsync(500_000)
    for (; sent < 1.6 * MEGABYTES; sent += 16_000) {
      watched.addSent(16_000)
      await vi.advanceTimersByTimeAsync(1000)
    }
    expect(reason).toBeUndefined()
  })
})

describe('Read rate after the process was paused', () => {
  it('is measured from the end of the pause', async () => {
    let pausedMs = 0
    const watch = createReadRateWatch(RULE, () => performance.now() + pausedMs)
    const disconnect = vi.fn<(reason: DisconnectReason) => void>()
    watch.watch(10 * MEGABYTES, { isBeingSent: () => true, disconnect })
    await vi.advanceTimersByTimeAsync(10_000)
    pausedMs = 300_000
    await vi.advanceTimersByTimeAsync(58_000)
    expect(disconnect).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(5000)
    expect(disconnect).toHaveBeenCalledWith('rate')
  })
})
