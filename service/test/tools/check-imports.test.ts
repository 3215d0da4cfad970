// Adds one violation of each import rule to a copy of the real source and expects the import checker to find it.
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkImports } from '../../../tools/check-imports.ts'

const REPOSITORY = join(import.meta.dirname, '../../..')
const WORKSPACES = { service: 'vis-service', sdk: 'vis-sdk', cli: 'visctl', console: 'vis-console' }
const copies: string[] = []

afterAll(() => Promise.all(copies.map((copy) => rm(copy, { recursive: true }))))

/** Copies the source of all packages to a temporary folder and adds or replaces the given files. */
async function copyRepository(files: Readonly<Record<string, string>>): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'vis-imports-'))
  copies.push(copy)
  const parts = Object.keys(WORKSPACES).flatMap((each) => [`${each}/package.json`, `${each}/src`])
  for (const part of ['package.json', ...parts]) await cp(join(REPOSITORY, part), join(copy, part), { recursive: true })
  await linkPackages(copy)
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(copy, path)), { recursive: true })
    await writeFile(join(copy, path), text)
  }
  return copy
}

async function linkPackages(copy: string): Promise<void> {
  const own = new Set(Object.values(WORKSPACES))
  const names = (await readdir(join(REPOSITORY, 'node_modules'))).filter((name) => !/^(\.|@vis$)/.test(name))
  await mkdir(join(copy, 'node_modules'))
  for (const name of names.filter((each) => !own.has(each)))
    await symlink(join(REPOSITORY, 'node_modules', name), join(copy, 'node_modules', name))
  for (const [folder, name] of Object.entries(WORKSPACES))
    await symlink(join(copy, folder), join(copy, 'node_modules', name))
}

/** Returns violations of import rules without their explanation, and each cycle once instead of once per module. */
async function findViolations(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const { violations } = await checkImports(await copyRepository(files))
  return violations.map((violation) => violation.split('\n')[0] ?? '')
}

const IN_LAB = 'lab/long/planted.ts'
const VALUE = 'export const planted = 1\n'
const importAll = (...paths: readonly string[]) => paths.map((path) => `import '${path}'\n`).join('')

