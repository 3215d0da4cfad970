// node tools/with-postgres-18.ts <command…>: starts a temporary PostgreSQL 18 and runs the command with
// TEST_DATABASE_URL set to the address of this PostgreSQL.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findEmbeddedPackage, startEmbeddedPostgres } from '../service/src/database/embedded-postgres.ts'

const [command, ...args] = process.argv.slice(2)
if (!command) throw new Error('usage: node tools/with-postgres-18.ts <command…>')
if (findEmbeddedPackage() === undefined) {
  process.stderr.write('SKIPPED: the npm package with PostgreSQL 18 is not installed for this platform.\n')
  process.exit(0)
}

const folder = mkdtempSync(join(tmpdir(), 'vis-postgres-18-'))
try {
  const settings = ['fsync=off', 'autovacuum=off', 'jit=off', 'max_connections=300']
  const server = await startEmbeddedPostgres(folder, { settings, trustsEverybody: true })
  process.exitCode = await new Promise<number>((resolve) => {
    const env = { ...process.env, TEST_DATABASE_URL: server.url }
    spawn(command, args, { stdio: 'inherit', env }).on('close', (code) => resolve(code ?? 1))
  })
  await server.stop()
} finally {
  rmSync(folder, { recursive: true, force: true })
}
