import { describe, expect, it } from 'vitest'
import { manners } from '../../../support/network/upstream.ts'
import { cveId, fill, startNvdApi } from './api-upstream.ts'
import { nvdContainer, nvdRecord, type Told } from './fixtures.ts'

const all = (count: number) => Array.from({ length: count }, (_, index) => cveId(index))
const place = ({ cursor }: Told) => Object(cursor).api

describe("the first load through NVD's API", () => {
  it('takes everything, ten pages at a time', async () => {
    const nvd = await startNvdApi({ pageLimit: 2 })
    fill(nvd, 90)

    const deliveries = await nvd.run()

    expect(deliveries.map(({ kind, label }) => [kind, label])).toEqual([
      ['delta', 'records 1 to 20 of 90'],
      ['delta', 'records 21 to 40 of 90'],
      ['delta', 'records 41 to 60 of 90'],
      ['delta', 'records 61 to 80 of 90'],
      ['delta', 'records 81 to 90 of 90'],
    ])
    expect(deliveries.flatMap(({ ids }) => ids)).toEqual(all(90))
    expect(nvd.asked.filter(({ window }) => window)).toEqual([])
  })

  it('counts only when it is complete, and is followed by windows that begin where it began', async () => {
    const nvd = await startNvdApi({ pageLimit: 2 })
    fill(nvd, 50)

    const deliveries = await nvd.run()

    expect(deliveries.map(place)).toEqual([null, null, { until: '2026-08-22T20:00:00Z' }])
    nvd.asked.length = 0
    nvd.clock.advance({ days: 3 })
    await nvd.run(deliveries[2]?.cursor)
    expect(nvd.asked[0]?.window?.from).toEqual(new Date('2026-08-21T20:00:00Z'))
  })

  it('begins anew when a run died', async () => {
    const nvd = await startNvdApi({ pageLimit: 2 })
    fill(nvd, 90)
    const [first] = await nvd.run()
    nvd.asked.length = 0

    await nvd.run(first?.cursor)

    expect(nvd.asked).toHaveLength(45)
    expect(nvd.asked[0]?.startIndex).toBe(0)
  })

  it('reads what comes in meanwhile', async () => {
    const nvd = await startNvdApi({ pageLimit: 2 })
    fill(nvd, 60)
    nvd.at((n) => (n === 7 ? nvd.modify('CVE-2026-0007') : undefined))

    const deliveries = await nvd.run()

    expect(deliveries.flatMap(({ ids }) => ids)).toEqual([...all(60), 'CVE-2026-0007'])
    expect(deliveries.map(place).at(-1)).toEqual({ until: '2026-08-22T20:00:00Z' })
  })

  it('is a fault when a record moved and another one was skipped for it, though the number is right', async () => {
    const nvd = await startNvdApi({ pageLimit: 2 })
    fill(nvd, 60)
    nvd.at((n) => (n === 7 ? nvd.modify(cveId(3)) : undefined))

    await expect(nvd.run()).rejects.toThrow(/1 of its 60 records twice/)
  })

  it('is a fault when records vanish meanwhile', async () => {
    const nvd = await startNvdApi({ pageLimit: 2 })
    fill(nvd, 60)
    nvd.at((n) => (n === 7 ? nvd.remove(cveId(3)) : undefined))

    await expect(nvd.run()).rejects.toThrow(/had 60 records and now has 59/)
    expect(nvd.asked).toHaveLength(7)
  })

  it('is a fault when there is nothing at all', async () => {
    const nvd = await startNvdApi()

    await expect(nvd.run()).rejects.toThrow(/no record at all/)
  })

  it.each<[string, string, RegExp]>([
    [
      'from elsewhere',
      nvdContainer([nvdRecord('CVE-2026-0001')], { startIndex: 5, totalResults: 9 }),
      /from 0 on, and gave those from 5 on/,
    ],
    ['without a record', nvdContainer([], { totalResults: 9 }), /has 9 records, and gives 0 from 0 on/],
    [
      'with too many',
      nvdContainer([nvdRecord('CVE-2026-0001'), nvdRecord('CVE-2026-0002')], { totalResults: 1 }),
      /has 1 records, and gives 2/,
    ],
  ])('is a fault when a page comes %s', async (_case, page, complaint) => {
    const nvd = await startNvdApi()
    nvd.at(() => manners.answers(200, page))

    await expect(nvd.run()).rejects.toThrow(complaint)
  })

  it('keeps records that cannot be used out, and still adds up', async () => {
    const nvd = await startNvdApi()
    const records = [nvdRecord('CVE-2026-0001'), { cve: 'torn' }, { cve: 'torn as well' }]
    nvd.at(() => manners.answers(200, nvdContainer(records)))

    expect(await nvd.run()).toMatchObject([{ ids: ['CVE-2026-0001'], rejected: [{}, {}] }])
  })

  it('is not needed by whoever has all the files', async () => {
    const nvd = await startNvdApi()
    fill(nvd, 3)
    const files = {
      2002: { sha256: 'A', at: '2026-01-01T00:00:00Z' },
      modified: { sha256: 'B', at: '2026-08-22T12:00:00Z' },
    }

    const [delivery] = await nvd.run({ files, comparedAt: '2026-08-20T00:00:00Z', api: null })

    expect(nvd.asked[0]?.window?.from).toEqual(new Date('2026-08-21T12:00:00Z'))
    expect(delivery?.cursor).toEqual({
      files,
      comparedAt: '2026-08-20T00:00:00Z',
      api: { until: '2026-08-22T19:55:00Z' },
    })
    nvd.asked.length = 0
    await nvd.run({ files, comparedAt: null, api: null })
    expect(nvd.asked[0]?.window).toBeUndefined()
  })
})