const manyFiles = (folder: string, count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${folder}/file-${index}.ts`, VALUE]))

/** Test cases: importing folder, imported folder, and the violated rule, or undefined if the import is allowed. */
const LAYER_IMPORTS: readonly (readonly [from: string, to: string, rule: string | undefined])[] = [
  ['domain', 'contract', 'layer-domain'],
  ['contract', 'domain', undefined],
  ['contract', 'database', 'layer-contract'],
  ['database', 'api', 'layer-database'],
  ['database', 'domain', 'layer-database'],
  ['accounts', 'database', undefined],
  ['accounts', 'contract', 'layer-accounts'],
  ['accounts', 'log', 'layer-accounts'],
  ['catalog', 'contract', undefined],
  ['catalog', 'accounts', 'layer-catalog'],
  ['catalog', 'feeds', 'layer-catalog'],
  ['outbound', 'log', undefined],
  ['outbound', 'database', 'layer-outbound'],
  ['feeds', 'log', undefined],
  ['feeds', 'outbound', undefined],
  ['feeds/engine', 'feeds', undefined],
  ['feeds', 'feeds/sources/one', 'layer-feeds'],
  ['feeds', 'api', 'layer-feeds'],
  ['feeds/sources/one', 'feeds', undefined],
  ['feeds/sources/one', 'feeds/formats', undefined],
  ['feeds/sources/one', 'feeds/engine', 'layer-feed-source'],
  ['feeds/sources/one', 'feeds/sources/two', 'layer-feed-source'],
  ['feeds/sources/one', 'api', 'layer-feed-source'],
  ['feeds/sources/one', 'catalog', 'layer-feed-source'],
  ['api/endpoints/one', 'api/cve-record', undefined],
  ['search', 'record', undefined],
  ['search', 'matching', 'layer-search'],
  ['search', 'api', 'layer-search'],
  ['matching', 'search', undefined],
  ['matching', 'api', 'layer-matching'],
  ['api/endpoints/one', 'search', undefined],
  ['api/endpoints/one', 'matching', undefined],
  ['api/endpoints/one', 'api/endpoints/two', 'layer-endpoint'],
  ['api/endpoints/one', 'api/admission', 'layer-endpoint'],
  ['api/endpoints/one', 'log', 'layer-endpoint'],
  ['api', 'accounts', undefined],
  ['api', 'api/endpoints/one', 'layer-api'],
  ['api', 'api/endpoints/index', 'layer-api'],
  ['api', 'feeds', 'layer-api'],
  ['api', 'catalog', 'layer-api'],
  ['api', 'console', 'layer-api'],
  ['api', 'documentation', 'layer-api'],
  ['console', 'api', undefined],
  ['console', 'catalog', 'layer-console'],
  ['documentation', 'api', undefined],
  ['documentation', 'api/endpoints/one', 'layer-documentation'],
  ['documentation', 'accounts', 'layer-documentation'],
  ['api', 'config', 'layer-api'],
  ['api', 'commands', 'layer-api'],
  ['runtime', 'feeds', undefined],
  ['runtime', 'commands', 'layer-runtime'],
  ['commands', 'catalog', undefined],
  ['commands', 'config', undefined],
  ['commands', 'main', 'layer-commands'],
]

const SINGLE_FILES = /^(main|config|log|api\/endpoints\/index)$/
const importedFile = (to: string) => `service/src/${SINGLE_FILES.test(to) ? to : `${to}/planted-target`}.ts`
const importingFile = (from: string, to: string) => `service/src/${from}/planted-to-${to.replaceAll('/', '-')}.ts`

/** The files that have the imports of LAYER_IMPORTS. */
function plantLayerImports(): Readonly<Record<string, string>> {
  const files: Record<string, string> = {}
  for (const [from, to] of LAYER_IMPORTS) {
    const upward = '../'.repeat(importingFile(from, to).split('/').length - 1)
    // A type import is enough to violate a layer rule.
    files[importingFile(from, to)] =
      `import type * as planted from '${upward}${importedFile(to)}'\nexport type Planted = typeof planted\n`
    if (!SINGLE_FILES.test(to)) files[importedFile(to)] = VALUE
  }
  return files
}

/** Files that violate the other rules. */
const OTHER_IMPORTS: Readonly<Record<string, string>> = {
  ...manyFiles('service/src/domain/crowded', 26),
  'service/src/domain/left/one.ts': importAll('../right/two.ts'),
  'service/src/domain/right/two.ts': VALUE,
  'service/src/domain/right/three.ts': importAll('../left/four.ts'),
  'service/src/domain/left/four.ts': VALUE,
  'service/src/domain/value-a.ts': `import { b } from './value-b.ts'\nexport const a = () => b\n`,
  'service/src/domain/value-b.ts': `import { a } from './value-a.ts'\nexport const b = () => a\n`,
  'service/src/domain/type-a.ts': `import type { B } from './type-b.ts'\nexport type A = B | 1\n`,
  'service/src/domain/type-b.ts': `export type B = import('./type-a.ts').A[]\n`,
  'service/src/domain/dead.ts': VALUE,
  'service/src/log.ts': importAll('./contract/response/errors.ts'),
  'service/src/config.ts': importAll('./log.ts'),
  'service/src/feeds/index.ts': importAll('../domain/clock.ts'),
  'service/src/api/endpoints/index.ts': importAll('../server.ts'),
  'service/src/domain/crossing.ts': importAll('vis-sdk', '../../../cli/src/main.ts'),
  'sdk/src/crossing.ts': importAll('../../service/src/log.ts'),
  'cli/src/crossing.ts': importAll('../../sdk/src/index.ts', '../../service/src/log.ts'),
  'service/test/support/planted.ts': importAll(`../../../${IN_LAB}`),
  [IN_LAB]: importAll('../../service/src/log.ts'),
  'tools/planted.ts': `new URL('../${IN_LAB}', import.meta.url)`,
  'service/src/domain/planted.test.ts': VALUE,
  'service/src/domain/outside.ts': importAll('../../test/support/planted.ts', './planted.test.ts'),
  'service/src/domain/packages.ts': importAll('fast-check', 'vitest', 'pg', 'not-installed-anywhere'),
  'service/src/billing/invoice.ts': VALUE,
  'service/src/main.ts': importAll('./billing/invoice.ts'),
  'cli/src/utils/text.ts': VALUE,
  'cli/src/uses-utils.ts': importAll('./utils/text.ts'),
  'console/src/kit/uses-data.ts': importAll('../data/client.ts', '../../../sdk/src/index.ts'),
  'console/src/pages/cve/uses-page.ts': importAll('../status/page.tsx', '../../app/router.tsx', '../../kit/page.tsx'),
}

describe('Import checker', () => {
  let violations: readonly string[] = []

  // Reading the source takes seconds, so all violations are in one copy.
  beforeAll(async () => {
    violations = await findViolations({ ...plantLayerImports(), ...OTHER_IMPORTS })
  })

  it.each(LAYER_IMPORTS)(
    'checks an import from %s to %s and reports the violated rule %s (undefined if allowed)',
    (from, to, rule) => {
      const edge = `${importingFile(from, to)} → ${importedFile(to)}`
      const found = violations.filter((line) => line.startsWith('layer-') && line.endsWith(`: ${edge}`))

      expect(found).toEqual(rule ? [`${rule}: ${edge}`] : [])
    },
  )

  it('reports no other import between layers', () => {
    const found = violations.filter((line) => line.startsWith('layer-') && line.includes('/planted-to-'))

    expect(found).toHaveLength(LAYER_IMPORTS.filter(([, , rule]) => rule !== undefined).length)
  })

  it.each([
    'no-cycles: service/src/domain/value-a.ts → service/src/domain/value-b.ts → service/src/domain/value-a.ts',
    'no-cycles: service/src/domain/type-a.ts → service/src/domain/type-b.ts → service/src/domain/type-a.ts',
    'layer-log: service/src/log.ts → service/src/contract/response/errors.ts',
    'layer-config: service/src/config.ts → service/src/log.ts',
    'layer-feed-list: service/src/feeds/index.ts → service/src/domain/clock.ts',
    'layer-endpoint-list: service/src/api/endpoints/index.ts → service/src/api/server.ts',
    'no-dead-modules-service: service/src/domain/dead.ts → service/src/domain/dead.ts',
    'no-sdk-in-service: service/src/domain/crossing.ts → sdk/src/index.ts',
    'no-workspace-crossing: service/src/domain/crossing.ts → cli/src/main.ts',
    'no-workspace-crossing: sdk/src/crossing.ts → service/src/log.ts',
    'no-workspace-crossing: cli/src/crossing.ts → service/src/log.ts',
    'sdk-by-name: cli/src/crossing.ts → sdk/src/index.ts',
    'only-src-ships: service/src/domain/outside.ts → service/test/support/planted.ts',
    'no-tests-in-src: service/src/domain/outside.ts → service/src/domain/planted.test.ts',
    'no-unresolved-imports: service/src/domain/packages.ts → not-installed-anywhere',
    'unknown-layer: service/src/main.ts → service/src/billing/invoice.ts',
    'no-vague-names: cli/src/uses-utils.ts → cli/src/utils/text.ts',
    'sdk-by-name: console/src/kit/uses-data.ts → sdk/src/index.ts',
    'console-kit: console/src/kit/uses-data.ts → console/src/data/client.ts',
    'console-page: console/src/pages/cve/uses-page.ts → console/src/pages/status/page.tsx',
    'console-page: console/src/pages/cve/uses-page.ts → console/src/app/router.tsx',
    `nothing-imports-lab: service/test/support/planted.ts → ${IN_LAB}`,
    `nothing-imports-lab: tools/planted.ts → ${IN_LAB}`,
  ])('reports the violation %s', (violation) => {
    expect(violations).toContain(violation)
  })

  it('reports imports of development packages and allows declared packages', () => {
    const lines = violations.filter((line) => line.startsWith('no-undeclared-packages: service/src/domain/packages.ts'))

    expect(lines).toEqual([expect.stringMatching('/fast-check/'), expect.stringMatching('/vitest/')])
  })
})

describe('Import checker: unread files', () => {
  /**
   * Hides the typescript package from dependency-cruiser, the tool that checks imports. Without that package, the tool
   * reads no file and reports success.
   */
  const WITHOUT_TYPESCRIPT = `data:text/javascript,${encodeURIComponent(`
    import { registerHooks } from 'node:module'
    registerHooks({
      resolve(specifier, context, next) {
        if (specifier === 'typescript' && context.parentURL.includes('dependency-cruiser')) throw new Error('hidden')
        return next(specifier, context)
      },
    })`)}`

  it('fails and names the unread files', async () => {
    const script = join(REPOSITORY, 'tools/check-imports.ts')
    const run = promisify(execFile)(process.execPath, ['--import', WITHOUT_TYPESCRIPT, script, REPOSITORY])

    await expect(run).rejects.toMatchObject({
      code: 1,
      stdout: expect.stringContaining('unread-files: dependency-cruiser did not read service/src/main.ts'),
    })
  })

  it('fails for a repository without source files', async () => {
    const copy = await mkdtemp(join(tmpdir(), 'vis-imports-'))
    copies.push(copy)
    for (const folder of Object.keys(WORKSPACES)) await mkdir(join(copy, folder, 'src'), { recursive: true })

    expect((await checkImports(copy)).violations).toEqual(['unread-files: there is no source file'])
  })
})
