import { mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase } from '../support/database.ts'
import { runCommand } from '../support/run-command.ts'
import { readRows } from '../support/run-statements.ts'
import {
  copyFolder,
  createFolder,
  createKeys,
  EXPLOITS_FILE,
  flipByte,
  KEV_FILE,
  readManifest,
  startBundleUpstream,
} from './bundle-setup.ts'

const { upstream, download } = await startBundleUpstream()
const keys = await createKeys()
const bundle = await createFolder()

beforeAll(async () => {
  const { code } = await download(bundle, ['--key', keys.privateKey])
  expect(code).toBe(0)
})

async function createIsolated(
  settings: Readonly<Record<string, string>> = { FEEDS_BUNDLE_PUBLIC_KEY: keys.publicKey },
) {
  const { url } = await createTestDatabase()
  const environment = { DATABASE_URL: url, NODE_ENV: 'test', ...settings }
  return (from: string, ...args: string[]) =>
    runCommand(['sync', 'kev', 'exploitdb', '--from', from, '--no-publish', ...args], environment)
}

describe('vis-server feeds download', () => {
  it('lists every file with its source, time, size and SHA-256 in a manifest', async () => {
    const manifest = await readManifest(bundle)

    expect(manifest).toMatchObject({ format: 'vis-bundle/1', created_at: expect.stringMatching(/Z$/) })
    expect(manifest.files.map(({ path }: { path: string }) => path)).toEqual([
      EXPLOITS_FILE,
      KEV_FILE,
      'upstream-counts.json',
    ])
    expect(manifest.files[1]).toEqual({
      path: KEV_FILE,
      source: `${upstream.url}/kev.json`,
      fetched_at: expect.stringMatching(/Z$/),
      bytes: expect.any(Number),
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      validators: { etag: '"kev"' },
    })
    expect(manifest.feeds.kev).toEqual({ collected_at: expect.stringMatching(/Z$/), index: 'whole', error: null })
  })

  it('asks upstream again in the next download, and keeps a file that has not changed', async () => {
    const folder = await copyFolder(bundle)
    const before = upstream.requests('/kev.json').length

    const { code, stdout } = await download(folder)

    expect(code).toBe(0)
    expect(stdout).toMatch(/kev\s+collected\s+1\s+0/)
    expect(
      upstream
        .requests('/kev.json')
        .slice(before)
        .map(({ headers }) => headers['if-none-match']),
    ).toEqual(['"kev"'])
  })

  it('names a feed that failed, keeps its earlier files, and exits with code 1', async () => {
    const folder = await copyFolder(bundle)

    const { code, stderr } = await download(folder, [], { FEED_KEV_URL: `${upstream.url}/gone.json` })

    expect(code).toBe(1)
    expect(stderr).toContain('kev: ')
    const manifest = await readManifest(folder)
    expect(manifest.feeds.kev).toMatchObject({ index: null, error: expect.stringContaining('404') })
    expect(manifest.files.map(({ path }: { path: string }) => path)).toContain(KEV_FILE)
    const { code: read, stderr: notes } = await (await createIsolated({}))(folder)
    expect([read, notes]).toEqual([0, expect.stringContaining('kev: the last download failed')])
  })

  it('refuses a directory with other files', async () => {
    const folder = await createFolder()
    await writeFile(join(folder, 'letter.txt'), 'mine')

    const { code, stderr } = await download(folder)

    expect([code, stderr]).toEqual([1, expect.stringContaining('is not empty and contains no manifest.json')])
  })
})

