// From upstream to a service without a network: local servers play all upstreams, the bundle is downloaded and copied, and
// then verified and imported in a network namespace that has no route, not even to the host itself. PostgreSQL is reached
// through its Unix socket. Creating a namespace needs root.
import { execFile, spawnSync } from 'node:child_process'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { flipByte, KEV_FILE } from '../../../service/test/commands/bundle-setup.ts'
import { NOW, playAllUpstreams } from '../../../service/test/feeds/bundle/all-upstreams.ts'
import { createTestDatabase } from '../../../service/test/support/database.ts'
import { NODE_ENVIRONMENT } from '../../../service/test/support/processes/node-environment.ts'
import { readRows } from '../../../service/test/support/run-statements.ts'

const VIS_SERVER = fileURLToPath(new URL('../../../service/bin/vis-server.js', import.meta.url))
const CAN_ISOLATE = spawnSync('unshare', ['--net', 'true']).status === 0
const TEST_TIMEOUT_MS = 10 * 60_000
/** The played publisher cannot sign with the key that is pinned for this feed. */
const SIGNED_FEED = 'csaf-cisa'

interface Result {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** A change to a copied bundle, and the reason for which it is refused. */
const DAMAGES: readonly (readonly [string, (copied: string) => Promise<unknown>, string])[] = [
  ['a flipped byte', (copied) => flipByte(copied, KEV_FILE), `the SHA-256 of ${KEV_FILE} is`],
  ['a missing file', (copied) => rm(join(copied, KEV_FILE)), `${KEV_FILE} is missing`],
  ['a missing signature', (copied) => rm(join(copied, 'manifest.json.sig')), 'is not signed'],
]

const folder = await mkdtemp(join(tmpdir(), 'vis-closed-network-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

function run(program: string, args: readonly string[], environment: Readonly<Record<string, string>>): Promise<Result> {
  return new Promise((resolve) => {
    const options = { cwd: folder, env: { ...NODE_ENVIRONMENT, NODE_ENV: 'test', ...environment }, maxBuffer: 1e8 }
    execFile(program, args, options, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr }),
    )
  })
}

const runOnline = (args: readonly string[], environment: Readonly<Record<string, string>>) =>
  run(process.execPath, [VIS_SERVER, ...args], environment)

const runIsolated = (args: readonly string[], environment: Readonly<Record<string, string>>) =>
  run('unshare', ['--net', process.execPath, VIS_SERVER, ...args], environment)

/** The same database through the socket, which a network namespace does not hide. */
async function toSocketUrl(url: string): Promise<string> {
  const [row] = await readRows(url, 'show unix_socket_directories')
  const { username, pathname, port } = new URL(url)
  const host = encodeURIComponent(String(row.unix_socket_directories).split(',')[0] ?? '')
  return `postgres://${username}@localhost${pathname}?host=${host}&port=${port}`
}

/** Downloads all feeds but one into a signed bundle. Returns the settings with the addresses of the played upstreams. */
async function downloadBundle(bundle: string, keys: string): Promise<Readonly<Record<string, string>>> {
  const online = (await playAllUpstreams()).environment
  await run('mkdir', [keys], {})
  expect((await runOnline(['feeds', 'key', '--to', keys], {})).code).toBe(0)
  const signing = { ...online, FEEDS_BUNDLE_PRIVATE_KEY: join(keys, 'bundle-private.pem') }
  const { stdout, stderr } = await runOnline(['feeds', 'download', '--to', bundle, '--now', NOW, '--json'], signing)
  const failed = JSON.parse(stdout).filter(({ outcome }: { outcome: string }) => outcome !== 'collected')
  expect(failed.map(({ feed }: { feed: string }) => feed)).toEqual([SIGNED_FEED])
  expect(stderr).toContain('The manifest is signed with the key')
  return online
}

describe.skipIf(!CAN_ISOLATE)('a service in a network namespace without a route', () => {
  const [bundle, copy, keys] = ['bundle', 'copy', 'keys'].map((name) => join(folder, name)) as [string, string, string]
  const isolated: Record<string, string> = { FEEDS_BUNDLE_PUBLIC_KEY: join(keys, 'bundle-public.pem') }
  let online: Readonly<Record<string, string>> = {}

  beforeAll(async () => {
    online = await downloadBundle(bundle, keys)
    const { url } = await createTestDatabase()
    isolated['DATABASE_URL'] = await toSocketUrl(url)
  }, TEST_TIMEOUT_MS)

  it(
    'cannot reach an upstream',
    async () => {
      const { code, stderr } = await runIsolated(['sync', 'msrc', '--no-publish'], { ...online, ...isolated })

      expect(code).toBe(1)
      expect(stderr).toMatch(/msrc: .*could not be downloaded/)
    },
    TEST_TIMEOUT_MS,
  )

  it.each(DAMAGES)(
    'refuses a copy with %s',
    async (_what, change, reason) => {
      await rm(copy, { recursive: true, force: true })
      await cp(bundle, copy, { recursive: true })
      await change(copy)

      const { code, stdout, stderr } = await runIsolated(['sync', '--from', copy, '--json'], isolated)

      expect([code, stdout]).toEqual([1, ''])
      expect(stderr).toContain(reason)
    },
    TEST_TIMEOUT_MS,
  )

  it(
    'verifies the copy, imports and publishes it, and serves complete data sets',
    async () => {
      await rm(copy, { recursive: true, force: true })
      await cp(bundle, copy, { recursive: true })

      const { code, stdout, stderr } = await runIsolated(['sync', '--from', copy, '--now', NOW, '--json'], isolated)

      expect(stderr).toMatch(/the SHA-256 of \d+ files is right, and signed by the key [0-9a-f]{64}/)
      const reports: readonly { feed: string; outcome: string; fault: string | null }[] = JSON.parse(stdout)
      expect(reports.filter(({ outcome }) => outcome !== 'succeeded').map(({ feed }) => feed)).toEqual([
        'kev-history',
        SIGNED_FEED,
      ])
      expect(code).toBe(0)
      const verified = await runIsolated(['catalog', 'rebuild', '--verify', '--now', NOW], isolated)
      expect([verified.code, verified.stdout + verified.stderr]).toEqual([0, expect.stringMatching(/\b0\b.*differ/)])
    },
    TEST_TIMEOUT_MS,
  )

  it(
    'refuses an older bundle',
    async () => {
      const older = join(folder, 'older')
      const signing = { ...online, FEEDS_BUNDLE_PRIVATE_KEY: join(keys, 'bundle-private.pem') }
      await runOnline(['feeds', 'download', 'kev', '--to', older, '--now', '2026-08-21T20:00:00Z'], signing)

      const { code, stderr } = await runIsolated(['sync', 'kev', '--from', older], isolated)

      expect([code, stderr]).toEqual([1, expect.stringContaining('it is older than the stored data of kev')])
    },
    TEST_TIMEOUT_MS,
  )
})
