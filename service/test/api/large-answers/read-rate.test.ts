import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type CutReason, createReadRateWatch, type ReadRateWatch } from '../../../src/api/large-answers/read-rate.ts'

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
  readonly isCurrent?: () => boolean
}

/** Simulates a client, and returns the reason for which it was cut, and when. */
async function read(watch: ReadRateWatch, reading: Reading): Promise<{ reason: CutReason; afterMs: number } | 'kept'> {
  const startedAt = performance.now()
  const ends: { reason: CutReason; afterMs: number }[] = []
  const cut = (reason: CutReason) => void ends.push({ reason, afterMs: performance.now() - startedAt })
  const { isCurrent = () => true, bytes, step, everyMs, forMs } = reading
  const watched = watch.watch(bytes, 0, { isCurrent, cut })
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
  it('cuts a client that reads 64 KB every 8 s after the window', async () => {
    const watch = createReadRateWatch(RULE)
    const end = await read(watch, { bytes: 10 * MEGABYTES, step: 65_536, everyMs: 8000, forMs: 600_000 })

    expect(end).toMatchObject({ reason: 'rate' })
    expect(watch.cuts()).toEqual({ rate: 1, deadline: 0 })
    expect(end === 'kept' ? 0 : end.afterMs).toBeLessThan(75_000)
  })

  it('keeps a client that reads 256 kbit a second until it has the whole response', async () => {
    const watch = createReadRateWatch(RULE)
    expect(await read(watch, { bytes: 10 * MEGABYTES, step: 32_000, everyMs: 1000, forMs: 600_000 })).toBe('kept')
  })

  it('keeps such a client if the kernel reports its progress in steps of 1.5 MB', async () => {
    const watch = createReadRateWatch(RULE)
    const reading = { bytes: 40 * MEGABYTES, step: 1.5 * MEGABYTES, everyMs: 47_000, forMs: 1_500_000 }
    expect(await read(watch, reading)).toBe('kept')
  })

  it('cuts a client that stops after it has read most of the response', async () => {
    const watch = createReadRateWatch(RULE)
    const watched: { reason?: CutReason } = {}
    const { addSent } = watch.watch(10 * MEGABYTES, 0, {
      isCurrent: () => true,
      cut: (reason) => {
        watched.reason = reason
      },
    })
    addSent(9 * MEGABYTES)
    await vi.advanceTimersByTimeAsync(62_000)
    expect(watched.reason).toBe('rate')
  })

  it('does not measure a response while an earlier response of its connection is being sent', async () => {
    const watch = createReadRateWatch(RULE)
    const isCurrent = () => false
    expect(await read(watch, { bytes: 10 * MEGABYTES, step: 0, everyMs: 1000, forMs: 300_000, isCurrent })).toBe('kept')
  })
})

describe('Deadline of a response', () => {
  it('is the time that the response takes at the minimum rate, plus the window', async () => {
    const watch = createReadRateWatch(RULE)
    const isCurrent = () => false
    const end = await read(watch, { bytes: 1.6 * MEGABYTES, step: 0, everyMs: 1000, forMs: 900_000, isCurrent })

    expect(end).toMatchObject({ reason: 'deadline' })
    expect(end === 'kept' ? 0 : Math.round(end.afterMs / 5000) * 5).toBe(160)
    expect(watch.cuts()).toEqual({ rate: 0, deadline: 1 })
  })
})

describe('Read rate after a pause of the process', () => {
  it('is measured from the end of the pause', async () => {
    let pausedMs = 0
    const watch = createReadRateWatch(RULE, () => performance.now() + pausedMs)
    const cut = vi.fn<(reason: CutReason) => void>()
    watch.watch(10 * MEGABYTES, 0, { isCurrent: () => true, cut })
    await vi.advanceTimersByTimeAsync(10_000)
    pausedMs = 300_000
    await vi.advanceTimersByTimeAsync(58_000)
    expect(cut).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(5000)
    expect(cut).toHaveBeenCalledWith('rate')
  })
})
