// All year files of NVD, as a first load reads them.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { isRejected } from '../../../src/feeds/feed.ts'
import { openFile } from '../../../src/feeds/formats/decompress.ts'
import { filesIn } from '../../../src/feeds/formats/directory.ts'
import { cutElements } from '../../../src/feeds/formats/json-elements.ts'

const DIRECTORY = '../shared/data'
const MEGABYTE = 1e6
const MEBIBYTE = 2 ** 20

const isThere = existsSync(`${DIRECTORY}/nvd`)
if (!isThere) process.stdout.write(`SKIPPED: ${DIRECTORY}/nvd is not there, so nothing was measured.\n`)

describe.skipIf(!isThere)('The year files of NVD', () => {
  it('are cut into as many records as each of them says, in little memory', async () => {
    const files = await filesIn(DIRECTORY, 'nvd', /^nvdcve-2\.0-\d{4}\.json\.gz$/)
    expect(files.length).toBeGreaterThan(20)

    const cut = await measured(files, cutFile)
    const peakBytes = process.resourceUsage().maxRSS * 1024
    const whole = await measured(files, parseWhole)

    process.stdout.write(
      `${cut.records} records, ${(cut.bytes / MEGABYTE).toFixed(0)} MB: cut and parsed ${told(cut)}, at most ${(peakBytes / MEBIBYTE).toFixed(0)} MiB; ` +
        `gunzip and JSON.parse of whole files ${told(whole)}; ` +
        `ratio ${(whole.seconds / cut.seconds).toFixed(2)}, of processor time ${(whole.cpuSeconds / cut.cpuSeconds).toFixed(2)}\n`,
    )
    expect([cut.records, cut.bytes]).toEqual([whole.records, whole.bytes])
    expect(peakBytes).toBeLessThan(512 * MEBIBYTE)
  })
})

interface FileCount {
  readonly records: number
  /** Unpacked. */
  readonly bytes: number
}

interface Measured extends FileCount {
  readonly seconds: number
  /** Of all cores: it says more when others use the machine, too. */
  readonly cpuSeconds: number
}

function told({ bytes, seconds, cpuSeconds }: Measured): string {
  const megabytes = bytes / MEGABYTE
  return `${(megabytes / seconds).toFixed(0)} MB/s (${(megabytes / cpuSeconds).toFixed(0)} MB per second of processor time)`
}

async function measured(
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
  async function* counted() {
    for await (const chunk of openFile(path, { maxBytes: 1000 * MEBIBYTE })) {
      bytes += chunk.length
      yield chunk
    }
  }
  const { elements, members } = await cutElements(counted(), { member: 'vulnerabilities' })
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
