// Loads a folder of upstream files into a database through vis-server sync, and publishes the result.
import { fileURLToPath } from 'node:url'
import { runMeasuredCommand } from '../processes/measured-command.ts'
import { beginFirstLoad } from './first-load.ts'

/** Clock time for tests with the real data: the end of the day on which the files were downloaded. */
export const REAL_DATA_NOW = '2026-08-22T23:59:59Z'
/** Thirty notices about real CVEs, written for tests, because the real data contain no ACSC notices. */
const NOTICES = fileURLToPath(new URL('../../../../conformance/notices', import.meta.url))

/** Loads the real upstream files and the notices. Publishes once, at the end. */
export async function loadCatalog(url: string, folder: string): Promise<void> {
  await beginFirstLoad(url)
  await sync(url, REAL_DATA_NOW, ['--no-publish', '--from', folder])
  await loadNotices(url)
}

/** Adds the notices to a catalog with the real data, and publishes it. */
export async function loadNotices(url: string): Promise<void> {
  await sync(url, REAL_DATA_NOW, ['acsc', '--from', NOTICES])
}

/** Loads every feed that has files in the folder, and publishes the catalog. */
export async function loadFolder(url: string, folder: string, now: string): Promise<void> {
  await beginFirstLoad(url)
  await importFolder(url, folder, now)
}

/** Imports the files of a folder into a loaded catalog, so that the change log shows what they change. */
export async function importFolder(url: string, folder: string, now: string): Promise<void> {
  await sync(url, now, ['--from', folder])
}

async function sync(url: string, now: string, args: readonly string[]): Promise<void> {
  const environment = { DATABASE_URL: url, NODE_ENV: 'test' }
  const { code, stderr } = await runMeasuredCommand(['sync', '--now', now, ...args], environment)
  if (code !== 0) throw new Error(`vis-server sync ${args.join(' ')} ended with ${code}: ${stderr}`)
}
