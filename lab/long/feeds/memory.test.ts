import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { nvdContainer, nvdRecord } from '../../../service/test/feeds/sources/nvd/fixtures.ts'
import { buildEpssFile, writeTemporaryDirectory } from '../../../service/test/feeds/temporary-files.ts'
import { createTestDatabase } from '../../../service/test/support/database.ts'
import { behaviours, startUpstream } from '../../../service/test/support/network/upstream.ts'
import { runMeasuredCommand } from '../../../service/test/support/processes/measured-command.ts'

const MAX_MEGABYTES = 512
const TEST_TIMEOUT_MS = 400_000

/** Builds a gzip file of 10 MB that decompresses to 10 GB of empty lines and consists of 100 gzip members. */
function buildBomb(): Buffer {
  const member = gzipSync(Buffer.alloc(100_000_000, '\n'))
  return Buffer.concat([gzipSync(buildEpssFile({}, '2026-08-01')), ...Array.from({ length: 100 }, () => member)])
}

it(
  'the sync command uses less than 512 MB of memory for a decompression bomb and an endless response',
  async () => {
    const upstream = await startUpstream({
      '/kev.json': behaviours.sendsWithoutEnd(Buffer.alloc(1_000_000, 32)),
      '/epss/epss_scores-current.csv.gz': buildBomb(),
    })
    const { url } = await createTestDatabase()

    const run = await runMeasuredCommand(['sync', 'kev', 'epss', '--json'], {
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
  TEST_TIMEOUT_MS,
)

it(
  'the NVD feed uses less than 512 MB of memory for a record of 100 MB and stores the other records',
  async () => {
    const huge = nvdRecord('CVE-2002-0001', { evaluatorComment: 'x'.repeat(100_000_000) })
    const others = ['CVE-2002-0002', 'CVE-2002-0003', 'CVE-2002-0004'].map((id) => nvdRecord(id))
    const folder = await writeTemporaryDirectory({})
    // The file is stored with compression level 0, because a smaller file would be rejected as a decompression bomb.
    const file = gzipSync(nvdContainer([huge, ...others]), { level: 0 })
    await writeFile(join(folder, 'nvdcve-2.0-2002.json.gz'), file)
    const { url } = await createTestDatabase()

    const run = await runMeasuredCommand(['sync', 'nvd', '--from', folder, '--json'], { DATABASE_URL: url })

    expect(JSON.parse(run.stdout)).toMatchObject([{ feed: 'nvd', outcome: 'succeeded', written: 3, rejected: 1 }])
    expect(run.peakMegabytes).toBeLessThan(MAX_MEGABYTES)
  },
  TEST_TIMEOUT_MS,
)
