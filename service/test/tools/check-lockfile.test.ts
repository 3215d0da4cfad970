// Tests of the lockfile checker: each test adds one violation to a small valid repository.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkLockfile } from '../../../tools/check-lockfile.ts'
import { writeTemporaryDirectory } from '../feeds/temporary-files.ts'

const REPOSITORY = join(import.meta.dirname, '../../..')

const RECORD = 'docs/adr/0004-dependencies.md'
const recordOf = (...names: readonly string[]) =>
  [
    '| package | job | kept by |',
    '|---|---|---|',
    ...names.map((name) => `| ${name} | a job | one |`),
    '',
    'Text.',
  ].join('\n')

const VALID_REPOSITORY = {
  'package.json': {
    workspaces: ['service', 'cli'],
    allowScripts: { builder: true },
    devDependencies: { builder: '1.0.0' },
  },
  'service/package.json': { dependencies: { pg: '8.23.1' }, devDependencies: { early: '2.0.0-beta.1' } },
  'cli/package.json': { dependencies: { 'vis-sdk': '0.1.0' } },
  'package-lock.json': {
    packages: {
      '': {},
      service: { dependencies: { pg: '8.23.1' } },
      'node_modules/vis-sdk': { resolved: 'sdk', link: true },
      'node_modules/pg': { integrity: 'sha512-a' },
      'node_modules/builder': { integrity: 'sha512-b', hasInstallScript: true },
    },
  },
  [RECORD]: recordOf('pg'),
}

async function check(files: Readonly<Record<string, unknown>>) {
  const texts = Object.entries({ ...VALID_REPOSITORY, ...files }).map(
    ([path, content]) => [path, typeof content === 'string' ? content : JSON.stringify(content)] as const,
  )
  const root = await writeTemporaryDirectory(Object.fromEntries(texts))
  execFileSync('git', ['init', '--quiet'], { cwd: root, env: { ...process.env, GIT_DIR: undefined } })
  return checkLockfile(root)
}

const locked = (name: string, entry: object) => ({
  'package-lock.json': {
    packages: { ...VALID_REPOSITORY['package-lock.json'].packages, [`node_modules/${name}`]: entry },
  },
})
/** Adds packages that pg needs. */
const closure = (needed: Readonly<Record<string, object>>) => ({
  'package-lock.json': {
    packages: {
      ...VALID_REPOSITORY['package-lock.json'].packages,
      'node_modules/pg': { integrity: 'sha512-a', dependencies: needed },
      ...Object.fromEntries(Object.entries(needed).map(([name, entry]) => [`node_modules/${name}`, entry])),
    },
  },
})
const serviceManifest = (manifest: object) => ({
  'service/package.json': { ...VALID_REPOSITORY['service/package.json'], ...manifest },
})
/**
 * Joins the parts of a path such as a home folder at run time, so that this source file itself contains no such path.
 */
const path = (...parts: readonly string[]) => ['', ...parts, ''].join('/')

