import { readdir } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { planWindows } from '../../../../src/feeds/sources/nvd/api-window.ts'
import { behaviours } from '../../../support/network/upstream.ts'
import { type ApiRequest, addRecords, cveId, startNvdApi } from './api-upstream.ts'
import { collectDeliveries, NOW, nvdContainer, nvdRecord } from './fixtures.ts'

const DAY_MS = 24 * 3_600_000
const until = (instant: string) => ({ files: {}, comparedAt: null, api: { until: instant } })
const all = (count: number) => Array.from({ length: count }, (_, index) => cveId(index))

describe('NVD feed: planning time windows', () => {
  it.each([0, 0.1, 1, 118, 119, 120, 121, 365, 3000])(
    'plans windows from one day before the end of the last window, %d days ago, to the current time',
    (days) => {
      const last = new Date(NOW.getTime() - days * DAY_MS)

      const windows = planWindows(last, NOW)

      expect(last.getTime() - (windows[0]?.from.getTime() ?? 0)).toBeGreaterThanOrEqual(DAY_MS)
      expect(NOW.getTime() - (windows.at(-1)?.until.getTime() ?? 0)).toBeLessThanOrEqual(10 * 60_000)
      for (const [index, window] of windows.entries()) {
        expect(window.until.getTime() - window.from.getTime()).toBeLessThanOrEqual(120 * DAY_MS)
        if (index > 0) expect(window.from).toEqual(windows[index - 1]?.until)
      }
    },
  )

  it('starts one day before the current time when the last window ended in the future', () => {
    const windows = planWindows(new Date(NOW.getTime() + 30 * DAY_MS), NOW)

    expect(windows).toHaveLength(1)
    expect(NOW.getTime() - (windows[0]?.from.getTime() ?? NOW.getTime())).toBeGreaterThanOrEqual(DAY_MS)
  })
})

describe('NVD feed: importing time windows', () => {
  it('imports each time window as one delivery whose cursor is the end of the window', async () => {
    const nvd = await startNvdApi({ pageLimit: 2 })
    nvd.modify('CVE-2026-0001', new Date('2026-02-01T00:00:00Z'))
    for (const id of ['CVE-2026-0002', 'CVE-2026-0003', 'CVE-2026-0004'])
      nvd.modify(id, new Date('2026-06-01T00:00:00Z'))
    nvd.modify('CVE-2025-0001', new Date('2025-06-01T00:00:00Z'))

    const deliveries = await nvd.run(until('2026-01-15T00:00:00Z'))

    expect(deliveries.map(({ kind, ids }) => [kind, ...ids])).toEqual([
      ['delta', 'CVE-2026-0001'],
      ['delta', 'CVE-2026-0002', 'CVE-2026-0003', 'CVE-2026-0004'],
    ])
    expect(deliveries.map(({ cursor }) => cursor)).toEqual([
      until('2026-05-13T00:00:00Z'),
      until('2026-08-22T19:55:00Z'),
    ])
    expect(deliveries[1]?.label).toBe('modified from 2026-05-13T00:00:00Z to 2026-08-22T19:55:00Z')
    for (const { window } of nvd.requests)
      expect((window?.until.getTime() ?? 0) - (window?.from.getTime() ?? 0)).toBeLessThanOrEqual(120 * DAY_MS)
  })

  it('keeps the cursor and reports a notice when NVD lists no modified record', async () => {
    const nvd = await startNvdApi()
    const context = await nvd.context(until('2026-08-22T10:00:00Z'))

    expect(await collectDeliveries(nvd.feed, context)).toEqual([])
    expect(context.notices.join()).toMatch(/lists no record modified from 2026-08-21T10:00:00Z/)
  })

  it('fails when NVD lists no modified record for three weeks', async () => {
    const nvd = await startNvdApi()

    await expect(nvd.run(until('2026-08-01T00:00:00Z'))).rejects.toThrow(/implausible/)
  })

  it('splits a time window with more than 40,000 records into two halves', async () => {
    const nvd = await startNvdApi()
    nvd.modify('CVE-2026-0001', new Date('2026-08-22T01:00:00Z'))
    nvd.modify('CVE-2026-0002', new Date('2026-08-22T18:00:00Z'))
    const hours = ({ window }: ApiRequest) =>
      ((window?.until.getTime() ?? 0) - (window?.from.getTime() ?? 0)) / 3_600_000
    nvd.onRequest((_n, request) =>
      hours(request) > 20
        ? behaviours.answers(200, nvdContainer([nvdRecord('CVE-2026-0001')], { totalResults: 360_000 }))
        : undefined,
    )

    const deliveries = await nvd.run(until('2026-08-22T10:55:00Z'))

    expect(nvd.requests.map(hours)).toEqual([33, 16.5, 16.5])
    expect(deliveries.map(({ ids, cursor }) => [...ids, cursor])).toEqual([
      ['CVE-2026-0001', until('2026-08-22T03:25:00Z')],
      ['CVE-2026-0002', until('2026-08-22T19:55:00Z')],
    ])
  })

  it('does not move the cursor past an empty half of a time window', async () => {
    const nvd = await startNvdApi()
    nvd.modify('CVE-2026-0002', new Date('2026-08-22T18:00:00Z'))
    const hours = ({ window }: ApiRequest) =>
      ((window?.until.getTime() ?? 0) - (window?.from.getTime() ?? 0)) / 3_600_000
    nvd.onRequest((_n, request) =>
      hours(request) > 20
        ? behaviours.answers(200, nvdContainer([nvdRecord('CVE-2026-0001')], { totalResults: 360_000 }))
        : undefined,
    )

    const deliveries = await nvd.run(until('2026-08-22T10:55:00Z'))

    expect(deliveries.map(({ ids, cursor }) => [...ids, cursor])).toEqual([
      ['CVE-2026-0002', until('2026-08-22T10:55:00Z')],
    ])
  })

  it('deletes all downloaded API pages from disk, including the pages of a repeated attempt', async () => {
    const nvd = await startNvdApi({ pageLimit: 2 })
    addRecords(nvd, 6)
    nvd.onRequest((n) => (n === 2 ? nvd.modify(cveId(1)) : undefined))
    const context = await nvd.context(until('2026-08-22T10:00:00Z'))

    await collectDeliveries(nvd.feed, context)

    expect(await readdir(context.spool)).toEqual([])
  })
})

