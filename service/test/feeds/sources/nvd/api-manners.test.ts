import { describe, expect, it } from 'vitest'
import { FeedError } from '../../../../src/feeds/feed.ts'
import { manners } from '../../../support/network/upstream.ts'
import { busiestHalfMinute, cveId, fill, startNvdApi } from './api-upstream.ts'
import { told } from './fixtures.ts'

const all = (count: number) => Array.from({ length: count }, (_, index) => cveId(index))
/** A place from which one short window leads to now. */
const LATELY = { files: {}, comparedAt: null, api: { until: '2026-08-22T19:00:00Z' } }

describe("NVD's API is asked at its own pace", () => {
  it('at most 5 times in half a minute without a key', async () => {
    const nvd = await startNvdApi({ pageLimit: 10 })
    fill(nvd, 120)

    const [delivery] = await nvd.run(LATELY)

    expect(delivery?.ids).toEqual(all(120))
    expect(nvd.asked).toHaveLength(12)
    expect(busiestHalfMinute(nvd.asked)).toBeLessThanOrEqual(5)
  })

  it('at most 50 times in half a minute with one', async () => {
    const nvd = await startNvdApi({ pageLimit: 1, apiKey: 'test-key' })
    fill(nvd, 70)

    await nvd.run(LATELY)

    expect(nvd.asked).toHaveLength(70)
    expect(busiestHalfMinute(nvd.asked)).toBeLessThanOrEqual(50)
    expect(busiestHalfMinute(nvd.asked)).toBeGreaterThan(30)
  })

  it.each([403, 429, 503])('and waits when it answers %i, without losing anything', async (status) => {
    const nvd = await startNvdApi({ pageLimit: 10 })
    fill(nvd, 60)
    nvd.at((n) => ([2, 3, 7].includes(n) ? manners.throttles(status) : undefined))

    const [delivery] = await nvd.run(LATELY)

    expect(delivery?.ids).toEqual(all(60))
    expect(nvd.asked).toHaveLength(6 + 3)
    expect(busiestHalfMinute(nvd.asked)).toBeLessThanOrEqual(5)
  })

  it('even if every single page is turned away once', async () => {
    const nvd = await startNvdApi({ pageLimit: 10 })
    fill(nvd, 100)
    nvd.at((n) => (n % 2 === 1 ? manners.throttles(403) : undefined))

    const [delivery] = await nvd.run(LATELY)

    expect(delivery?.ids).toEqual(all(100))
    expect(nvd.asked).toHaveLength(20)
    expect(busiestHalfMinute(nvd.asked)).toBeLessThanOrEqual(5)
  })

  it('and gives up, in words, when it never answers', async () => {
    const nvd = await startNvdApi()
    nvd.at(() => manners.throttles(503))

    const failure = await nvd.run(LATELY).catch((error: unknown) => error)

    expect(failure).toBeInstanceOf(FeedError)
    expect(failure).toHaveProperty('message', expect.stringMatching(/503/))
    expect(new Set(nvd.asked.map(({ size }) => size))).toEqual(new Set([2000, 1000, 500, 250, 125]))
    expect(nvd.asked.length).toBeLessThanOrEqual(20)
    expect(busiestHalfMinute(nvd.asked)).toBeLessThanOrEqual(5)
  })

  it('and asks no second time when it refuses', async () => {
    const nvd = await startNvdApi({ apiKey: 'unknown-key' })
    nvd.at(() => manners.answers(404))

    await expect(nvd.run()).rejects.toThrow(/404/)
    expect(nvd.asked).toHaveLength(1)
  })
})

describe('an overloaded API', () => {
  it('is asked for half as much, and later for more again', async () => {
    const nvd = await startNvdApi({ pageLimit: 100 })
    fill(nvd, 1000)
    let isOverloaded = true
    nvd.at((_n, { size, startIndex }) => {
      if (startIndex >= 500) isOverloaded = false
      return isOverloaded && size > 500 ? manners.answers(524) : undefined
    })

    const [delivery] = await nvd.run(LATELY)

    expect(delivery?.ids).toEqual(all(1000))
    const sizes = nvd.asked.map(({ size }) => size)
    expect(sizes.slice(0, 9)).toEqual([2000, 2000, 2000, 2000, 1000, 1000, 1000, 1000, 500])
    expect(sizes.at(-1)).toBe(1000)
  })

  it('is never asked for more than it gives', async () => {
    const nvd = await startNvdApi({ pageLimit: 1 })
    fill(nvd, 12)

    await nvd.run(LATELY)

    expect(Math.max(...nvd.asked.map(({ size }) => size))).toBe(2000)
  })
})

describe('the key', () => {
  it('is sent in the header of each request, and nowhere else', async () => {
    const nvd = await startNvdApi({ apiKey: 'very-secret-key', pageLimit: 2 })
    fill(nvd, 6)
    const context = await nvd.context(LATELY)

    const deliveries = await told(nvd.feed, context)

    expect(nvd.asked.map(({ key }) => key)).toEqual(['very-secret-key', 'very-secret-key', 'very-secret-key'])
    expect(JSON.stringify([nvd.asked.map(({ url }) => url), deliveries, context.notices])).not.toContain(
      'very-secret-key',
    )
  })

  it('is not repeated when something goes wrong', async () => {
    const nvd = await startNvdApi({ apiKey: 'very-secret-key' })
    nvd.at(() => manners.answers(401))

    const failure = await nvd.run(LATELY).catch((error: unknown) => error)

    expect(failure).toBeInstanceOf(FeedError)
    expect(failure instanceof Error ? `${failure.stack} ${String(failure.cause)}` : '').not.toContain('very-secret-key')
  })

  it('is not needed', async () => {
    const nvd = await startNvdApi()
    fill(nvd, 1)

    await nvd.run(LATELY)

    expect(nvd.asked.map(({ key }) => key)).toEqual([undefined])
  })
})
