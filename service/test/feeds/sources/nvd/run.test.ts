import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { nvdFeed } from '../../../../src/feeds/sources/nvd/feed.ts'
import { startUpstream } from '../../../support/network/upstream.ts'
import { createFeedHarness } from '../../feed-harness.ts'
import { directoryFeed, fakeTimeDownload, nvdContainer, nvdMeta, nvdRecord, temporaryFolder } from './fixtures.ts'

const id = (index: number) => `CVE-2003-${String(1000 + index)}`
const records = (count: number, changes: Readonly<Record<string, unknown>> = {}) =>
  Array.from({ length: count }, (_, index) => nvdRecord(id(index), changes))
const year = (list: readonly unknown[]) => ({ 'nvdcve-2.0-2003.json.gz': gzipSync(nvdContainer(list)) })
const count = 'select count(*)::int as count from source.source_record'

describe('NVD feed: runs from a directory', () => {
  it('refuses a year file that lacks most stored records, and removes no record when one record is missing', async () => {
    const { run, selectRows } = await createFeedHarness()
    await run(directoryFeed, { from: await temporaryFolder(year(records(60))) })

    const nearlyEmpty = await run(directoryFeed, { from: await temporaryFolder(year(records(2))) })
    const oneMissing = await run(directoryFeed, { from: await temporaryFolder(year(records(59))) })

    expect(nearlyEmpty).toMatchObject({
      outcome: 'refused',
      error: expect.stringMatching(/lacks 58 of the 60 stored records/),
    })
    expect(oneMissing).toMatchObject({ outcome: 'succeeded', removed: 0 })
    expect(await selectRows(count)).toEqual([{ count: 60 }])
  })
})

describe('NVD feed: runs from the network', () => {
  it('continues in the next run with the file that failed', async () => {
    const { run, selectRows } = await createFeedHarness()
    const upstream = await startUpstream()
    const publish = (key: string, json: string) => {
      upstream.serve(`/nvdcve-2.0-${key}.json.gz`, gzipSync(json))
      upstream.serve(`/nvdcve-2.0-${key}.meta`, nvdMeta(json))
    }
    for (let each = 2002; each <= 2026; each += 1) publish(String(each), nvdContainer([nvdRecord(`CVE-${each}-1000`)]))
    publish('modified', nvdContainer([nvdRecord('CVE-2026-2000')]))
    const [complete, incomplete] = [
      nvdContainer([nvdRecord('CVE-2010-1000')]),
      nvdContainer([nvdRecord('CVE-2010-1000')], { totalResults: 2 }),
    ]
    publish('2010', incomplete)
    const feed = nvdFeed({ route: 'feeds', feedsUrl: upstream.url, apiUrl: '', apiKey: null })
    const { download } = fakeTimeDownload(upstream.host)
    const openDownload = () => download

    const first = await run(feed, { openDownload })
    expect(first).toMatchObject({
      outcome: 'failed',
      written: 8,
      error: expect.stringMatching(/2010.*announces 2 records and has 1/),
    })
    publish('2010', complete)
    const before = upstream.requests().length
    const second = await run(feed, { openDownload })

    expect(second).toMatchObject({ outcome: 'succeeded', written: 18 })
    expect(await selectRows(count)).toEqual([{ count: 26 }])
    const requested = upstream
      .requests()
      .slice(before)
      .map(({ path }) => path)
    expect(requested.filter((path) => path.endsWith('.json.gz'))).toHaveLength(18)
    expect(await run(feed, { openDownload })).toMatchObject({ outcome: 'succeeded', read: 0, written: 0 })
  })
})
