// Reads all NVD year files with the JSON element reader and compares the speed with JSON.parse of whole files.
import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { isRejected } from '../../../service/src/feeds/feed.ts'
import { readDecompressed } from '../../../service/src/feeds/formats/decompress.ts'
import { listFiles } from '../../../service/src/feeds/formats/directory.ts'
import { readJsonElements } from '../../../service/src/feeds/formats/json-elements.ts'
import { realData } from '../../../service/test/support/real-data.ts'

const MEGABYTE = 1e6
const MEBIBYTE = 2 ** 20

const directory = realData('the measurement of reading the year files of NVD') ?? ''

describe.skipIf(directory === '')('JSON element reader: NVD year files', () => {
  it('reads as many records as each file declares and uses less than 512 MiB of memory', async () => {
    const files = await listFiles(directory, 'nvd', /^nvdcve-2\.0-\d{4}\.json\.gz$/)
    expect(files.length).toBeGreaterThan(20)

    const cut = await measure(files, cutFile)
    const peakBytes = process.resourceUsage().maxRSS * 1024
    const whole = await measure(files, parseWhole)

    process.stdout.write(
      `${cut.records} records, ${(cut.bytes / MEGABYTE).toFixed(0)} MB: cut and parsed ${formatSpeed(cut)}, at most ${(peakBytes / MEBIBYTE).toFixed(0)} MiB; ` +
        `gunzip and JSON.parse of whole files ${formatSpeed(whole)}; ` +
        `ratio ${(whole.seconds / cut.seconds).toFixed(2)}, of processor time ${(whole.cpuSeconds / cut.cpuSeconds).toFixed(2)}\n`,
    )
    expect([cut.records, cut.bytes]).toEqual([whole.records, whole.bytes])
    expect(peakBytes).toBeLessThan(512 * MEBIBYTE)
  })
})

interface FileCount {
  readonly records: number
  /** Size of the NVD year files after decompression. */
  readonly bytes: number
}

interface Measured extends FileCount {
  readonly seconds: number
  /** Processor time of all cores, which is more reliable than wall time when other programs run. */
  readonly cpuSeconds: number
}

function formatSpeed({ bytes, seconds, cpuSeconds }: Measured): string {
  const megabytes = bytes / MEGABYTE
  return `${(megabytes / seconds).toFixed(0)} MB/s (${(megabytes / cpuSeconds).toFixed(0)} MB per second of processor time)`
}

async function measure(
  files: readonly { path: string }[],
  read: (path: string) => Promise<FileCount>,
): Promise<Measured> {
  const [began, cpuBefore] = [performance.now(), process.cpuUsage()]
  let [records, bytes] = [0, 0]
  for (const { path } of files) {
    const count = await read(path)
    records += count.records
    bytes += count.bytes
  }
  const { user, system } = process.cpuUsage(cpuBefore)
  return { records, bytes, seconds: (performance.now() - began) / 1e3, cpuSeconds: (user + system) / 1e6 }
}

async function cutFile(path: string): Promise<FileCount> {
  let [records, rejected, bytes] = [0, 0, 0]
  async function* countBytes() {
    for await (const chunk of readDecompressed(path, { maxBytes: 1000 * MEBIBYTE })) {
      bytes += chunk.length
      yield chunk
    }
  }
  const { elements, members } = await readJsonElements(countBytes(), { member: 'vulnerabilities' })
  for await (const element of elements) {
    if (isRejected(element)) rejected += 1
    else records += 1
  }
  expect([records, rejected], path).toEqual([members()['totalResults'], 0])
  return { records, bytes }
}

async function parseWhole(path: string): Promise<FileCount> {
  const bytes = gunzipSync(await readFile(path))
  return { records: JSON.parse(bytes.toString()).vulnerabilities.length, bytes: bytes.length }
}
