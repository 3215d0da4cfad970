import { describe, expect, it } from 'vitest'
import { behaviours } from '../../../support/network/upstream.ts'
import { addRecords, cveId, startNvdApi } from './api-upstream.ts'
import { type CollectedDelivery, nvdContainer, nvdRecord } from './fixtures.ts'

const all = (count: number) => Array.from({ length: count }, (_, index) => cveId(index))
const readApiPosition = ({ cursor }: CollectedDelivery) => Object(cursor).api

describe('NVD feed: first load through the API', () => {
  it('imports all records in deliveries of ten pages', async () => {
    const nvd = await startNvdApi({ pageLimit: 2 })
    addRecords(nvd, 90)

    const deliveries = await nvd.run()

    expect(deliveries.map(({ kind, label }) => [kind, label])).toEqual([
      ['delta', 'records 1 to 20 of 90'],
      ['delta', 'records 21 to 40 of 90'],
      ['delta', 'records 41 to 60 of 90'],
      ['delta', 'records 61 to 80 of 90'],
      ['delta', 'records 81 to 90 of 90'],
    ])
    expect(deliveries.flatMap(({ ids }) => ids)).toEqual(all(90))
    expect(nvd.requests.filter(({ window }) => window)).toEqual([])
  })

  it('stores the start time of the load as the API cursor, but only with the last delivery', async () => {
    const nvd = await startNvdApi({ pageLimit: 2 })
    addRecords(nvd, 50)

    const deliveries = await nvd.run()

    expect(deliveries.map(readApiPosition)).toEqual([null, null, { until: '2026-08-22T20:00:00Z' }])
    nvd.requests.length = 0
    nvd.clock.advance({ days: 3 })
    await nvd.run(deliveries[2]?.cursor)
    expect(nvd.requests[0]?.window?.from).toEqual(new Date('2026-08-21T20:00:00Z'))
  })

  it('starts again from the first page after an interrupted run', async () => {
    const nvd = await startNvdApi({ pageLimit: 2 })
    addRecords(nvd, 90)
    const [first] = await nvd.run()
    nvd.requests.length = 0

    await nvd.run(first?.cursor)

    expect(nvd.requests).toHaveLength(45)
    expect(nvd.requests[0]?.startIndex).toBe(0)
  })

  it('imports records that NVD adds during the load', async () => {
    const nvd = await startNvdApi({ pageLimit: 2 })
    addRecords(nvd, 60)
    nvd.onRequest((n) => (n === 7 ? nvd.modify('CVE-2026-0007') : undefined))

    const deliveries = await nvd.run()

    expect(deliveries.flatMap(({ ids }) => ids)).toEqual([...all(60), 'CVE-2026-0007'])
    expect(deliveries.map(readApiPosition).at(-1)).toEqual({ until: '2026-08-22T20:00:00Z' })
  })

  it('fails when a record appears twice, because another record must have been skipped', async () => {
    const nvd = await startNvdApi({ pageLimit: 2 })
    addRecords(nvd, 60)
    nvd.onRequest((n) => (n === 7 ? nvd.modify(cveId(3)) : undefined))

    await expect(nvd.run()).rejects.toThrow(/1 of its 60 records twice/)
  })

  it('fails when the total number of records falls during the load', async () => {
    const nvd = await startNvdApi({ pageLimit: 2 })
    addRecords(nvd, 60)
    nvd.onRequest((n) => (n === 7 ? nvd.remove(cveId(3)) : undefined))

    await expect(nvd.run()).rejects.toThrow(/fell from 60 to 59 records/)
    expect(nvd.requests).toHaveLength(7)
  })

  it('fails when NVD reports no records', async () => {
    const nvd = await startNvdApi()

    await expect(nvd.run()).rejects.toThrow(/a total of 0 records/)
  })

  it.each<[string, string, RegExp]>([
    [
      'starts at a different index than requested',
      nvdContainer([nvdRecord('CVE-2026-0001')], { startIndex: 5, totalResults: 9 }),
      /from index 5 instead of 0/,
    ],
    ['has no records', nvdContainer([], { totalResults: 9 }), /reports 9 records but returned 0 from index 0/],
    [
      'has more records than its total',
      nvdContainer([nvdRecord('CVE-2026-0001'), nvdRecord('CVE-2026-0002')], { totalResults: 1 }),
      /reports 1 records but returned 2/,
    ],
  ])('fails when an API page %s', async (_, page, message) => {
    const nvd = await startNvdApi()
    nvd.onRequest(() => behaviours.answers(200, page))

    await expect(nvd.run()).rejects.toThrow(message)
  })

  it('skips the first load through the API when all NVD files were imported before', async () => {
    const nvd = await startNvdApi()
    addRecords(nvd, 3)
    const files = {
      2002: { sha256: 'A', at: '2026-01-01T00:00:00Z' },
      modified: { sha256: 'B', at: '2026-08-22T12:00:00Z' },
    }

    const [delivery] = await nvd.run({ files, comparedAt: '2026-08-20T00:00:00Z', api: null })

    expect(nvd.requests[0]?.window?.from).toEqual(new Date('2026-08-21T12:00:00Z'))
    expect(delivery?.cursor).toEqual({
      files,
      comparedAt: '2026-08-20T00:00:00Z',
      api: { until: '2026-08-22T19:55:00Z' },
    })
    nvd.requests.length = 0
    await nvd.run({ files, comparedAt: null, api: null })
    expect(nvd.requests[0]?.window).toBeUndefined()
  })
})
