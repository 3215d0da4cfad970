// node tools/with-postgres-18.ts <command…>: runs a command with TEST_DATABASE_URL pointing at a PostgreSQL 18 of its own.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { embeddedPackage, startEmbeddedPostgres } from '../service/src/database/embedded-postgres.ts'

const [command, ...args] = process.argv.slice(2)
if (!command) throw new Error('usage: node tools/with-postgres-18.ts <command…>')
if (embeddedPackage() === undefined) {
  process.stderr.write(
    'SKIPPED: PostgreSQL 18 comes as an npm package for some platforms only, and is not installed here.\n',
  )
  process.exit(0)
}

const folder = mkdtempSync(join(tmpdir(), 'vis-postgres-18-'))
try {
  const settings = ['fsync=off', 'max_connections=300']
  const server = await startEmbeddedPostgres(folder, { settings, trustsEverybody: true })
  process.exitCode = await new Promise<number>((resolve) => {
    const env = { ...process.env, TEST_DATABASE_URL: server.url }
    spawn(command, args, { stdio: 'inherit', env }).on('close', (code) => resolve(code ?? 1))
  })
  await server.stop()
} finally {
  rmSync(folder, { recursive: true, force: true })
}
