import { describe, expect, it } from 'vitest'
import { environmentReads } from '../../../tools/environment-reads.ts'

describe('the environment', () => {
  it.each([
    'process.env',
    'process?.env',
    "process['env']",
    'process[`env`]',
    'process[name]',
    '(process as Any).env',
    'process.loadEnvFile()',
    'globalThis.process.env',
    "globalThis['process']['env']",
    'global.process.env',
    'const { env } = process',
    'const { env: settings } = process',
    'const { ...all } = process',
    'const { process: { env } } = globalThis',
    'const { process: alias } = globalThis',
    'const alias = process',
    'use(process)',
    'use({ process })',
    'Reflect.get(process, "env")',
    "import { env } from 'node:process'",
    "import { env as settings } from 'process'",
    "import { default as alias } from 'node:process'",
    "import alias from 'node:process'\nalias.env",
    "import * as alias from 'node:process'\nalias.env",
    "export { env } from 'node:process'",
    "export * from 'process'",
    "const { env } = await import('node:process')",
    "require('process').env",
    "process.getBuiltinModule('node:process').env",
  ])('is read by %s', (text) => {
    expect(environmentReads('planted.ts', text).length).toBeGreaterThan(0)
  })

  it.each([
    'process.exitCode = 1',
    "process['argv']",
    'const { stdout, stderr: errors } = process',
    "typeof process === 'undefined'",
    "import { stdout } from 'node:process'",
    "import alias from 'node:process'\nalias.exit()",
    'job.process.start()',
    'const job = { process: 1, env: 2 }',
    'type Settings = typeof process.env',
    'type Environment = NodeJS.ProcessEnv',
    'const main = (argv: string[], env: Environment) => env.HOME',
    '// process.env',
    "const text = 'process.env'",
    "find('process')",
  ])('is not read by %s', (text) => {
    expect(environmentReads('planted.ts', text)).toEqual([])
  })
})
