// Loads all real data into an empty database with one command, with the settings of a worker, and verifies the result.
import { mkdtemp, readdir, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { beginFirstLoad } from '../../../service/test/support/catalog/first-load.ts'
import { REAL_DATA_NOW } from '../../../service/test/support/catalog/load-catalog.ts'
import { createTestDatabase } from '../../../service/test/support/database.ts'
import { WORKER_ARGUMENTS } from '../../../service/test/support/processes/deployed-node.ts'
import { runMeasuredCommand } from '../../../service/test/support/processes/measured-command.ts'
import { findRealData, realData } from '../../../service/test/support/real-data.ts'

const folder = realData('the first load of all real data')

const MAX_MEGABYTES = 512
/** On two cores, a load took 12 minutes with the snapshot, and 55 minutes beside other work. */
const TEST_TIMEOUT_MS = 3 * 3_600_000

/** The folder of real files names some differently from the feed that reads them. */
const FEED_NAMES: Readonly<Record<string, string>> = { 'csaf-redhat-vex.ndjson.gz': 'redhat-vex.ndjson.gz' }
/** No feed reads it, and its name begins like that of a feed's file. */
const WITHDRAWN = 'ghsa-withdrawn-by-text.ndjson.gz'

/** Links the files of both folders into one, because a feed reads one folder. */
async function linkFiles(): Promise<string> {
  const target = await mkdtemp(join(tmpdir(), 'vis-first-load-'))
  const seen = new Set(['README.md', WITHDRAWN])
  for (const source of [findRealData('data'), findRealData('data-more')]) {
    if (source === undefined) continue
    for (const name of await readdir(source)) {
      if (seen.has(name)) continue
      seen.add(name)
      await symlink(join(source, name), join(target, FEED_NAMES[name] ?? name))
    }
  }
  return target
}

describe.skipIf(folder === undefined)('The first load of the real data', () => {
  it(
    'is complete after one command, within 512 MB, and no CVE differs from a new merge',
    async () => {
      const { url } = await createTestDatabase()
      await beginFirstLoad(url)
      const environment = { DATABASE_URL: url, NODE_ENV: 'test', NODE_OPTIONS: WORKER_ARGUMENTS.join(' ') }

      const load = await runMeasuredCommand(['sync', '--from', await linkFiles(), '--now', REAL_DATA_NOW], environment)
      process.stdout.write(`${load.stdout}${load.stderr}\n`)
      process.stdout.write(
        `first load: ${(load.seconds / 60).toFixed(1)} min, VmHWM ${load.peakMegabytes.toFixed(0)} MB\n`,
      )
      const verified = await runMeasuredCommand(
        ['catalog', 'rebuild', '--verify', '--json', '--now', REAL_DATA_NOW],
        environment,
      )
      process.stdout.write(`verified: ${(verified.seconds / 60).toFixed(1)} min, ${verified.stdout}\n`)

      expect(load.code).toBe(0)
      expect(load.stderr).toContain('the first load is finished')
      expect(load.stderr).toContain('Snapshot made')
      expect(JSON.parse(verified.stdout)).toMatchObject({ queued: 0, failed: 0, differing: 0, wrongNameCounts: 0 })
      expect(load.peakMegabytes).toBeLessThanOrEqual(MAX_MEGABYTES)
    },
    TEST_TIMEOUT_MS,
  )
})
