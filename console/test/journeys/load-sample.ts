// Loads the sample of the demo in two steps, as the demo does, so that some CVEs have changes.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { dateChanges } from '../../../service/src/commands/input/change-times.ts'
import { openPool } from '../../../service/src/database/postgres.ts'
import { importFolder, loadFolder } from '../../../service/test/support/catalog/load-catalog.ts'

const SAMPLE = fileURLToPath(new URL('../../../service/sample', import.meta.url))
const EARLIER_SAMPLE = join(SAMPLE, 'earlier')
const EARLIER_TIME = '2026-08-19T18:00:00Z'
const POOL_LIMITS = { poolSize: 1, statementTimeoutMs: 30_000, lockTimeoutMs: 30_000, acquireTimeoutMs: 30_000 }

export async function loadSample(databaseUrl: string, time: string): Promise<void> {
  const pool = openPool(databaseUrl, 'journeys', POOL_LIMITS, () => {})
  try {
    await loadFolder(databaseUrl, EARLIER_SAMPLE, EARLIER_TIME)
    await dateChanges(pool.db, EARLIER_TIME)
    await importFolder(databaseUrl, SAMPLE, time)
    await dateChanges(pool.db, time)
  } finally {
    await pool.close()
  }
}
