import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { measuredCommand } from '../../bench/measured-command.ts'
import { testDatabase } from '../../support/database.ts'
import { manners, startUpstream } from '../../support/network/upstream.ts'
import { directoryWith, epssFile } from '../small-files.ts'
import { nvdContainer, nvdRecord } from '../sources/nvd/fixtures.ts'

const MAX_MEGABYTES = 512
const PATIENCE_MS = 120_000

/** Members of a gzip file, one after another: ten gigabytes of empty lines in ten megabytes. */
function bomb(): Buffer {
  const member = gzipSync(Buffer.alloc(100_000_000, '\n'))
  return Buffer.concat([gzipSync(epssFile({}, '2026-08-01')), ...Array.from({ length: 100 }, () => member)])
}

it(
  'Neither a bomb nor an answer without end costs more than 512 MB',
  async () => {
    const upstream = await startUpstream({
      '/kev.json': manners.sendsWithoutEnd(Buffer.alloc(1_000_000, 32)),
      '/epss/epss_scores-current.csv.gz': bomb(),
    })
    const { url } = await testDatabase()

    const run = await measuredCommand(['sync', 'kev', 'epss', '--json'], {
      DATABASE_URL: url,
      FEEDS_PRIVATE_HOSTS: upstream.host,
      FEED_KEV_URL: `${upstream.url}/kev.json`,
      FEED_EPSS_URL: `${upstream.url}/epss/`,
    })

    const [kev, epss] = JSON.parse(run.stdout)
    expect(kev).toMatchObject({ feed: 'kev', outcome: 'failed' })
    expect(epss).toMatchObject({
      feed: 'epss',
      outcome: 'failed',
      fault: expect.stringContaining('100 times its size'),
    })
    expect(run.peakMegabytes).toBeLessThan(MAX_MEGABYTES)
  },
  PATIENCE_MS,
)

it(
  'Nor does a record of a hundred megabytes, and the others are stored',
  async () => {
    const huge = nvdRecord('CVE-2002-0001', { evaluatorComment: 'x'.repeat(100_000_000) })
    const others = ['CVE-2002-0002', 'CVE-2002-0003', 'CVE-2002-0004'].map((id) => nvdRecord(id))
    const folder = await directoryWith({})
    // Packed without being made smaller, or it would be refused as a bomb.
    const file = gzipSync(nvdContainer([huge, ...others]), { level: 0 })
    await writeFile(join(folder, 'nvdcve-2.0-2002.json.gz'), file)
    const { url } = await testDatabase()

    const run = await measuredCommand(['sync', 'nvd', '--from', folder, '--json'], { DATABASE_URL: url })

    expect(JSON.parse(run.stdout)).toMatchObject([{ feed: 'nvd', outcome: 'succeeded', written: 3, rejected: 1 }])
    expect(run.peakMegabytes).toBeLessThan(MAX_MEGABYTES)
  },
  PATIENCE_MS,
)
