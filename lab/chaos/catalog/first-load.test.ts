// Kills the first load of an empty catalog at each of its steps, and starts it twice at once. The next `vis-server sync`
// finishes it, and no CVE differs from what a new merge gives.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { type ProcessResult, startFeeds } from '../../../service/test/faults/feeds/process.ts'
import { beginFirstLoad } from '../../../service/test/support/catalog/first-load.ts'
import { createTestDatabase } from '../../../service/test/support/database.ts'
import { createNthFaultProxy, type Moment } from '../../../service/test/support/network/nth-fault-proxy.ts'
import { startUpstream } from '../../../service/test/support/network/upstream.ts'
import { runStatements } from '../../../service/test/support/run-statements.ts'

const SAMPLE = fileURLToPath(new URL('../../../service/sample', import.meta.url))
const NOW = '2026-08-21T18:00:00Z'
const KEV_FILE = 'known_exploited_vulnerabilities.json'
const TEST_TIMEOUT_MS = 600_000

const run = (url: string, ...args: string[]) => startFeeds([...args, '--now', NOW], { DATABASE_URL: url })
const sync = (url: string) => run(url, 'sync', '--from', SAMPLE)

async function createLoadingDatabase(): Promise<string> {
  const { url } = await createTestDatabase()
  await beginFirstLoad(url)
  return url
}

/** A killed process holds its leases for a minute. */
const expireLeases = (url: string) =>
  runStatements(url, `update source.feed set lease_until = '-infinity' where lease_until >= now()`)

const LOADING = 'The catalog is loading for the first time'
const readNotes = async (url: string) => (await startFeeds(['feeds'], { DATABASE_URL: url }).ended).stderr

async function killAt(url: string, call: RegExp, moment: Moment): Promise<ProcessResult> {
  const proxy = await createNthFaultProxy(url)
  const load = sync(proxy.url)
  proxy.arm({
    call,
    moment,
    trigger: ({ disconnect }) => {
      load.signal('SIGKILL')
      disconnect()
    },
  })
  const ended = await load.ended
  proxy.close()
  await expireLeases(url)
  return ended
}

async function expectLoaded(url: string): Promise<void> {
  const { code, stdout } = await run(url, 'catalog', 'rebuild', '--verify', '--json').ended
  const { compared, queued, differing, failed } = JSON.parse(stdout)
  expect({ code, compared, queued, differing, failed }).toEqual({
    code: 0,
    compared: expect.any(Number),
    queued: 0,
    differing: 0,
    failed: 0,
  })
  expect(compared).toBeGreaterThan(90)
  expect(await readNotes(url)).not.toContain(LOADING)
}

const STEPS: readonly (readonly [string, RegExp, Moment])[] = [
  ['before a feed has stored anything', /insert into source\.feed_run/, 'before'],
  ['after a feed has stored its data', /update catalog\.dataset\s+set last_success_at/, 'answered'],
  ['before the learnt names are committed', /update catalog\.first_load set learnt_from/, 'answered'],
  ['before the first batch is committed', /update catalog\.first_load\s+set cves_done/, 'answered'],
  ['after the publication', /catalog\.analyze_tables/, 'before'],
  ['before the end is committed', /update catalog\.first_load set finished_at/, 'answered'],
]

describe('The first load of the catalog', () => {
  it.each(STEPS)(
    'is finished by the next command if it is killed %s',
    async (_when, call, moment) => {
      const url = await createLoadingDatabase()

      expect((await killAt(url, call, moment)).code).toBeNull()
      expect(await readNotes(url)).toContain(LOADING)

      const { code, stderr: notes } = await sync(url).ended
      expect({ code, notes }).toMatchObject({ code: 0, notes: expect.stringContaining('the first load is finished') })
      await expectLoaded(url)
    },
    TEST_TIMEOUT_MS,
  )

  it(
    'is finished once if two processes load at the same time',
    async () => {
      const url = await createLoadingDatabase()

      await Promise.all([sync(url).ended, sync(url).ended])
      await sync(url).ended

      await expectLoaded(url)
    },
    TEST_TIMEOUT_MS,
  )

  it(
    'is finished by a worker over the network, without a feed that fails',
    async () => {
      const url = await createLoadingDatabase()
      const upstream = await startUpstream({ '/kev.json': await readFile(join(SAMPLE, KEV_FILE)) })
      const worker = startFeeds(['worker', 'kev', 'epss'], {
        DATABASE_URL: url,
        FEED_KEV_URL: `${upstream.url}/kev.json`,
        FEED_EPSS_URL: `${upstream.url}/epss/`,
        FEEDS_PRIVATE_HOSTS: upstream.host,
      })

      await expect.poll(() => readNotes(url), { timeout: 120_000, interval: 1000 }).not.toContain(LOADING)

      worker.signal('SIGTERM')
      expect((await worker.ended).code).toBe(0)
      expect(await readNotes(url)).toContain('epss: ')
    },
    TEST_TIMEOUT_MS,
  )
})
