import { execFileSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
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

const DOCUMENTATION_PACKAGES = ['@scalar', 'highlight.js']

/** Compiling is slow on a computer that runs other tests at the same time. */
const COMPILE_TIMEOUT_MS = 600_000

const node = (...args: readonly string[]) =>
  execFileSync(process.execPath, args, { encoding: 'utf8', cwd: root, stdio: 'pipe' })

/** What `npm run build` reads and what it writes last. */
const BUILD_INPUTS = [
  'service/src',
  'service/scripts',
  'service/package.json',
  'service/tsconfig.build.json',
  'tsconfig.base.json',
  'package-lock.json',
]
const LAST_BUILT_FILE = join(service, 'dist/documentation/highlighted-code.json')

/** Returns whether `npm run build` has run since the last change. CI runs it before the tests. */
async function isBuilt(): Promise<boolean> {
  if (!existsSync(LAST_BUILT_FILE)) return false
  const { mtimeMs: builtAt } = statSync(LAST_BUILT_FILE)
  const inputs = BUILD_INPUTS.map((name) => join(root, name))
  for (const folder of inputs.filter((path) => statSync(path).isDirectory()))
    inputs.push(...(await readdir(folder, { recursive: true })).map((path) => join(folder, path)))
  // A deleted file changes the time of its folder.
  return inputs.every((path) => statSync(path).mtimeMs < builtAt)
}

/**
 * Copies or builds the service as `npm run build` does, and links all packages except the development packages of the
 * documentation.
 */
async function install(): Promise<void> {
  if (await isBuilt()) {
    await cp(join(service, 'dist'), dist, { recursive: true })
  } else {
    // The static checks verify the types.
    const compiler = join(root, 'node_modules/typescript/bin/tsc')
    node(compiler, '-p', join(service, 'tsconfig.build.json'), '--noCheck', '--outDir', dist)
    node(join(service, 'scripts/write-documentation-files.ts'), dist)
  }
  for (const part of ['bin', 'migrations', 'package.json'])
    await cp(join(service, part), join(folder, part), { recursive: true })
  await mkdir(join(folder, 'node_modules'))
  for (const name of await readdir(join(root, 'node_modules'))) {
    if (!DOCUMENTATION_PACKAGES.includes(name))
      await symlink(join(root, 'node_modules', name), join(folder, 'node_modules', name))
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
      stdout: expect.stringContaining('accounts/0002_keys_and_admissions applied'),
    })
    expect(account).toMatchObject({ code: 0, stdout: '1\n' })
  })

  /** Runs the startup check of a documentation file in a separate process, and searches the file for a text. */
  const searchFile = (name: 'SCALAR_BUNDLE' | 'HIGHLIGHTED_CODE', text: string) =>
    node(
      '--input-type=module',
      '--eval',
      `const files = await import(${JSON.stringify(join(dist, 'documentation/built-files.js'))})
       files.assertBuiltFile(files.${name})
       console.log((await files.loadBuiltFile(files.${name})).includes('${text}'))`,
    )

  it('serves the documentation files from dist, without the packages that computed them', async () => {
    expect(searchFile('SCALAR_BUNDLE', 'createApiReference')).toBe('true\n')
    expect(searchFile('HIGHLIGHTED_CODE', 'hljs-variable')).toBe('true\n')
  })

  it('refuses to start if the build did not write the documentation files', async () => {
    for (const file of ['scalar.js', 'highlighted-code.json']) await rm(join(dist, 'documentation', file))
    expect(() => searchFile('SCALAR_BUNDLE', '')).toThrow('The browser script of /docs is missing')
    expect(() => searchFile('HIGHLIGHTED_CODE', '')).toThrow('The highlighted code of /docs/guide is missing')
  })
})
