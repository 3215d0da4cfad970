// Imports real NVD data: the year files, and files together with the .meta files (size and hash) that NVD published for
// them.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isRejected, type Rejected } from '../../../service/src/feeds/feed.ts'
import { parseMeta } from '../../../service/src/feeds/sources/nvd/meta.ts'
import {
  buildFetchContext,
  collectDeliveries,
  directoryFeed,
  NOW,
  nvdMeta,
  temporaryFolder,
} from '../../../service/test/feeds/sources/nvd/fixtures.ts'
import { realData } from '../../../service/test/support/real-data.ts'

const data = realData('the test of NVD at full size') ?? ''
const official = join(data, 'nvd/official')

describe.skipIf(data === '')('NVD feed: real files with .meta files', () => {
  it('imports every record in the files for August 2026 after verifying them with their .meta files', async () => {
    const deliveries = await collectDeliveries(directoryFeed, await buildFetchContext({ from: official }))

    expect(deliveries.map(({ label, ids, rejected, upstreamAt }) => [label, ids.length, rejected, upstreamAt])).toEqual(
      [
        ['nvdcve-2.0-2003.json.gz', 1555, [], new Date('2026-06-22T14:34:47Z')],
        ['nvdcve-2.0-recent.json.gz', 4691, [], new Date('2026-08-22T18:00:00Z')],
      ],
    )
  })

  it('imports every record in the file `modified` from March 2026', async () => {
    const deliveries = await collectDeliveries(
      directoryFeed,
      await buildFetchContext({ from: join(official, '2026-03') }),
    )

    expect(deliveries).toMatchObject([{ label: 'nvdcve-2.0-modified.json.gz', kind: 'delta', rejected: [] }])
    expect(deliveries[0]?.ids).toHaveLength(2286)
  })

  it("fails when a real file is verified with another file's .meta file", async () => {
    const name = 'nvdcve-2.0-2003'
    const from = await temporaryFolder({
      [`${name}.json.gz`]: await readFile(join(official, `${name}.json.gz`)),
      [`${name}.meta`]: nvdMeta('{}'),
    })

    await expect(collectDeliveries(directoryFeed, await buildFetchContext({ from }))).rejects.toThrow(
      /7908123 bytes unpacked instead of 2/,
    )
  })

  it('parses the .meta files for all years', async () => {
    const folder = join(official, 'meta-2026-08-22')
    const names = await readdir(folder)
    const metas = await Promise.all(
      names.map(async (name) => parseMeta(name, await readFile(join(folder, name), 'utf8'))),
    )

    expect(metas).toHaveLength(27)
    expect(Math.max(...metas.map(({ bytes }) => bytes))).toBe(295_053_636)
  })
})

describe.skipIf(data === '')('NVD feed: real year files', () => {
  it('imports all 221,687 records in the year files without a rejection', async () => {
    const read = { ids: new Set<string>(), rejections: [] as Rejected[], characters: 0, files: 0, peakBytes: 0 }
    const collect = (row: ReturnType<typeof directoryFeed.normalise>) => {
      if (isRejected(row)) return void read.rejections.push(row)
      read.ids.add(row.cveId)
      read.characters += row.record.length
    }
    const startedAt = performance.now()
    for await (const { records } of directoryFeed.fetch(await buildFetchContext({ from: data }))) {
      for await (const reading of records(() => {}))
        collect(isRejected(reading) ? reading : directoryFeed.normalise(reading.raw, NOW))
      read.files += 1
      read.peakBytes = Math.max(read.peakBytes, process.memoryUsage().rss)
    }
    const seconds = (performance.now() - startedAt) / 1000
    process.stdout.write(
      `NVD: ${read.ids.size} rows, ${read.rejections.length} rejected, ${seconds.toFixed(1)} s, ${(read.characters / 1e6 / seconds).toFixed(0)} MB/s of JSON, ${(read.peakBytes / 2 ** 20).toFixed(0)} MiB peak memory\n`,
    )

    expect(read.rejections).toEqual([])
    expect(read.files).toBe(25)
    expect(read.ids.size).toBe(221_687)
    expect(read.peakBytes).toBeLessThan(512 * 2 ** 20)
  })
})
