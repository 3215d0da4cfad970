// NVD as it is: the year files of the real data, and the files that NVD itself vouches for with a .meta.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isRejected, type Rejected } from '../../../../src/feeds/feed.ts'
import { parseMeta } from '../../../../src/feeds/sources/nvd/meta.ts'
import { sharedData } from '../../../support/shared-data.ts'
import { NOW, nvdFromDirectory, nvdMeta, temporaryFolder, told, visitOf } from './fixtures.ts'

const data = sharedData('NVD at full size') ?? ''
const official = join(data, 'nvd/official')

describe.skipIf(data === '')("NVD's own files", () => {
  it('agree with their .meta, and are taken over to the last record', async () => {
    const deliveries = await told(nvdFromDirectory, await visitOf({ from: official }))

    expect(deliveries.map(({ label, ids, rejected, upstreamAt }) => [label, ids.length, rejected, upstreamAt])).toEqual(
      [
        ['nvdcve-2.0-2003.json.gz', 1555, [], new Date('2026-06-22T14:34:47Z')],
        ['nvdcve-2.0-recent.json.gz', 4691, [], new Date('2026-08-22T18:00:00Z')],
      ],
    )
  })

  it('do so in March as well', async () => {
    const deliveries = await told(nvdFromDirectory, await visitOf({ from: join(official, '2026-03') }))

    expect(deliveries).toMatchObject([{ label: 'nvdcve-2.0-modified.json.gz', kind: 'delta', rejected: [] }])
    expect(deliveries[0]?.ids).toHaveLength(2286)
  })

  it('are not taken over beside the .meta of another one', async () => {
    const name = 'nvdcve-2.0-2003'
    const from = await temporaryFolder({
      [`${name}.json.gz`]: await readFile(join(official, `${name}.json.gz`)),
      [`${name}.meta`]: nvdMeta('{}'),
    })

    await expect(told(nvdFromDirectory, await visitOf({ from }))).rejects.toThrow(/7908123 bytes, and should have 2/)
  })

  it('have a .meta that we understand, for every year', async () => {
    const folder = join(official, 'meta-2026-08-22')
    const names = await readdir(folder)
    const metas = await Promise.all(
      names.map(async (name) => parseMeta(name, await readFile(join(folder, name), 'utf8'))),
    )

    expect(metas).toHaveLength(27)
    expect(Math.max(...metas.map(({ bytes }) => bytes))).toBe(295_053_636)
  })
})

describe.skipIf(data === '')('the year files', () => {
  it('are taken over whole: 221,687 records, none of them rejected', async () => {
    const read = { ids: new Set<string>(), rejections: [] as Rejected[], characters: 0, files: 0, peakBytes: 0 }
    const take = (row: ReturnType<typeof nvdFromDirectory.normalise>) => {
      if (isRejected(row)) return void read.rejections.push(row)
      read.ids.add(row.cveId)
      read.characters += row.record.length
    }
    const began = performance.now()
    for await (const { records } of nvdFromDirectory.fetch(await visitOf({ from: data }))) {
      for await (const reading of records(() => {}))
        take(isRejected(reading) ? reading : nvdFromDirectory.normalise(reading.raw, NOW))
      read.files += 1
      read.peakBytes = Math.max(read.peakBytes, process.memoryUsage().rss)
    }
    const seconds = (performance.now() - began) / 1000
    process.stdout.write(
      `NVD: ${read.ids.size} rows, ${read.rejections.length} rejected, ${seconds.toFixed(1)} s, ${(read.characters / 1e6 / seconds).toFixed(0)} MB/s of JSON, ${(read.peakBytes / 2 ** 20).toFixed(0)} MiB at most\n`,
    )

    expect(read.rejections).toEqual([])
    expect(read.files).toBe(25)
    expect(read.ids.size).toBe(221_687)
    expect(read.peakBytes).toBeLessThan(512 * 2 ** 20)
  })
})
