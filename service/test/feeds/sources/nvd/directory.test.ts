import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { FeedError, NoFilesError } from '../../../../src/feeds/feed.ts'
import { nvdContainer, nvdFromDirectory, nvdMeta, nvdRecord, temporaryFolder, told, visitOf } from './fixtures.ts'

const file = (...ids: readonly string[]) => nvdContainer(ids.map((id) => nvdRecord(id)))
const from = async (files: Readonly<Record<string, string | Buffer>>, cursor?: unknown) =>
  told(nvdFromDirectory, await visitOf({ from: await temporaryFolder(files), cursor }))

describe("NVD's files in a directory", () => {
  it('are read years first, then what was modified, then what is recent; packed or not', async () => {
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

  it('may be in the folder nvd, and no deeper', async () => {
    const folder = await temporaryFolder()
    await mkdir(join(folder, 'nvd', 'official'), { recursive: true })
    await writeFile(join(folder, 'nvd', 'nvdcve-2.0-2003.json'), file('CVE-2003-0001'))
    await writeFile(join(folder, 'nvd', 'official', 'nvdcve-2.0-2004.json'), file('CVE-2004-0001'))

    const deliveries = await told(nvdFromDirectory, await visitOf({ from: folder }))

    expect(deliveries.map(({ label }) => label)).toEqual(['nvdcve-2.0-2003.json'])
  })

  it('are told apart from whatever else lies there', async () => {
    const deliveries = await from({
      'nvdcve-2.0-2003.json': file('CVE-2003-0001'),
      'nvdcve-1.1-2003.json': 'an older format',
      'nvdcve-2.0-2003.json.gz.bak': 'a leftover',
      'nvd_overrides_anchore.ndjson.gz': "another feed's",
      'CVE-2003.json.xz': "a mirror's",
    })

    expect(deliveries.map(({ label }) => label)).toEqual(['nvdcve-2.0-2003.json'])
  })

  it('leave the place alone that was reached over the network', async () => {
    const cursor = { files: {}, comparedAt: null, api: { until: '2026-08-20T00:00:00Z' } }

    expect(await from({ 'nvdcve-2.0-2003.json': file('CVE-2003-0001') }, cursor)).toMatchObject([{ cursor }])
  })

  it('tell how much is left', async () => {
    const [first, second] = [file('CVE-2003-0001'), file('CVE-2004-0001', 'CVE-2004-0002')]
    const deliveries = await from({ 'nvdcve-2.0-2003.json': first, 'nvdcve-2.0-2004.json': second })

    const total = first.length + second.length
    expect(deliveries.map(({ bytes }) => bytes)).toEqual([
      { before: 0, own: first.length, total },
      { before: first.length, own: second.length, total },
    ])
  })

  it('are missed by name when there are none', async () => {
    await expect(from({ 'README.md': 'nothing of NVD' })).rejects.toThrow(NoFilesError)
    await expect(from({})).rejects.toThrow(/nvdcve-2\.0-2026\.json\.gz/)
  })
})

describe('a year', () => {
  it('speaks of its own ids, and the first one of all before it', async () => {
    const [first, second] = await from({
      'nvdcve-2.0-2002.json': file('CVE-1999-0001', 'CVE-2002-0001', 'CVE-2002-12345'),
      'nvdcve-2.0-2003.json': file('CVE-2003-0001'),
    })

    expect(first).toMatchObject({ slice: { first: 'CVE-0000-0000', last: 'CVE-2002-99999999999999' }, rejected: [] })
    expect(second).toMatchObject({ slice: { first: 'CVE-2003-0000', last: 'CVE-2003-99999999999999' } })
  })

  it('rejects the ids of other years, and keeps the rest', async () => {
    const [year] = await from({ 'nvdcve-2.0-2003.json': file('CVE-2003-0001', 'CVE-2004-0001', 'CVE-2002-0001') })

    expect(year?.ids).toEqual(['CVE-2003-0001'])
    expect(year?.rejected.map(({ rejected }) => rejected)).toEqual(['CVE-2004-0001', 'CVE-2002-0001'])
    expect(year?.rejected[0]?.reason).toContain('2003')
  })

  it('rejects a record that cannot be used, and keeps the rest', async () => {
    const records = [nvdRecord('CVE-2003-0001'), { cve: 'torn' }, nvdRecord('CVE-2003-0003', { published: 'never' })]
    const [year] = await from({ 'nvdcve-2.0-2003.json': nvdContainer(records) })

    expect(year?.ids).toEqual(['CVE-2003-0001'])
    expect(year?.rejected.map(({ rejected }) => rejected)).toEqual(['a record without an id', 'CVE-2003-0003'])
  })
})

describe('a .meta beside a file', () => {
  const json = file('CVE-2003-0001')
  const withMeta = (meta: string) => from({ 'nvdcve-2.0-2003.json.gz': gzipSync(json), 'nvdcve-2.0-2003.meta': meta })

  it('dates it, better than the file itself, which hides its zone', async () => {
    expect(await withMeta(nvdMeta(json))).toMatchObject([{ upstreamAt: new Date('2026-08-22T18:00:00Z') }])
    expect(await from({ 'nvdcve-2.0-2003.json': json })).toMatchObject([
      { upstreamAt: new Date('2026-08-22T14:00:00Z') },
    ])
  })

  it.each<[string, Record<string, string | number>, RegExp]>([
    ['promises another size', { size: 7 }, /nvdcve-2\.0-2003\.json\.gz .*bytes, and should have 7\./],
    ['promises other content', { sha256: 'A'.repeat(64) }, /nvdcve-2\.0-2003\.json\.gz .*SHA-256/],
    ['has no hash', { sha256: '' }, /nvdcve-2\.0-2003\.meta .*"sha256:"/],
    ['has no size', { size: 'large' }, /nvdcve-2\.0-2003\.meta .*"size:"/],
    ['has no date', { lastModifiedDate: 'today' }, /nvdcve-2\.0-2003\.meta .*"lastModifiedDate:"/],
    ['has a date that does not exist', { lastModifiedDate: '2026-02-30T00:00:00Z' }, /2026-02-30/],
  ])('that %s keeps it out', async (_case, lie, complaint) => {
    await expect(withMeta(nvdMeta(json, lie))).rejects.toThrow(complaint)
  })

  it('that is a web page keeps it out', async () => {
    await expect(withMeta('<html><body>Sorry</body></html>')).rejects.toThrow(/nvdcve-2\.0-2003\.meta .*<html>/)
  })

  it('may be written in lower case, and with the line ends of Unix', async () => {
    const meta = nvdMeta(json)
      .replaceAll('\r', '')
      .replace(/sha256:(.*)/, (line) => line.toLowerCase())

    expect(await withMeta(meta)).toMatchObject([{ ids: ['CVE-2003-0001'] }])
  })
})

describe('a file that is not what it is called is a fault that names it', () => {
  const packed = gzipSync(file('CVE-2003-0001', 'CVE-2003-0002'))
  const fromYear = (content: string | Buffer) => from({ 'nvdcve-2.0-2003.json.gz': content })

  it.each<[string, string | Buffer, RegExp]>([
    ['torn while packed', packed.subarray(0, packed.length - 20), /nvdcve-2\.0-2003\.json\.gz/],
    ['torn and then packed', gzipSync(file('CVE-2003-0001').slice(0, -30)), /nvdcve-2\.0-2003\.json\.gz.*cut off/],
    ['a web page', '<!DOCTYPE html><html>Not found</html>', /nvdcve-2\.0-2003\.json\.gz.*web page/],
    ['empty', '', /nvdcve-2\.0-2003\.json\.gz.*empty/],
    [
      'without a list',
      gzipSync('{"format":"NVD_CVE","version":"2.0"}'),
      /nvdcve-2\.0-2003\.json\.gz.*"vulnerabilities"/,
    ],
    [
      'of another version',
      gzipSync(nvdContainer([nvdRecord('CVE-2003-0001')], { version: '1.1' })),
      /version 2\.0.*1\.1/,
    ],
    ['of another format', gzipSync(nvdContainer([], { format: 'NVD_CPE' })), /NVD_CVE.*NVD_CPE/],
    [
      'shorter than it says',
      gzipSync(nvdContainer([nvdRecord('CVE-2003-0001')], { totalResults: 2 })),
      /says 2 records, and has 1/,
    ],
    [
      'longer than it says',
      gzipSync(nvdContainer([nvdRecord('CVE-2003-0001')], { totalResults: 0 })),
      /says 0 records, and has 1/,
    ],
    [
      'silent about its length',
      gzipSync(nvdContainer([nvdRecord('CVE-2003-0001')], { totalResults: undefined })),
      /"totalResults"/,
    ],
    ['a list of nothing', gzipSync(nvdContainer([])), /no record at all/],
  ])('%s', async (_case, content, complaint) => {
    const failure = await fromYear(content).catch((error: unknown) => error)

    expect(failure).toBeInstanceOf(FeedError)
    expect(failure).toHaveProperty('message', expect.stringMatching(complaint))
  })

  it('even if it says so only at its end', async () => {
    const { vulnerabilities, ...others } = JSON.parse(nvdContainer([nvdRecord('CVE-2003-0001')], { version: '3.0' }))

    await expect(fromYear(JSON.stringify({ vulnerabilities, ...others }))).rejects.toThrow(/version 2\.0.*3\.0/)
  })
})
