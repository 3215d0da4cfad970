// node tools/check-packages.ts: packs vis-sdk and visctl and checks the packed files with publint and attw.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { packPackages } from './pack-packages.ts'

const PROGRAMS = join(dirname(import.meta.dirname), 'node_modules/.bin')

function run(program: string, ...args: readonly string[]): boolean {
  const { status } = spawnSync(join(PROGRAMS, program), args, { stdio: 'inherit' })
  return status === 0
}

const folder = mkdtempSync(join(tmpdir(), 'vis-check-packages-'))
try {
  const [sdk = '', cli = ''] = packPackages(folder)
  const results = [
    run('publint', 'run', sdk, '--strict'),
    run('publint', 'run', cli, '--strict'),
    // visctl is a program and exports no modules, so only the sdk has types to check.
    run('attw', sdk, '--profile', 'esm-only', '--no-emoji'),
  ]
  if (results.includes(false)) process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