describe('NVD feed: inconsistent API pages', () => {
  const RECENT_CURSOR = until('2026-08-22T10:00:00Z')

  it('fetches all pages again when records moved to other pages, so that no record is skipped', async () => {
    const nvd = await startNvdApi({ pageLimit: 10 })
    addRecords(nvd, 50)
    // After the feed has read two pages, a record of the first page is modified and moves away. All following records
    // move up by one, so the third page would lack one record.
    nvd.onRequest((n) => (n === 3 ? nvd.modify(cveId(4)) : undefined))

    const [delivery] = await nvd.run(RECENT_CURSOR)

    expect(delivery?.ids).toEqual(all(50).filter((id) => id !== cveId(4)))
    // The feed discards the three pages that it has read, and then requests five pages with the 49 records that are
    // left in the time window.
    expect(nvd.requests.map(({ startIndex }) => startIndex)).toEqual([0, 10, 20, 0, 10, 20, 30, 40])
    nvd.clock.advance({ hours: 2 })
    expect((await nvd.run(delivery?.cursor))[0]?.ids).toContain(cveId(4))
  })

  it('fails after four attempts when records move to other pages in every attempt', async () => {
    const nvd = await startNvdApi({ pageLimit: 10 })
    addRecords(nvd, 50)
    nvd.onRequest((n) => (n % 2 === 0 ? nvd.modify(cveId(n)) : undefined))

    await expect(nvd.run(RECENT_CURSOR)).rejects.toThrow(/are inconsistent.*4 times/)
    expect(nvd.requests).toHaveLength(8)
  })

  it.each<[string, string]>([
    [
      'starts at a different record than requested',
      nvdContainer([nvdRecord('CVE-2026-0001')], { startIndex: 10, totalResults: 2 }),
    ],
    ['ends too early', nvdContainer([], { startIndex: 0, totalResults: 2 })],
    [
      'has more records than its total',
      nvdContainer([nvdRecord('CVE-2026-0001'), nvdRecord('CVE-2026-0002')], { totalResults: 1 }),
    ],
  ])('fails when an API page %s', async (_, page) => {
    const nvd = await startNvdApi()
    nvd.onRequest(() => behaviours.answers(200, page))

    await expect(nvd.run(RECENT_CURSOR)).rejects.toThrow(/are inconsistent/)
    expect(nvd.requests).toHaveLength(4)
  })

  it.each<[string, string, RegExp]>([
    ['truncated', nvdContainer([nvdRecord('CVE-2026-0001')]).slice(0, -9), /page that starts at index 0.*truncated/],
    ['an error message', '{"message":"Invalid parameter"}', /page that starts at index 0.*"vulnerabilities"/],
    ['in another format version', nvdContainer([], { version: '3.0' }), /page that starts at index 0.*version 2\.0/],
    [
      'without a total number of records',
      nvdContainer([], { totalResults: 'many' }),
      /page that starts at index 0.*"totalResults".*"many"/,
    ],
  ])('fails when an API page is %s', async (_, page, message) => {
    const nvd = await startNvdApi()
    nvd.onRequest(() => behaviours.answers(200, page))

    await expect(nvd.run(RECENT_CURSOR)).rejects.toThrow(message)
  })
})
