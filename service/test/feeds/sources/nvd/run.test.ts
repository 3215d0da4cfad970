import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { nvdFeed } from '../../../../src/feeds/sources/nvd/feed.ts'
import { startUpstream } from '../../../support/network/upstream.ts'
import { testMachine } from '../../feed-harness.ts'
import {
  nvdContainer,
  nvdFromDirectory,
  nvdMeta,
  nvdRecord,
  patientDownload,
  rating,
  temporaryFolder,
} from './fixtures.ts'

const id = (index: number) => `CVE-2003-${String(1000 + index)}`
const records = (count: number, changes: Readonly<Record<string, unknown>> = {}) =>
  Array.from({ length: count }, (_, index) => nvdRecord(id(index), changes))
const year = (list: readonly unknown[]) => ({ 'nvdcve-2.0-2003.json.gz': gzipSync(nvdContainer(list)) })

const stored =
  "select cve_id, modified, record::jsonb ->> 'vulnStatus' as status from source.source_record where source = 'nvd' order by cve_id"
const rejections = 'select delivery, subject, reason from source.feed_rejection order by id'
const count = 'select count(*)::int as count from source.source_record'

describe('a run of NVD from a directory', () => {
  it('stores what the file says, and nothing the second time', async () => {
    const { run, look, clock } = await testMachine()
    clock.advance({ hours: 20 })
    const from = await temporaryFolder(year(records(2)))

    expect(await run(nvdFromDirectory, { from })).toMatchObject({
      outcome: 'succeeded',
      read: 2,
      written: 2,
      rejected: 0,
    })
    expect(await run(nvdFromDirectory, { from })).toMatchObject({
      outcome: 'succeeded',
      read: 2,
      written: 0,
      unchanged: 2,
    })

    expect(await look(stored)).toEqual([
      { cve_id: 'CVE-2003-1000', modified: new Date('2026-08-20T09:30:00Z'), status: 'Analyzed' },
      { cve_id: 'CVE-2003-1001', modified: new Date('2026-08-20T09:30:00Z'), status: 'Analyzed' },
    ])
    expect(await look("select upstream_at from source.feed where name = 'nvd'")).toEqual([
      { upstream_at: new Date('2026-08-22T14:00:00Z') },
    ])
  })

  it('keeps the good records of a file that has a few bad ones, and names the bad ones', async () => {
    const { run, look } = await testMachine()
    const bad = [nvdRecord('CVE-2003-9001', { metrics: { cvssMetricV31: [rating(11)] } }), nvdRecord('CVE-2009-0001')]

    const report = await run(nvdFromDirectory, { from: await temporaryFolder(year([...records(20), ...bad])) })

    expect(report).toMatchObject({ outcome: 'succeeded', read: 22, written: 20, rejected: 2 })
    expect(await look(rejections)).toEqual([
      { delivery: 'nvdcve-2.0-2003.json.gz', subject: 'CVE-2003-9001', reason: expect.stringContaining('baseScore') },
      {
        delivery: 'nvdcve-2.0-2003.json.gz',
        subject: 'CVE-2009-0001',
        reason: expect.stringContaining('another year'),
      },
    ])
  })

  it('stores nothing of a file that is bad as a whole, and keeps what there was', async () => {
    const { run, look } = await testMachine()
    await run(nvdFromDirectory, { from: await temporaryFolder(year(records(20))) })

    const bad = await run(nvdFromDirectory, { from: await temporaryFolder(year(records(20, { published: 'never' }))) })
    const torn = await temporaryFolder(year(records(20, { vulnStatus: 'Modified' })))
    const path = join(torn, 'nvdcve-2.0-2003.json.gz')
    await writeFile(path, (await readFile(path)).subarray(0, -40))

    expect(bad).toMatchObject({
      outcome: 'refused',
      fault: expect.stringMatching(/20 of its 20 records cannot be used/),
    })
    expect(await run(nvdFromDirectory, { from: torn })).toMatchObject({
      outcome: 'failed',
      fault: expect.stringContaining('nvdcve-2.0-2003.json.gz'),
    })
    expect(new Set((await look<{ status: string }>(stored)).map(({ status }) => status))).toEqual(new Set(['Analyzed']))
  })

  it('refuses a year that has lost its records, and removes none when it has lost one', async () => {
    const { run, look } = await testMachine()
    await run(nvdFromDirectory, { from: await temporaryFolder(year(records(60))) })

    const hollow = await run(nvdFromDirectory, { from: await temporaryFolder(year(records(2))) })
    const thinner = await run(nvdFromDirectory, { from: await temporaryFolder(year(records(59))) })

    expect(hollow).toMatchObject({ outcome: 'refused', fault: expect.stringMatching(/drop 58 of the 60 records/) })
    expect(thinner).toMatchObject({ outcome: 'succeeded', removed: 0 })
    expect(await look(count)).toEqual([{ count: 60 }])
  })

  it('takes the newest of several records for one id', async () => {
    const { run, look } = await testMachine()
    const twice = [
      nvdRecord('CVE-2003-1000', { vulnStatus: 'Modified', lastModified: '2026-08-21T00:00:00.000' }),
      nvdRecord('CVE-2003-1000', { vulnStatus: 'Received', lastModified: '2026-08-01T00:00:00.000' }),
    ]

    const report = await run(nvdFromDirectory, { from: await temporaryFolder(year(twice)) })

    expect(report).toMatchObject({ read: 2, written: 1, duplicates: 1 })
    expect(await look(stored)).toMatchObject([{ status: 'Modified' }])
  })
})

describe('a run of NVD from the network', () => {
  it('that dies within a file goes on with that file', async () => {
    const { run, look } = await testMachine()
    const upstream = await startUpstream()
    const publish = (key: string, json: string) => {
      upstream.serve(`/nvdcve-2.0-${key}.json.gz`, gzipSync(json))
      upstream.serve(`/nvdcve-2.0-${key}.meta`, nvdMeta(json))
    }
    for (let each = 2002; each <= 2026; each += 1) publish(String(each), nvdContainer([nvdRecord(`CVE-${each}-1000`)]))
    publish('modified', nvdContainer([nvdRecord('CVE-2026-2000')]))
    const [good, torn] = [
      nvdContainer([nvdRecord('CVE-2010-1000')]),
      nvdContainer([nvdRecord('CVE-2010-1000')], { totalResults: 2 }),
    ]
    publish('2010', torn)
    const feed = nvdFeed({ route: 'feeds', feedsUrl: upstream.url, apiUrl: '', apiKey: null })
    const { download } = patientDownload(upstream.host)
    const openDownload = () => download

    const first = await run(feed, { openDownload })
    expect(first).toMatchObject({
      outcome: 'failed',
      written: 8,
      fault: expect.stringMatching(/2010.*says 2 records, and has 1/),
    })
    publish('2010', good)
    const before = upstream.requests().length
    const second = await run(feed, { openDownload })

    expect(second).toMatchObject({ outcome: 'succeeded', written: 18 })
    expect(await look(count)).toEqual([{ count: 26 }])
    const asked = upstream
      .requests()
      .slice(before)
      .map(({ path }) => path)
    expect(asked.filter((path) => path.endsWith('.json.gz'))).toHaveLength(18)
    expect(await run(feed, { openDownload })).toMatchObject({ outcome: 'succeeded', read: 0, written: 0 })
  })
})
