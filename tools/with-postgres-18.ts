// node tools/with-postgres-18.ts <command…>: starts a temporary PostgreSQL 18 and runs the command with
// TEST_DATABASE_URL set to its address.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findEmbeddedPackage, startEmbeddedPostgres } from '../service/src/database/embedded-postgres.ts'

const [program = '', ...args] = process.argv.slice(2)
if (program === '') throw new Error('usage: node tools/with-postgres-18.ts <command…>')

if (findEmbeddedPackage() === undefined) {
  process.stderr.write(
    'SKIPPED: PostgreSQL 18, whose npm package is not installed for this platform. The installed PostgreSQL is used.\n',
  )
  process.exitCode = await run(process.env)
} else {
  const folder = mkdtempSync(join(tmpdir(), 'vis-postgres-18-'))
  try {
    const settings = ['fsync=off', 'autovacuum=off', 'jit=off', 'max_connections=300']
    const server = await startEmbeddedPostgres(folder, { settings, trustsEverybody: true })
    process.exitCode = await run({ ...process.env, TEST_DATABASE_URL: server.url })
    await server.stop()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function run(env: NodeJS.ProcessEnv): Promise<number> {
  return new Promise((resolve) => {
    spawn(program, args, { stdio: 'inherit', env }).on('close', (code) => resolve(code ?? 1))
  })
}
