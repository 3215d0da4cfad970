import { execFileSync } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEmptyDatabase } from '../support/database.ts'
import { spawnCommand } from '../support/processes/command.ts'

const service = fileURLToPath(new URL('../..', import.meta.url))
const root = join(service, '..')
const folder = await mkdtemp(join(tmpdir(), 'vis-installed-'))
const dist = join(folder, 'dist')
const program = join(folder, 'bin/vis-server.js')
afterAll(() => rm(folder, { recursive: true }))

/** Compiling is slow on a computer that runs other tests at the same time. */
const COMPILE_TIMEOUT_MS = 120_000

const node = (...args: readonly string[]) =>
  execFileSync(process.execPath, args, { encoding: 'utf8', cwd: root, stdio: 'pipe' })

/** Builds the service as `npm run build` does, and links all packages except the development dependency @scalar. */
async function install(): Promise<void> {
  node(join(root, 'node_modules/typescript/bin/tsc'), '-p', join(service, 'tsconfig.build.json'), '--outDir', dist)
  node(join(service, 'scripts/write-scalar-bundle.ts'), dist)
  for (const part of ['bin', 'migrations', 'package.json'])
    await cp(join(service, part), join(folder, part), { recursive: true })
  await mkdir(join(folder, 'node_modules'))
  for (const name of await readdir(join(root, 'node_modules'))) {
    if (name !== '@scalar') await symlink(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  }
}

describe('vis-server installed without sources', () => {
  beforeAll(install, COMPILE_TIMEOUT_MS)

  it('runs from dist and finds its migrations', { timeout: COMPILE_TIMEOUT_MS }, async () => {
    const { url } = await createEmptyDatabase()

    const migrated = await spawnCommand(['migrate'], { DATABASE_URL: url }, program)
    const account = await spawnCommand(
      ['accounts', 'create', '--name', 'Ada', '--plan', 'free'],
      { DATABASE_URL: url },
      program,
    )

    expect(migrated).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('accounts/0002_account_and_key applied'),
    })
    expect(account).toMatchObject({ code: 0, stdout: '1\n' })
  })

  /** Runs the startup check and loads the browser script of /docs in a separate process. */
  const loadBundle = () =>
    node(
      '--input-type=module',
      '--eval',
      `const { assertScalarBundle, loadScalarBundle } = await import(${JSON.stringify(join(dist, 'api/documentation/scalar-bundle.js'))})
       assertScalarBundle()
       console.log((await loadScalarBundle()).includes('createApiReference'))`,
    )

  it('serves the browser script of /docs from dist, without the package @scalar', async () => {
    expect(loadBundle()).toBe('true\n')
  })

  it('refuses to start if the build did not write the browser script of /docs', async () => {
    await rm(join(dist, 'api/documentation/scalar.js'))
    expect(loadBundle).toThrow('The browser script of /docs is missing')
  })
})
