// Compiles every example in the README and in the doc comments of the sdk.
import { execFileSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'

const sdk = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'vis-documented-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Names that an example may use without importing or declaring them. */
const IMPLICIT_NAMES = { createClient: '', isVisError: '', client: 'import("vis-sdk").Client', error: 'unknown' }

function readExamples(file: string): string[] {
  const text = readFileSync(join(sdk, file), 'utf8').replace(/^ *\* ?/gm, '')
  return [...text.matchAll(/```ts\n(.*?)```/gs)].map(([, code = '']) => code)
}

function addMissingNames(code: string): string {
  const missing = Object.entries(IMPLICIT_NAMES).filter(
    ([name]) => !new RegExp(`(const|import \\{.*|catch \\()\\s*\\b${name}\\b`).test(code),
  )
  const lines = missing.map(([name, type]) =>
    type ? `declare const ${name}: ${type}` : `import { ${name} } from 'vis-sdk'`,
  )
  return `${lines.join('\n')}\n${code}\nexport {}\n`
}

describe('SDK documentation', () => {
  const files = ['README.md', ...globSync('src/*.ts', { cwd: sdk })]
  const examples = files.flatMap(readExamples)

  it('contains only examples that compile, in the README and in doc comments', () => {
    for (const [at, code] of examples.entries()) writeFileSync(join(folder, `example-${at}.ts`), addMissingNames(code))
    const compilerOptions = {
      noEmit: true,
      strict: true,
      module: 'nodenext',
      target: 'es2022',
      lib: ['es2022', 'dom'],
      types: [],
      allowImportingTsExtensions: true,
      paths: { 'vis-sdk': [join(sdk, 'src/index.ts')] },
    }
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
    const tsc = join(sdk, '../node_modules/typescript/bin/tsc')

    expect(examples.length).toBeGreaterThan(10)
    execFileSync(process.execPath, [tsc, '-p', folder], { stdio: 'inherit' })
  })
})
