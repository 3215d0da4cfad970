import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { FeedError } from '../../../../src/feeds/feed.ts'
import {
  buildFetchContext,
  collectDeliveries,
  directoryFeed,
  nvdContainer,
  nvdMeta,
  nvdRecord,
  temporaryFolder,
} from './fixtures.ts'

const file = (...ids: readonly string[]) => nvdContainer(ids.map((id) => nvdRecord(id)))
const from = async (files: Readonly<Record<string, string | Buffer>>, cursor?: unknown) =>
  collectDeliveries(directoryFeed, await buildFetchContext({ from: await temporaryFolder(files), cursor }))

describe('NVD feed: importing from a directory', () => {
  it('reads gzip and plain files in the order: years, modified, recent', async () => {
    const deliveries = await from({
      'nvdcve-2.0-recent.json': file('CVE-2026-0003'),
      'nvdcve-2.0-modified.json.gz': gzipSync(file('CVE-2003-0002')),
      'nvdcve-2.0-2026.json.gz': gzipSync(file('CVE-2026-0001')),
      'nvdcve-2.0-2003.json': file('CVE-2003-0001'),
    })

    expect(deliveries.map(({ label, kind, ids }) => [label, kind, ...ids])).toEqual([
      ['nvdcve-2.0-2003.json', 'snapshot', 'CVE-2003-0001'],
      ['nvdcve-2.0-2026.json.gz', 'snapshot', 'CVE-2026-0001'],
      ['nvdcve-2.0-modified.json.gz', 'delta', 'CVE-2003-0002'],
      ['nvdcve-2.0-recent.json', 'delta', 'CVE-2026-0003'],
    ])
  })

  it('reads the folder nvd but not its subfolders', async () => {
    const folder = await temporaryFolder()
    await mkdir(join(folder, 'nvd', 'official'), { recursive: true })
    await writeFile(join(folder, 'nvd', 'nvdcve-2.0-2003.json'), file('CVE-2003-0001'))
    await writeFile(join(folder, 'nvd', 'official', 'nvdcve-2.0-2004.json'), file('CVE-2004-0001'))

    const deliveries = await collectDeliveries(directoryFeed, await buildFetchContext({ from: folder }))

    expect(deliveries.map(({ label }) => label)).toEqual(['nvdcve-2.0-2003.json'])
  })

  it('ignores files that are not named like an NVD file', async () => {
    const deliveries = await from({
      'nvdcve-2.0-2003.json': file('CVE-2003-0001'),
      'nvdcve-1.1-2003.json': 'an older format',
      'nvdcve-2.0-2003.json.gz.bak': 'a backup',
      'nvd_overrides_anchore.ndjson.gz': "another feed's",
      'CVE-2003.json.xz': "a mirror's",
    })

    expect(deliveries.map(({ label }) => label)).toEqual(['nvdcve-2.0-2003.json'])
  })

  it('keeps the cursor from the last network import', async () => {
    const cursor = { files: {}, comparedAt: null, api: { until: '2026-08-20T00:00:00Z' } }

    expect(await from({ 'nvdcve-2.0-2003.json': file('CVE-2003-0001') }, cursor)).toMatchObject([{ cursor }])
  })

  it('returns the byte position of each delivery, from which the progress is computed', async () => {
    const [first, second] = [file('CVE-2003-0001'), file('CVE-2004-0001', 'CVE-2004-0002')]
    const deliveries = await from({ 'nvdcve-2.0-2003.json': first, 'nvdcve-2.0-2004.json': second })

    const total = first.length + second.length
    expect(deliveries.map(({ bytes }) => bytes)).toEqual([
      { before: 0, own: first.length, total },
      { before: first.length, own: second.length, total },
    ])
  })
})

describe('NVD feed: year files in a directory', () => {
  it('treats a year file as complete for the ids of its year, and the 2002 file also for all earlier ids', async () => {
    const [first, second] = await from({
      'nvdcve-2.0-2002.json': file('CVE-1999-0001', 'CVE-2002-0001', 'CVE-2002-12345'),
      'nvdcve-2.0-2003.json': file('CVE-2003-0001'),
    })

    expect(first).toMatchObject({ slice: { first: 'CVE-0000-0000', last: 'CVE-2002-99999999999999' }, rejected: [] })
    expect(second).toMatchObject({ slice: { first: 'CVE-2003-0000', last: 'CVE-2003-99999999999999' } })
  })

  it('rejects records from other years in a year file and imports the other records', async () => {
    const [year] = await from({ 'nvdcve-2.0-2003.json': file('CVE-2003-0001', 'CVE-2004-0001', 'CVE-2002-0001') })

    expect(year?.ids).toEqual(['CVE-2003-0001'])
    expect(year?.rejected.map(({ rejected }) => rejected)).toEqual(['CVE-2004-0001', 'CVE-2002-0001'])
    expect(year?.rejected[0]?.reason).toContain('2003')
  })
})

