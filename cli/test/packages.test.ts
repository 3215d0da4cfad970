// The packages as others get them: packed, installed into an empty project, and used from there.
import { execFileSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cve } from '../../service/test/support/catalog/cve-builder.ts'
import { run, world } from './world.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = await mkdtemp(join(tmpdir(), 'vis-packages-'))
afterAll(() => rm(folder, { recursive: true }))

/** Compiling and npm, on a machine that runs other tests at the same time. */
const PACKING_TAKES_MS = 180_000

const { given, key, url } = await world()
await given(cve('CVE-2021-44228', { score: 10 }))

function npm(cwd: string, ...words: readonly string[]): string {
  const flags = ['--offline', '--no-audit', '--no-fund', '--loglevel=error']
  return execFileSync('npm', [...words, ...flags], { cwd, encoding: 'utf8', stdio: 'pipe' })
}

beforeAll(async () => {
  for (const workspace of ['sdk', 'cli']) npm(root, 'pack', '--workspace', workspace, '--pack-destination', folder)
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  const packed = (await readdir(folder)).filter((name) => name.endsWith('.tgz'))
  npm(folder, 'install', ...packed.map((name) => `./${name}`))
}, PACKING_TAKES_MS)

describe('Packed and installed', () => {
  it('the sdk brings nothing else with it, and answers', async () => {
    const program = `import { createClient } from '@vis/sdk'
      const { cve_id, cvss } = await createClient({ url: process.argv[2], apiKey: process.argv[3] }).cve('CVE-2021-44228')
      console.log(cve_id, cvss.v3_1.baseScore)`
    await writeFile(join(folder, 'use.js'), program)

    expect(await run(join(folder, 'use.js'), [url, key], {})).toEqual({
      code: 0,
      stdout: 'CVE-2021-44228 10\n',
      stderr: '',
    })
    expect((await readdir(join(folder, 'node_modules'))).filter((name) => !name.startsWith('.'))).toEqual(['@vis'])
  })

  it('the sdk has types that a strict project can use, without types of Node', async () => {
    const program = `import { createClient } from '@vis/sdk'
      export const scores = async (): Promise<(number | null)[]> =>
        Object.values((await createClient({ url: '', apiKey: '' }).batch([], { fields: ['severity'] })).cves).map(({ severity }) => severity)`
    await writeFile(join(folder, 'use.ts'), program)
    const compilerOptions = { noEmit: true, strict: true, module: 'nodenext', target: 'es2022', lib: ['es2022', 'dom'] }
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['use.ts'] }))
    const compiled = await run(join(root, 'node_modules/typescript/bin/tsc'), ['-p', folder], {})

    expect(compiled).toEqual({ code: 0, stdout: '', stderr: '' })
  })

  it('vis runs from dist', async () => {
    const vis = join(folder, 'node_modules/@vis/cli/bin/vis.js')
    const { code, stdout, stderr } = await run(vis, ['get', 'CVE-2021-44228'], { VIS_URL: url, VIS_API_KEY: key })

    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toContain('CRITICAL 10.0')
    expect((await readdir(join(folder, 'node_modules/@vis/cli'))).sort()).toEqual([
      'README.md',
      'bin',
      'dist',
      'package.json',
    ])
  })

  it('the sdk is small: its README says how small', async () => {
    const dist = join(folder, 'node_modules/@vis/sdk/dist')
    const scripts = (await readdir(dist)).filter((name) => name.endsWith('.js'))
    const texts = await Promise.all(scripts.map((name) => readFile(join(dist, name), 'utf8')))

    // With comments and long names; minified it is little more than half of that.
    expect(gzipSync(texts.join('')).length).toBeLessThan(7_000)
  })
})
