// Each rule of tools/import-rules.ts is broken on purpose, in a copy of the real source.
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkImports, type ImportReport } from '../../../tools/check-imports.ts'

const REPOSITORY = join(import.meta.dirname, '../../..')
const WORKSPACES = ['service', 'sdk', 'cli', 'console']
const copies: string[] = []

afterAll(() => Promise.all(copies.map((copy) => rm(copy, { recursive: true }))))

/** A copy of the source, with these files added or replaced. */
async function repositoryWith(files: Readonly<Record<string, string>>): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'vis-imports-'))
  copies.push(copy)
  for (const part of ['package.json', ...WORKSPACES.flatMap((each) => [`${each}/package.json`, `${each}/src`])])
    await cp(join(REPOSITORY, part), join(copy, part), { recursive: true })
  await linkPackages(copy)
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(copy, path)), { recursive: true })
    await writeFile(join(copy, path), text)
  }
  return copy
}

async function linkPackages(copy: string): Promise<void> {
  const packages = (await readdir(join(REPOSITORY, 'node_modules'))).filter((each) => !/^(\.|@vis$)/.test(each))
  await mkdir(join(copy, 'node_modules/@vis'), { recursive: true })
  for (const each of packages) await symlink(join(REPOSITORY, 'node_modules', each), join(copy, 'node_modules', each))
  for (const each of WORKSPACES) await symlink(`../../${each}`, join(copy, 'node_modules/@vis', each))
}

/** Sentences left out; one line each. */
function linesOf({ violations }: ImportReport): string[] {
  return violations.map(({ rule, from, to }) => `${rule}: ${from} → ${to}`)
}

const value = 'export const planted = 1\n'
const imports = (...paths: readonly string[]) => paths.map((path) => `import '${path}'\n`).join('')

describe('the source as it is', () => {
  it('breaks no rule, and was read whole', async () => {
    const report = await checkImports(REPOSITORY)

    expect(linesOf(report)).toEqual([])
    expect(report.modules).toBeGreaterThan(50)
    expect(report.dependencies).toBeGreaterThan(150)
  })
})

/** What is planted, and the one line it must give; `undefined` where it is allowed. */
const IMPORTS: Readonly<Record<string, { from: string; to: string; rule: string | undefined }>> = {
  'domain knows nobody': { from: 'domain', to: 'contract', rule: 'floor-domain' },
  'contract knows domain': { from: 'contract', to: 'domain', rule: undefined },
  'contract does not know database': { from: 'contract', to: 'database', rule: 'floor-contract' },
  'database does not know api': { from: 'database', to: 'api', rule: 'floor-database' },
  'database does not know domain': { from: 'database', to: 'domain', rule: 'floor-database' },
  'accounts knows database': { from: 'accounts', to: 'database', rule: undefined },
  'accounts does not know contract': { from: 'accounts', to: 'contract', rule: 'floor-accounts' },
  'accounts does not know log': { from: 'accounts', to: 'log', rule: 'floor-accounts' },
  'catalog knows contract': { from: 'catalog', to: 'contract', rule: undefined },
  'catalog does not know accounts': { from: 'catalog', to: 'accounts', rule: 'floor-catalog' },
  'catalog does not know feeds': { from: 'catalog', to: 'feeds', rule: 'floor-catalog' },
  'the flow of feeds knows log': { from: 'feeds', to: 'log', rule: undefined },
  'the flow of feeds does not know a feed': { from: 'feeds', to: 'feeds/one', rule: 'floor-feeds' },
  'the flow of feeds does not know api': { from: 'feeds', to: 'api', rule: 'floor-feeds' },
  'a feed knows the flow of feeds': { from: 'feeds/one', to: 'feeds', rule: undefined },
  'a feed does not know another': { from: 'feeds/one', to: 'feeds/two', rule: 'floor-feed' },
  'a feed does not know api': { from: 'feeds/one', to: 'api', rule: 'floor-feed' },
  'a feed does not know catalog': { from: 'feeds/one', to: 'catalog', rule: 'floor-feed' },
  'an endpoint knows the CVE object': { from: 'api/endpoints/one', to: 'api/cve-record', rule: undefined },
  'an endpoint does not know another': { from: 'api/endpoints/one', to: 'api/endpoints/two', rule: 'floor-endpoint' },
  'an endpoint does not know admission': { from: 'api/endpoints/one', to: 'api/admission', rule: 'floor-endpoint' },
  'an endpoint does not know log': { from: 'api/endpoints/one', to: 'log', rule: 'floor-endpoint' },
  'api knows accounts': { from: 'api', to: 'accounts', rule: undefined },
  'api does not know an endpoint': { from: 'api', to: 'api/endpoints/one', rule: 'floor-api' },
  'api does not know the list of endpoints': { from: 'api', to: 'api/endpoints/index', rule: 'floor-api' },
  'api does not know feeds': { from: 'api', to: 'feeds', rule: 'floor-api' },
  'api does not know catalog': { from: 'api', to: 'catalog', rule: 'floor-api' },
  'api does not know config': { from: 'api', to: 'config', rule: 'floor-api' },
  'api does not know commands': { from: 'api', to: 'commands', rule: 'floor-api' },
  'commands knows catalog': { from: 'commands', to: 'catalog', rule: undefined },
  'commands knows config': { from: 'commands', to: 'config', rule: undefined },
  'commands does not know main': { from: 'commands', to: 'main', rule: 'floor-commands' },
}