describe('NVD feed: .meta files in a directory', () => {
  const json = file('CVE-2003-0001')
  const withMeta = (meta: string) => from({ 'nvdcve-2.0-2003.json.gz': gzipSync(json), 'nvdcve-2.0-2003.meta': meta })

  it('takes the date from the .meta file, because the date in the data file has no time zone', async () => {
    expect(await withMeta(nvdMeta(json))).toMatchObject([{ upstreamAt: new Date('2026-08-22T18:00:00Z') }])
    expect(await from({ 'nvdcve-2.0-2003.json': json })).toMatchObject([
      { upstreamAt: new Date('2026-08-22T14:00:00Z') },
    ])
  })

  it.each<[string, Record<string, string | number>, RegExp]>([
    [
      'a size that differs from the data file',
      { size: 7 },
      /nvdcve-2\.0-2003\.json\.gz .*bytes unpacked instead of 7\./,
    ],
    ['a hash that differs from the data file', { sha256: 'A'.repeat(64) }, /nvdcve-2\.0-2003\.json\.gz .*SHA-256/],
    ['no hash', { sha256: '' }, /nvdcve-2\.0-2003\.meta .*"sha256:"/],
    ['an invalid size', { size: 'large' }, /nvdcve-2\.0-2003\.meta .*"size:"/],
    ['an invalid date', { lastModifiedDate: 'today' }, /nvdcve-2\.0-2003\.meta .*"lastModifiedDate:"/],
    ['a date that does not exist', { lastModifiedDate: '2026-02-30T00:00:00Z' }, /2026-02-30/],
  ])('fails when the .meta file states %s', async (_, changes, message) => {
    await expect(withMeta(nvdMeta(json, changes))).rejects.toThrow(message)
  })

  it('fails when the .meta file is an HTML page', async () => {
    await expect(withMeta('<html><body>Sorry</body></html>')).rejects.toThrow(/nvdcve-2\.0-2003\.meta .*<html>/)
  })

  it('accepts a .meta file with a lower-case hash and LF line endings', async () => {
    const meta = nvdMeta(json)
      .replaceAll('\r', '')
      .replace(/sha256:(.*)/, (line) => line.toLowerCase())

    expect(await withMeta(meta)).toMatchObject([{ ids: ['CVE-2003-0001'] }])
  })
})

describe('NVD feed: unusable files in a directory', () => {
  const fromYear = (content: string | Buffer) => from({ 'nvdcve-2.0-2003.json.gz': content })

  it.each<[string, string | Buffer, RegExp]>([
    [
      'JSON without a list of records',
      gzipSync('{"format":"NVD_CVE","version":"2.0"}'),
      /nvdcve-2\.0-2003\.json\.gz.*"vulnerabilities"/,
    ],
    [
      'a file in another format version',
      gzipSync(nvdContainer([nvdRecord('CVE-2003-0001')], { version: '1.1' })),
      /version 2\.0.*1\.1/,
    ],
    ['a file in another format', gzipSync(nvdContainer([], { format: 'NVD_CPE' })), /NVD_CVE.*NVD_CPE/],
    [
      'a file with fewer records than announced',
      gzipSync(nvdContainer([nvdRecord('CVE-2003-0001')], { totalResults: 2 })),
      /announces 2 records and has 1/,
    ],
    [
      'a file with more records than announced',
      gzipSync(nvdContainer([nvdRecord('CVE-2003-0001')], { totalResults: 0 })),
      /announces 0 records and has 1/,
    ],
    [
      'a file without totalResults',
      gzipSync(nvdContainer([nvdRecord('CVE-2003-0001')], { totalResults: undefined })),
      /"totalResults"/,
    ],
    ['a file without records', gzipSync(nvdContainer([])), /lists no records/],
  ])('throws a FeedError with the file name for %s', async (_, content, message) => {
    const error = await fromYear(content).catch((thrown: unknown) => thrown)

    expect(error).toBeInstanceOf(FeedError)
    expect(error).toHaveProperty('message', expect.stringMatching(message))
  })

  it('refuses a file that states its format version only after the records', async () => {
    const { vulnerabilities, ...others } = JSON.parse(nvdContainer([nvdRecord('CVE-2003-0001')], { version: '3.0' }))

    await expect(fromYear(JSON.stringify({ vulnerabilities, ...others }))).rejects.toThrow(/version 2\.0.*3\.0/)
  })
})