describe('The lockfile check', () => {
  it('finds no violation in this repository', () => {
    const { packages, files, violations } = checkLockfile(REPOSITORY)

    expect(violations).toEqual([])
    expect(packages).toBeGreaterThan(100)
    expect(files).toBeGreaterThan(50)
  })

  it('accepts linked workspaces, permitted install scripts and pre-release versions', async () => {
    expect(await check({})).toMatchObject({ packages: 3, files: 5, violations: [] })
  })

  it.each([
    [
      'a package with a download address',
      locked('pg', { resolved: 'https://example.org/pg.tgz', integrity: 'sha512-a' }),
      /pg has a download address/,
    ],
    ['a package without a hash', locked('pg', {}), /pg has no hash/],
    [
      'a package with an install script',
      locked('pg', { integrity: 'sha512-a', hasInstallScript: true }),
      /^pg has an install script/,
    ],
    [
      'a nested package with an install script',
      locked('a/node_modules/@b/c', { integrity: 's', hasInstallScript: true }),
      /^@b\/c has an install script/,
    ],
    [
      'a permission for a package without an install script',
      locked('builder', { integrity: 'sha512-b' }),
      /allowScripts names builder/,
    ],
    [
      'a caret range',
      serviceManifest({ dependencies: { pg: '^8.23.1' } }),
      /^service\/package\.json: pg is "\^8\.23\.1"/,
    ],
    ['a tilde range', serviceManifest({ devDependencies: { pg: '~8.23.1' } }), /pg is "~8\.23\.1"/],
    [
      'a distribution tag instead of a version',
      serviceManifest({ optionalDependencies: { pg: 'latest' } }),
      /pg is "latest"/,
    ],
    [
      'a version range in the root manifest',
      { 'package.json': { ...VALID_REPOSITORY['package.json'], devDependencies: { a: '1.x' } } },
      /^package\.json: a is/,
    ],
    ['a runtime dependency without a recorded reason', { [RECORD]: recordOf() }, /no row for pg/],
    ['a recorded reason without a dependency', { [RECORD]: recordOf('pg', 'left-pad') }, /left-pad is no runtime/],
    [
      'a deprecated package that a runtime dependency needs',
      closure({ old: { integrity: 'sha512-c', deprecated: 'no longer kept' } }),
      /old is deprecated: no longer kept/,
    ],
    [
      'more than 110 runtime packages',
      closure(Object.fromEntries(Array.from({ length: 110 }, (_, n) => [`p${n}`, { integrity: 'sha512-c' }]))),
      /111 runtime packages/,
    ],
    [
      'a path in a home folder',
      { 'README.md': `first\ncd ${path('home', 'ann', 'vis')}` },
      /^README\.md:2: .* of one machine/,
    ],
    ["a path in root's home folder", { 'a/run.sh': `"${path('root')}x"` }, /^a\/run\.sh:1: .* one machine/],
    ['a path in a work folder', { 'a.ts': `'${path('work', 'main')}'` }, /^a\.ts:1: .* one machine/],
    ['a registry host', { '.npmrc': ['registry', 'npmjs', 'org'].join('.') }, /^\.npmrc:1: .* package registry/],
  ])('rejects %s', async (_what, files, violation) => {
    expect((await check(files)).violations).toEqual([expect.stringMatching(violation)])
  })

  it.each([
    [
      'a URL whose path looks like a machine path',
      `https://example.org${path('root')}a and .${path('work')}b and {folder}${path('work')}c`,
    ],
    ['the word registry in code', 'registry.metrics()'],
    ['a machine path in binary data', `\0${path('root')}`],
  ])('accepts %s', async (_what, text) => {
    expect((await check({ 'a.ts': text })).violations).toEqual([])
  })

  it('ignores files that git ignores', async () => {
    const { files, violations } = await check({ '.gitignore': '.env\n', '.env': path('root') })

    expect({ files, violations }).toEqual({ files: 6, violations: [] })
  })

  it('lists the direct and indirect runtime packages, and those with a single author', async () => {
    const { runtime } = await check({
      ...closure({ helper: { integrity: 'sha512-c' } }),
      'node_modules/helper/package.json': { author: 'Ann <ann@example.org>', contributors: [{ name: 'Ann' }] },
      'node_modules/pg/package.json': { author: 'Ann', maintainers: ['Bob'] },
    })

    expect(runtime.packages).toEqual(['node_modules/helper', 'node_modules/pg'])
    expect(runtime.oneAuthor).toEqual(['helper'])
  })

  it('finds the copy of a package that is nested below the package that needs it', async () => {
    const { runtime } = await check({
      'package-lock.json': {
        packages: {
          ...VALID_REPOSITORY['package-lock.json'].packages,
          'node_modules/pg': { integrity: 'sha512-a', dependencies: { helper: '1.0.0' } },
          'node_modules/helper': { integrity: 'sha512-c' },
          'node_modules/pg/node_modules/helper': { integrity: 'sha512-d' },
        },
      },
    })

    expect(runtime.packages).toEqual(['node_modules/pg', 'node_modules/pg/node_modules/helper'])
  })
})