const FILES = /^(main|config|log|api\/endpoints\/index)$/
const target = (to: string) => `service/src/${FILES.test(to) ? to : `${to}/planted-target`}.ts`
const source = ({ from, to }: { from: string; to: string }) =>
  `service/src/${from}/planted-to-${to.replaceAll('/', '-')}.ts`

describe('a row of the table', () => {
  let lines: readonly string[] = []

  beforeAll(async () => {
    const planted = Object.values(IMPORTS).flatMap((each): [string, string][] => [
      // A type is enough to break the rule.
      [source(each), `import type * as planted from '/${target(each.to)}'\nexport type Planted = typeof planted\n`],
      ...(FILES.test(each.to) ? [] : [[target(each.to), value] as [string, string]]),
    ])
    const relativeImports = planted.map(([path, text]): [string, string] => [
      path,
      text.replace("'/", `'${'../'.repeat(path.split('/').length - 1)}`),
    ])
    const copy = await repositoryWith(Object.fromEntries(relativeImports))
    lines = linesOf(await checkImports(copy)).filter((line) => !line.startsWith('no-orphans-'))
  })

  it.each(Object.entries(IMPORTS))('%s', (_sentence, each) => {
    const reported = lines.filter((line) => line.endsWith(`: ${source(each)} → ${target(each.to)}`))

    expect(reported).toEqual(each.rule ? [`${each.rule}: ${source(each)} → ${target(each.to)}`] : [])
  })

  it('is broken by nothing else', () => {
    const broken = Object.values(IMPORTS).filter(({ rule }) => rule !== undefined)

    expect(lines.filter((line) => line.startsWith('floor-'))).toHaveLength(broken.length)
  })
})