describe('vis-server sync --from with a bundle', () => {
  it('verifies the signature and every hash, and then imports the files', async () => {
    const sync = await createIsolated()

    const { code, stdout, stderr } = await sync(await copyFolder(bundle))

    expect(code).toBe(0)
    expect(stderr).toContain(`the SHA-256 of 3 files is right, and signed by the key ${keys.fingerprint}`)
    expect(stdout).toMatch(/kev\s+succeeded\s+2\s+2/)
    expect(stdout).toMatch(/exploitdb\s+succeeded\s+1\s+1/)
  })

  it('names the feeds of which a bundle has no files', async () => {
    const { url } = await createTestDatabase()

    const { stderr } = await runCommand(['sync', 'epss', '--from', bundle, '--no-publish'], { DATABASE_URL: url })

    expect(stderr).toContain('epss: the bundle has no files. The feed was not downloaded.')
  })

  it('counts whole files as complete data', async () => {
    const { url } = await createTestDatabase()
    const environment = { DATABASE_URL: url }
    await runCommand(['sync', 'kev', '--from', bundle, '--no-publish'], environment)
    expect(
      await readRows(url, `select index_count::int, unheld_count::int from catalog.dataset where name = 'kev'`),
    ).toEqual([{ index_count: 2, unheld_count: 0 }])
  })

  it.each<[string, (folder: string) => Promise<unknown>, string]>([
    ['a file with a flipped byte', (folder) => flipByte(folder, KEV_FILE), `the SHA-256 of ${KEV_FILE} is`],
    ['a missing file', (folder) => rm(join(folder, KEV_FILE)), `${KEV_FILE} is missing`],
    [
      'an extra file',
      (folder) => writeFile(join(folder, 'kev/extra.json'), '{}'),
      '"kev/extra.json" is not in its manifest',
    ],
    ['an extra folder', (folder) => mkdir(join(folder, 'osv')), '"osv" is not in its manifest'],
    [
      'a link instead of a file',
      async (folder) => {
        await rm(join(folder, KEV_FILE))
        await symlink(join(bundle, KEV_FILE), join(folder, KEV_FILE))
      },
      `"${KEV_FILE}" is a link`,
    ],
    ['a changed manifest', (folder) => flipByte(folder, 'manifest.json'), 'is not a signature of this manifest'],
    ['an unsigned manifest', (folder) => rm(join(folder, 'manifest.json.sig')), 'its manifest.json is not signed'],
    ['a directory without a manifest', (folder) => rm(join(folder, 'manifest.json')), 'it has no manifest.json'],
    [
      'a download that has not ended',
      (folder) => mkdir(join(folder, '.collecting')),
      'has not ended. Continue it with the same command',
    ],
  ])('refuses %s', async (_what, change, reason) => {
    const [sync, folder] = [await createIsolated(), await copyFolder(bundle)]
    await change(folder)

    const { code, stdout, stderr } = await sync(folder)

    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain(reason)
  })

  it('refuses a bundle that another key signed', async () => {
    const other = await createKeys()
    const sync = await createIsolated({ FEEDS_BUNDLE_PUBLIC_KEY: other.publicKey })

    const { code, stderr } = await sync(bundle)

    expect(code).toBe(1)
    expect(stderr).toContain(`is not a signature of this manifest by the key ${other.fingerprint}`)
  })

  it('refuses a bundle that is older than the stored data, until --allow older-bundle', async () => {
    const [sync, older, newer] = [await createIsolated(), await createFolder(), await createFolder()]
    await download(older, ['--key', keys.privateKey, '--now', '2026-08-21T00:00:00Z'])
    await download(newer, ['--key', keys.privateKey, '--now', '2026-08-22T00:00:00Z'])
    expect((await sync(newer)).code).toBe(0)

    const refused = await sync(older)
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain(
      'older than the stored data of exploitdb (2026-08-21T00:00:00Z, stored 2026-08-22T00:00:00Z), kev',
    )
    expect((await sync(older, '--allow', 'older-bundle')).code).toBe(0)
  })

  it('reads a directory without a manifest if no key is set, or with --allow unsigned-bundle', async () => {
    const folder = await copyFolder(bundle)
    await rm(join(folder, 'manifest.json'))

    expect((await (await createIsolated({}))(folder)).code).toBe(0)
    expect((await (await createIsolated())(folder, '--allow', 'unsigned-bundle')).code).toBe(0)
  })
})
