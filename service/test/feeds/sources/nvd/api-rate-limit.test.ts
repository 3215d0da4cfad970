import { describe, expect, it } from 'vitest'
import { FeedError } from '../../../../src/feeds/feed.ts'
import { behaviours } from '../../../support/network/upstream.ts'
import { addRecords, countBusiestHalfMinute, cveId, startNvdApi } from './api-upstream.ts'
import { collectDeliveries } from './fixtures.ts'

const all = (count: number) => Array.from({ length: count }, (_, index) => cveId(index))
/**
 * A feed cursor (time up to which changes are imported) so recent that a single short time window covers all later
 * changes.
 */
const RECENT_CURSOR = { files: {}, comparedAt: null, api: { until: '2026-08-22T19:00:00Z' } }

describe('NVD feed: API rate limit', () => {
  it('sends at most 5 requests in 30 seconds without an API key', async () => {
    const nvd = await startNvdApi({ pageLimit: 10 })
    addRecords(nvd, 120)

    const [delivery] = await nvd.run(RECENT_CURSOR)

    expect(delivery?.ids).toEqual(all(120))
    expect(nvd.requests).toHaveLength(12)
    expect(countBusiestHalfMinute(nvd.requests)).toBeLessThanOrEqual(5)
  })

  it('sends at most 50 requests in 30 seconds with an API key', async () => {
    const nvd = await startNvdApi({ pageLimit: 1, apiKey: 'test-key' })
    addRecords(nvd, 70)

    await nvd.run(RECENT_CURSOR)

    expect(nvd.requests).toHaveLength(70)
    expect(countBusiestHalfMinute(nvd.requests)).toBeLessThanOrEqual(50)
    expect(countBusiestHalfMinute(nvd.requests)).toBeGreaterThan(30)
  })

  it.each([403, 429, 503])('waits after a response with status %i and imports all records', async (status) => {
    const nvd = await startNvdApi({ pageLimit: 10 })
    addRecords(nvd, 60)
    nvd.onRequest((n) => ([2, 3, 7].includes(n) ? behaviours.throttles(status) : undefined))

    const [delivery] = await nvd.run(RECENT_CURSOR)

    expect(delivery?.ids).toEqual(all(60))
    expect(nvd.requests).toHaveLength(6 + 3)
    expect(countBusiestHalfMinute(nvd.requests)).toBeLessThanOrEqual(5)
  })

  it('tries smaller pages and then fails with an error message when NVD always returns 503', async () => {
    const nvd = await startNvdApi()
    nvd.onRequest(() => behaviours.throttles(503))

    const error = await nvd.run(RECENT_CURSOR).catch((thrown: unknown) => thrown)

    expect(error).toBeInstanceOf(FeedError)
    expect(error).toHaveProperty('message', expect.stringMatching(/503/))
    expect(new Set(nvd.requests.map(({ size }) => size))).toEqual(new Set([2000, 1000, 500, 250, 125]))
    expect(nvd.requests.length).toBeLessThanOrEqual(20)
    expect(countBusiestHalfMinute(nvd.requests)).toBeLessThanOrEqual(5)
  })

  it('does not retry after a response with status 404', async () => {
    const nvd = await startNvdApi({ apiKey: 'unknown-key' })
    nvd.onRequest(() => behaviours.answers(404))

    await expect(nvd.run()).rejects.toThrow(/404/)
    expect(nvd.requests).toHaveLength(1)
  })
})

describe('NVD feed: page size', () => {
  it('halves the page size while NVD is overloaded and doubles it again later', async () => {
    const nvd = await startNvdApi({ pageLimit: 100 })
    addRecords(nvd, 1000)
    let isOverloaded = true
    nvd.onRequest((_n, { size, startIndex }) => {
      if (startIndex >= 500) isOverloaded = false
      return isOverloaded && size > 500 ? behaviours.answers(524) : undefined
    })

    const [delivery] = await nvd.run(RECENT_CURSOR)

    expect(delivery?.ids).toEqual(all(1000))
    const sizes = nvd.requests.map(({ size }) => size)
    expect(sizes.slice(0, 9)).toEqual([2000, 2000, 2000, 2000, 1000, 1000, 1000, 1000, 500])
    expect(sizes.at(-1)).toBe(1000)
  })
})

describe('NVD feed: API key', () => {
  it('sends the API key in a header of each request and nowhere else', async () => {
    const nvd = await startNvdApi({ apiKey: 'very-secret-key', pageLimit: 2 })
    addRecords(nvd, 6)
    const context = await nvd.context(RECENT_CURSOR)

    const deliveries = await collectDeliveries(nvd.feed, context)

    expect(nvd.requests.map(({ key }) => key)).toEqual(['very-secret-key', 'very-secret-key', 'very-secret-key'])
    expect(JSON.stringify([nvd.requests.map(({ url }) => url), deliveries, context.notices])).not.toContain(
      'very-secret-key',
    )
  })

  it('does not include the API key in an error message', async () => {
    const nvd = await startNvdApi({ apiKey: 'very-secret-key' })
    nvd.onRequest(() => behaviours.answers(401))

    const error = await nvd.run(RECENT_CURSOR).catch((thrown: unknown) => thrown)

    expect(error).toBeInstanceOf(FeedError)
    expect(error instanceof Error ? `${error.stack} ${String(error.cause)}` : '').not.toContain('very-secret-key')
  })

  it('sends no API key when none is configured', async () => {
    const nvd = await startNvdApi()
    addRecords(nvd, 1)

    await nvd.run(RECENT_CURSOR)

    expect(nvd.requests.map(({ key }) => key)).toEqual([undefined])
  })
})
