// Everything that a folder of upstream files has, and our notices, through the feeds and published.
import { fileURLToPath } from 'node:url'
import { measuredCommand } from '../../bench/measured-command.ts'

/** The end of the day that the real data is of. */
export const NEWEST = '2026-08-22T23:59:59Z'
/** There are no real ones in the data. */
const NOTICES = fileURLToPath(new URL('../../feeds/sources/acsc/fixtures', import.meta.url))

export async function loadCatalog(url: string, folder: string): Promise<void> {
  for (const args of [
    ['--no-publish', '--from', folder],
    ['acsc', '--from', NOTICES],
  ]) {
    const environment = { DATABASE_URL: url, NODE_ENV: 'test' }
    const { code, stderr } = await measuredCommand(['sync', '--now', NEWEST, ...args], environment)
    if (code !== 0) throw new Error(`vis-server sync ${args.join(' ')} ended with ${code}: ${stderr}`)
  }
}
