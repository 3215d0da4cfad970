// A small repository, whole at first, with one planted fault at a time.
import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { checkLockfile } from '../../../tools/check-lockfile.ts'

const REPOSITORY = join(import.meta.dirname, '../../..')
const roots: string[] = []

afterAll(() => Promise.all(roots.map((root) => rm(root, { recursive: true }))))

const WHOLE = {
  'package.json': {
    workspaces: ['service', 'cli'],
    allowScripts: { builder: true },
    devDependencies: { builder: '1.0.0' },
  },
  'service/package.json': { dependencies: { pg: '8.23.1' }, devDependencies: { early: '2.0.0-beta.1' } },
  'cli/package.json': { dependencies: { '@vis/sdk': '0.1.0' } },
  'package-lock.json': {
    packages: {
      '': {},
      service: {},
      'node_modules/@vis/sdk': { resolved: 'sdk', link: true },
      'node_modules/pg': { integrity: 'sha512-a' },
      'node_modules/builder': { integrity: 'sha512-b', hasInstallScript: true },
    },
  },
}

async function check(files: Readonly<Record<string, unknown>>) {
  const root = await mkdtemp(join(tmpdir(), 'vis-lockfile-'))
  roots.push(root)
  execFileSync('git', ['init', '--quiet'], { cwd: root, env: { ...process.env, GIT_DIR: undefined } })
  for (const [path, content] of Object.entries({ ...WHOLE, ...files })) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), typeof content === 'string' ? content : JSON.stringify(content))
  }
  return checkLockfile(root)
}

const locked = (name: string, entry: object) => ({
  'package-lock.json': { packages: { ...WHOLE['package-lock.json'].packages, [`node_modules/${name}`]: entry } },
})
const ofService = (manifest: object) => ({ 'service/package.json': manifest })
/** Written apart, so that this file passes the check itself. */
const path = (...parts: readonly string[]) => ['', ...parts, ''].join('/')

describe('what is installed', () => {
  it('is in order in this repository', () => {
    const { packages, files, faults } = checkLockfile(REPOSITORY)

    expect(faults).toEqual([])
    expect(packages).toBeGreaterThan(100)
    expect(files).toBeGreaterThan(50)
  })

  it('may be linked, scripted with permission, and early', async () => {
    expect(await check({})).toEqual({ packages: 3, files: 4, faults: [] })
  })

  it.each([
    [
      'an address',
      locked('pg', { resolved: 'https://example.org/pg.tgz', integrity: 'sha512-a' }),
      /pg has an address/,
    ],
    ['no hash', locked('pg', {}), /pg has no hash/],
    ['a script', locked('pg', { integrity: 'sha512-a', hasInstallScript: true }), /^pg runs code/],
    [
      'a script deep down',
      locked('a/node_modules/@b/c', { integrity: 's', hasInstallScript: true }),
      /^@b\/c runs code/,
    ],
    ['a permission nobody needs', locked('builder', { integrity: 'sha512-b' }), /allowScripts names builder/],
    ['a caret', ofService({ dependencies: { pg: '^8.23.1' } }), /^service\/package\.json: pg is "\^8\.23\.1"/],
    ['a tilde', ofService({ devDependencies: { pg: '~8.23.1' } }), /pg is "~8\.23\.1"/],
    ['a tag', ofService({ optionalDependencies: { pg: 'latest' } }), /pg is "latest"/],
    [
      'a range of the root',
      { 'package.json': { ...WHOLE['package.json'], devDependencies: { a: '1.x' } } },
      /^package\.json: a is/,
    ],
    [
      'too many dependencies',
      ofService({ dependencies: Object.fromEntries(Array.from({ length: 16 }, (_, n) => [`p${n}`, '1.0.0'])) }),
      /16 dependencies at run time/,
    ],
    ['a home folder', { 'README.md': `first\ncd ${path('home', 'ann', 'vis')}` }, /^README\.md:2: .* one machine/],
    ["root's home folder", { 'a/run.sh': `"${path('root')}x"` }, /^a\/run\.sh:1: .* one machine/],
    ['a work folder', { 'a.ts': `'${path('work', 'main')}'` }, /^a\.ts:1: .* one machine/],
    ['a registry', { '.npmrc': ['registry', 'npmjs', 'org'].join('.') }, /^\.npmrc:1: .* package registry/],
  ])('may not have %s', async (_what, files, fault) => {
    expect((await check(files)).faults).toEqual([expect.stringMatching(fault)])
  })

  it.each([
    ['a path of a URL', `https://example.org${path('root')}a and .${path('work')}b and {folder}${path('work')}c`],
    ['a metrics registry', 'registry.metrics()'],
    ['binary data', `\0${path('root')}`],
  ])('is not held to %s', async (_what, text) => {
    expect((await check({ 'a.ts': text })).faults).toEqual([])
  })

  it('leaves out what git ignores', async () => {
    const { files, faults } = await check({ '.gitignore': '.env\n', '.env': path('root') })

    expect({ files, faults }).toEqual({ files: 5, faults: [] })
  })
})
