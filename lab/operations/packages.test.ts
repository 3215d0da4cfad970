// Packs vis-sdk and visctl, installs them into an empty project, and uses them there, with the Node of the repository or
// with the one that TEST_NODE names (tools/with-node.ts).
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runProgram, startVisctlSetup } from '../../cli/test/visctl-setup.ts'
import { cve } from '../../service/test/support/catalog/cve-builder.ts'
import { referencesIn } from '../../tools/docs/markdown.ts'
import { packPackages } from '../../tools/pack-packages.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = await mkdtemp(join(tmpdir(), 'vis-packages-'))
afterAll(() => rm(folder, { recursive: true }))

/** Timeout for compiling and packing, which are slow while other tests run. */
const PACKING_TIMEOUT_MS = 600_000

const { given, key, url } = await startVisctlSetup()
await given(cve('CVE-2021-44228', { score: 10 }))

function runNpm(cwd: string, ...args: readonly string[]): string {
  const flags = ['--offline', '--no-audit', '--no-fund', '--loglevel=error']
  return execFileSync('npm', [...args, ...flags], { cwd, encoding: 'utf8', stdio: 'pipe' })
}

const runOnTestNode = (program: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runProgram(program, args, env, '', process.env['TEST_NODE'])

/** Returns whether the Node.js under test contains SQLite without a flag: from 22.13 on. */
function hasSqlite(): boolean {
  const program = "process.getBuiltinModule('node:sqlite') !== undefined"
  return execFileSync(process.env['TEST_NODE'] ?? process.execPath, ['-p', program], { encoding: 'utf8' }) === 'true\n'
}

beforeAll(async () => {
  const packed = packPackages(folder)
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  runNpm(folder, 'install', ...packed.map((file) => `./${basename(file)}`))
}, PACKING_TIMEOUT_MS)

describe('Packed and installed packages', () => {
  it('vis-sdk works after installation', async () => {
    const program = `import { createClient } from 'vis-sdk'
      const { cve_id, cvss } = await createClient({ url: process.argv[2], apiKey: process.argv[3] }).cve('CVE-2021-44228')
      console.log(cve_id, cvss.v3_1.baseScore)`
    await writeFile(join(folder, 'use.js'), program)

    expect(await runOnTestNode(join(folder, 'use.js'), [url, key])).toEqual({
      code: 0,
      stdout: 'CVE-2021-44228 10\n',
      stderr: '',
    })
    expect((await readdir(join(folder, 'node_modules'))).filter((name) => !name.startsWith('.'))).toEqual([
      'commander',
      'vis-sdk',
      'visctl',
    ])
  })

  it(
    'vis-sdk has types that compile in a strict project without @types/node',
    async () => {
      const program = `import { createClient } from 'vis-sdk'
      export const scores = async (): Promise<(number | null)[]> =>
        Object.values((await createClient({ url: '', apiKey: '' }).batch([], { fields: ['severity'] })).cves).map(({ severity }) => severity)`
      await writeFile(join(folder, 'use.ts'), program)
      const compilerOptions = {
        noEmit: true,
        strict: true,
        module: 'nodenext',
        target: 'es2022',
        lib: ['es2022', 'dom'],
      }
      await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['use.ts'] }))
      const compiler = join(root, 'node_modules/typescript/bin/tsc')

      expect(execFileSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8' })).toBe('')
    },
    PACKING_TIMEOUT_MS,
  )

  it.skipIf(hasSqlite())('visctl mirror states the required Node.js version when Node.js lacks SQLite', async () => {
    const visctl = join(folder, 'node_modules/visctl/bin/visctl.js')
    const environment = { VIS_URL: url, VIS_API_KEY: key }

    const { code, stderr } = await runOnTestNode(visctl, ['mirror', '--into', join(folder, 'copy')], environment)

    expect([code, stderr]).toEqual([2, expect.stringContaining('visctl mirror requires Node.js 22.13 or newer')])
  })

  it('visctl runs from dist', async () => {
    const visctl = join(folder, 'node_modules/visctl/bin/visctl.js')
    const { code, stdout, stderr } = await runOnTestNode(visctl, ['get', 'CVE-2021-44228'], {
      VIS_URL: url,
      VIS_API_KEY: key,
    })

    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toContain('CRITICAL 10.0')
    expect((await readdir(join(folder, 'node_modules/visctl'))).sort()).toEqual([
      'LICENSE',
      'README.md',
      'bin',
      'dist',
      'package.json',
    ])
  })

  it('the vis-sdk examples run from node_modules', async () => {
    const example = join(folder, 'node_modules/vis-sdk/examples/rank-cves.js')

    expect(await runOnTestNode(example, ['CVE-2021-44228'], { VIS_URL: url, VIS_API_KEY: key })).toEqual({
      code: 0,
      stdout: 'CVE-2021-44228   10.0  unknown in 30 days\n',
      stderr: '',
    })
  })

  it.each(['vis-sdk', 'visctl'])('%s names its repository and contains the license', async (name) => {
    const installed = join(folder, 'node_modules', name)
    const { license, repository } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'))

    expect(license).toBe('Apache-2.0')
    expect(repository).toEqual({
      type: 'git',
      url: expect.stringMatching(/^git\+https:.*\.git$/),
      directory: name === 'visctl' ? 'cli' : 'sdk',
    })
    expect(await readFile(join(installed, 'LICENSE'), 'utf8')).toBe(await readFile(join(root, 'LICENSE'), 'utf8'))
  })

  it.each(['vis-sdk', 'visctl'])("the README of %s has absolute links to the repository's files", async (name) => {
    const installed = join(folder, 'node_modules', name)
    const { version, repository } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'))
    const readme = await readFile(join(installed, 'README.md'), 'utf8')
    const pages = `${repository.url.replace('git+', '').replace(/\.git$/, '')}/blob/v${version}/`
    const links = referencesIn(readme).filter(({ kind, text }) => kind === 'link' && !text.startsWith('#'))

    expect(links.length).toBeGreaterThan(1)
    for (const { text } of links) {
      expect(text.startsWith(pages), text).toBe(true)
      expect(existsSync(join(root, text.slice(pages.length))), text).toBe(true)
    }
  })

  it('vis-sdk is smaller than 12 kB compressed, with comments and unminified', async () => {
    const dist = join(folder, 'node_modules/vis-sdk/dist')
    const scripts = (await readdir(dist)).filter((name) => name.endsWith('.js'))
    const texts = await Promise.all(scripts.map((name) => readFile(join(dist, name), 'utf8')))

    // The README of the sdk states the minified size, which is about half of the size measured here.
    expect(gzipSync(texts.join('')).length).toBeLessThan(12_000)
  })
})
