import { readdir } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { windowsSince } from '../../../../src/feeds/sources/nvd/api-window.ts'
import { manners } from '../../../support/network/upstream.ts'
import { type Asked, cveId, fill, startNvdApi } from './api-upstream.ts'
import { NOW, nvdContainer, nvdRecord, told } from './fixtures.ts'

const DAY_MS = 24 * 3_600_000
const until = (instant: string) => ({ files: {}, comparedAt: null, api: { until: instant } })
const all = (count: number) => Array.from({ length: count }, (_, index) => cveId(index))

describe('the windows of time that are asked for', () => {
  it.each([0, 0.1, 1, 118, 119, 120, 121, 365, 3000])(
    'reach from a day before the last one, %d days ago, to now',
    (days) => {
      const last = new Date(NOW.getTime() - days * DAY_MS)

      const windows = windowsSince(last, NOW)

      expect(last.getTime() - (windows[0]?.from.getTime() ?? 0)).toBeGreaterThanOrEqual(DAY_MS)
      expect(NOW.getTime() - (windows.at(-1)?.until.getTime() ?? 0)).toBeLessThanOrEqual(10 * 60_000)
      for (const [index, window] of windows.entries()) {
        expect(window.until.getTime() - window.from.getTime()).toBeLessThanOrEqual(120 * DAY_MS)
        if (index > 0) expect(window.from).toEqual(windows[index - 1]?.until)
      }
    },
  )

  it('do not jump ahead when the clock was set back', () => {
    const windows = windowsSince(new Date(NOW.getTime() + 30 * DAY_MS), NOW)

    expect(windows).toHaveLength(1)
    expect(NOW.getTime() - (windows[0]?.from.getTime() ?? NOW.getTime())).toBeGreaterThanOrEqual(DAY_MS)
  })
})

describe('a run that follows another', () => {
  it('takes what was modified in each window as one delivery, and remembers where the window ended', async () => {
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
    for (const { window } of nvd.asked)
      expect((window?.until.getTime() ?? 0) - (window?.from.getTime() ?? 0)).toBeLessThanOrEqual(120 * DAY_MS)
  })

  it('does not move on when NVD says that nothing was modified, and mentions it', async () => {
    const nvd = await startNvdApi()
    const context = await nvd.context(until('2026-08-22T10:00:00Z'))

    expect(await told(nvd.feed, context)).toEqual([])
    expect(context.notices.join()).toMatch(/no record was modified from 2026-08-21T10:00:00Z/)
  })

  it('does not believe that nothing was modified for weeks', async () => {
    const nvd = await startNvdApi()

    await expect(nvd.run(until('2026-08-01T00:00:00Z'))).rejects.toThrow(/not believable/)
  })

  it('takes a window with very many records in halves, each of them whole', async () => {
    const nvd = await startNvdApi()
    nvd.modify('CVE-2026-0001', new Date('2026-08-22T01:00:00Z'))
    nvd.modify('CVE-2026-0002', new Date('2026-08-22T18:00:00Z'))
    const hours = ({ window }: Asked) => ((window?.until.getTime() ?? 0) - (window?.from.getTime() ?? 0)) / 3_600_000
    nvd.at((_n, asked) =>
      hours(asked) > 20
        ? manners.answers(200, nvdContainer([nvdRecord('CVE-2026-0001')], { totalResults: 360_000 }))
        : undefined,
    )

    const deliveries = await nvd.run(until('2026-08-22T10:55:00Z'))

    expect(nvd.asked.map(hours)).toEqual([33, 16.5, 16.5])
    expect(deliveries.map(({ ids, cursor }) => [...ids, cursor])).toEqual([
      ['CVE-2026-0001', until('2026-08-22T03:25:00Z')],
      ['CVE-2026-0002', until('2026-08-22T19:55:00Z')],
    ])
  })

  it('does not move over the half of which NVD says that nothing was modified in it', async () => {
    const nvd = await startNvdApi()
    nvd.modify('CVE-2026-0002', new Date('2026-08-22T18:00:00Z'))
    const hours = ({ window }: Asked) => ((window?.until.getTime() ?? 0) - (window?.from.getTime() ?? 0)) / 3_600_000
    nvd.at((_n, asked) =>
      hours(asked) > 20
        ? manners.answers(200, nvdContainer([nvdRecord('CVE-2026-0001')], { totalResults: 360_000 }))
        : undefined,
    )

    const deliveries = await nvd.run(until('2026-08-22T10:55:00Z'))

    expect(deliveries.map(({ ids, cursor }) => [...ids, cursor])).toEqual([
      ['CVE-2026-0002', until('2026-08-22T10:55:00Z')],
    ])
  })

  it('leaves no page behind, whether it was stored or read in vain', async () => {
    const nvd = await startNvdApi({ pageLimit: 2 })
    fill(nvd, 6)
    nvd.at((n) => (n === 2 ? nvd.modify(cveId(1)) : undefined))
    const context = await nvd.context(until('2026-08-22T10:00:00Z'))

    await told(nvd.feed, context)

    expect(await readdir(context.spool)).toEqual([])
  })
})