describe('the rules for every module', () => {
  let report: ImportReport | undefined
  const lines = () => (report ? linesOf(report) : [])

  beforeAll(async () => {
    const copy = await repositoryWith({
      'service/src/domain/value-a.ts': `import { b } from './value-b.ts'\nexport const a = () => b\n`,
      'service/src/domain/value-b.ts': `import { a } from './value-a.ts'\nexport const b = () => a\n`,
      'service/src/domain/type-a.ts': `import type { B } from './type-b.ts'\nexport type A = B | 1\n`,
      'service/src/domain/type-b.ts': `export type B = import('./type-a.ts').A[]\n`,
      'service/src/domain/orphan.ts': value,
      'service/src/log.ts': imports('./domain/clock.ts'),
      'service/src/config.ts': imports('./log.ts'),
      'service/src/feeds/index.ts': imports('../domain/clock.ts'),
      'service/src/api/endpoints/index.ts': imports('../server.ts'),
      'service/src/domain/crossing.ts': imports('@vis/sdk', '../../../cli/src/main.ts'),
      'sdk/src/crossing.ts': imports('../../service/src/log.ts'),
      'cli/src/crossing.ts': imports('../../sdk/src/index.ts', '../../service/src/log.ts'),
      'service/test/support/planted.ts': value,
      'service/src/domain/planted.test.ts': value,
      'service/src/domain/outside.ts': imports('../../test/support/planted.ts', './planted.test.ts'),
      'service/src/domain/packages.ts': imports('fast-check', 'vitest', 'pg', 'not-installed-anywhere'),
      'service/src/domain/hidden.ts': `export const load = (name: string) => import(name)\n`,
      'service/src/domain/outsider.ts': `export const { SECRET } = process.env\n`,
      'sdk/src/outsider.ts': `import { env } from 'node:process'\nexport const url = env['VIS_URL']\n`,
      'service/src/billing/invoice.ts': value,
      'service/src/version.ts': value,
      'service/src/api/endpoints/stray.ts': imports('./ping/endpoint.ts'),
      'service/src/api/endpoints/ping/helpers.ts': value,
      'cli/src/utils/text.ts': value,
      'sdk/src/shared/text.ts': value,
      'console/src/app.tsx': value,
    })
    await mkdir(join(copy, 'service/src/empty-floor'))
    report = await checkImports(copy)
  })

  it.each([
    [
      'a cycle',
      'no-cycles: service/src/domain/value-a.ts → service/src/domain/value-b.ts → service/src/domain/value-a.ts',
    ],
    [
      'a cycle of types',
      'no-cycles: service/src/domain/type-a.ts → service/src/domain/type-b.ts → service/src/domain/type-a.ts',
    ],
    ['what log may not know', 'floor-log: service/src/log.ts → service/src/domain/clock.ts'],
    ['what config may not know', 'floor-config: service/src/config.ts → service/src/log.ts'],
    ['more than feeds in their list', 'floor-feed-list: service/src/feeds/index.ts → service/src/domain/clock.ts'],
    [
      'more than endpoints in their list',
      'floor-endpoint-list: service/src/api/endpoints/index.ts → service/src/api/server.ts',
    ],
    ['a module nobody reaches', 'no-orphans-service: service/src/domain/orphan.ts → nobody'],
    ['a workspace without its entry', 'missing-entry: console/src → console/src/main.tsx'],
    ['the service using the sdk', 'no-sdk-in-service: service/src/domain/crossing.ts → sdk/src/index.ts'],
    ['the service using the cli', 'no-workspace-crossing: service/src/domain/crossing.ts → cli/src/main.ts'],
    ['the sdk using the service', 'no-workspace-crossing: sdk/src/crossing.ts → service/src/log.ts'],
    ['the cli using the service', 'no-workspace-crossing: cli/src/crossing.ts → service/src/log.ts'],
    ['the cli using the sdk by its path', 'sdk-by-name: cli/src/crossing.ts → sdk/src/index.ts'],
    ['a file outside src', 'no-way-out-of-src: service/src/domain/outside.ts → service/test/support/planted.ts'],
    ['a test inside src', 'no-tests: service/src/domain/outside.ts → service/src/domain/planted.test.ts'],
    ['an import that leads nowhere', 'no-unresolved-imports: service/src/domain/packages.ts → not-installed-anywhere'],
    ['an import by a computed name', 'hidden-import: service/src/domain/hidden.ts:1 → import(name)'],
    ['the environment in the service', 'environment: service/src/domain/outsider.ts:1 → process.env'],
    ['the environment in the sdk', 'environment: sdk/src/outsider.ts:1 → env'],
    ['a floor nobody named', 'unnamed-floor: service/src/billing/ → no row of the table'],
    ['a floor without a module', 'unnamed-floor: service/src/empty-floor/ → no row of the table'],
    ['a file beside main.ts', 'unnamed-floor: service/src/version.ts → no row of the table'],
    ['a file beside the list of endpoints', 'unnamed-floor: service/src/api/endpoints/stray.ts → no row of the table'],
    ['a folder called utils', 'empty-name: cli/src/utils → utils'],
    ['a folder called shared', 'empty-name: sdk/src/shared → shared'],
    ['a file called helpers', 'empty-name: service/src/api/endpoints/ping/helpers.ts → helpers'],
  ])('name %s', (_what, line) => {
    expect(lines()).toContain(line)
  })

  it('name packages that are not there in production, and leave those alone that are', () => {
    const packages = lines().filter((line) => line.startsWith('no-undeclared-packages: service/src/domain/packages.ts'))

    expect(packages).toEqual([expect.stringMatching('/fast-check/'), expect.stringMatching('/vitest/')])
  })

  it('tell a cycle once', () => {
    expect(lines().filter((line) => line.startsWith('no-cycles'))).toHaveLength(2)
  })

  it('come with a sentence that says what is allowed', () => {
    expect(
      report?.violations.filter(({ allowed }) => !/^[A-Z"].{20,}[.?]$/.test(allowed) && !/ may import /.test(allowed)),
    ).toEqual([])
  })
})

describe('files that were not read', () => {
  /** As with a TypeScript that has no JavaScript API: dependency-cruiser then reads nothing, and is content. */
  const WITHOUT_TYPESCRIPT = `data:text/javascript,${encodeURIComponent(`
    import { registerHooks } from 'node:module'
    registerHooks({
      resolve(specifier, context, next) {
        if (specifier === 'typescript' && context.parentURL.includes('dependency-cruiser')) throw new Error('not here')
        return next(specifier, context)
      },
    })`)}`

  it('fail the check, however many rules are kept', async () => {
    const check = join(REPOSITORY, 'tools/check-imports.ts')
    const run = promisify(execFile)(process.execPath, ['--import', WITHOUT_TYPESCRIPT, check, REPOSITORY])

    await expect(run).rejects.toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/unread-files: service\/src\/main\.ts → not read\n.* 0 were read/),
    })
  })

  it('include a repository without source', async () => {
    const copy = await mkdtemp(join(tmpdir(), 'vis-imports-'))
    copies.push(copy)
    await mkdir(join(copy, 'service/src'), { recursive: true })

    expect(linesOf(await checkImports(copy))).toEqual(['unread-files: every source folder → nothing'])
  })
})