describe('pages that shift while they are read', () => {
  const RECENTLY = until('2026-08-22T10:00:00Z')

  it('are read again, so that nothing slips through', async () => {
    const nvd = await startNvdApi({ pageLimit: 10 })
    fill(nvd, 50)
    // Once the first two pages are read, one of their records is modified: the others move up, and one is skipped.
    nvd.at((n) => (n === 3 ? nvd.modify(cveId(4)) : undefined))

    const [delivery] = await nvd.run(RECENTLY)

    expect(delivery?.ids).toEqual(all(50).filter((id) => id !== cveId(4)))
    // Three pages in vain, then the five of the 49 records that are left in the window.
    expect(nvd.asked.map(({ startIndex }) => startIndex)).toEqual([0, 10, 20, 0, 10, 20, 30, 40])
    nvd.clock.advance({ hours: 2 })
    expect((await nvd.run(delivery?.cursor))[0]?.ids).toContain(cveId(4))
  })

  it('that never settle are a fault, and nothing is stored', async () => {
    const nvd = await startNvdApi({ pageLimit: 10 })
    fill(nvd, 50)
    nvd.at((n) => (n % 2 === 0 ? nvd.modify(cveId(n)) : undefined))

    await expect(nvd.run(RECENTLY)).rejects.toThrow(/do not add up.*4 times/)
    expect(nvd.asked).toHaveLength(8)
  })

  it.each<[string, string]>([
    ['begin elsewhere than asked', nvdContainer([nvdRecord('CVE-2026-0001')], { startIndex: 10, totalResults: 2 })],
    ['end too early', nvdContainer([], { startIndex: 0, totalResults: 2 })],
    [
      'have more than there is',
      nvdContainer([nvdRecord('CVE-2026-0001'), nvdRecord('CVE-2026-0002')], { totalResults: 1 }),
    ],
  ])('are a fault when they %s', async (_case, page) => {
    const nvd = await startNvdApi()
    nvd.at(() => manners.answers(200, page))

    await expect(nvd.run(RECENTLY)).rejects.toThrow(/do not add up/)
    expect(nvd.asked).toHaveLength(4)
  })

  it.each<[string, string, RegExp]>([
    ['cut off', nvdContainer([nvdRecord('CVE-2026-0001')]).slice(0, -9), /page from record 0 on.*cut off/],
    ['a message', '{"message":"Invalid parameter"}', /page from record 0 on.*"vulnerabilities"/],
    ['of another version', nvdContainer([], { version: '3.0' }), /page from record 0 on.*version 2\.0/],
    ['without a total', nvdContainer([], { totalResults: 'many' }), /page from record 0 on.*"totalResults".*"many"/],
  ])('are a fault when one is %s', async (_case, page, complaint) => {
    const nvd = await startNvdApi()
    nvd.at(() => manners.answers(200, page))

    await expect(nvd.run(RECENTLY)).rejects.toThrow(complaint)
  })
})
