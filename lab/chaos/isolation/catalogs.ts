// Catalogs for the isolation measurements: a generated one, or the whole real one.
import { inject } from 'vitest'
import { makeSnapshot } from '../../../service/src/catalog/snapshot/make.ts'
import { openPool } from '../../../service/src/database/postgres.ts'
import { openSession } from '../../../service/src/database/session.ts'
import { systemClock } from '../../../service/src/domain/clock.ts'
import { generateCatalog } from '../../../service/test/support/catalog/generated-catalog.ts'
import { openWholeCatalog } from '../../../service/test/support/catalog/whole-catalog.ts'
import { createTestDatabase } from '../../../service/test/support/database.ts'
import { findRealData } from '../../../service/test/support/real-data.ts'
import { addManyRanges, enlargeRecords } from './large-subjects.ts'
import type { IsolationPlan } from './measure.ts'
import { readSubjects, type Subjects } from './subjects.ts'

/** URL of a database with a loaded catalog. Nothing is written to it: accounts have a database of their own. */
const LOADED_CATALOG = process.env['WHOLE_CATALOG_URL']

/** True if WHOLE_CATALOG_URL names a loaded catalog, or VIS_DATA the real files to load. */
export const isWholeCatalog = LOADED_CATALOG !== undefined || findRealData() !== undefined

export interface OpenedCatalog extends Pick<IsolationPlan, 'databaseUrl' | 'catalog' | 'redisUrl'> {
  readonly subjects: Omit<Subjects, 'newest'>
}

interface CatalogSize {
  readonly records: number
  /** Ranges of versions that each CVE has for one large product. */
  readonly rangesPerCve: number
}

/** Opens the whole catalog: the loaded one, or a copy with a snapshot. */
export async function openRealCatalog(): Promise<OpenedCatalog> {
  const redisUrl = inject('redisUrl')
  if (LOADED_CATALOG !== undefined) {
    const { url: databaseUrl } = await createTestDatabase()
    const subjects = await readSubjects(LOADED_CATALOG)
    return { databaseUrl, redisUrl, subjects, catalog: { url: forbidChanges(LOADED_CATALOG), subjects } }
  }
  const databaseUrl = await openWholeCatalog(findRealData() ?? '')
  await storeSnapshot(databaseUrl)
  return { databaseUrl, redisUrl, subjects: await readSubjects(databaseUrl) }
}

export async function openGeneratedCatalog({ records, rangesPerCve }: CatalogSize): Promise<OpenedCatalog> {
  const { url } = await createTestDatabase()
  const limits = { poolSize: 1, statementTimeoutMs: 300_000, lockTimeoutMs: 60_000, acquireTimeoutMs: 60_000 }
  const pool = openPool(url, 'isolation', limits, () => {})
  await generateCatalog(pool.db, records)
  await enlargeRecords(pool.db)
  await addManyRanges(pool.db, rangesPerCve)
  await pool.close()
  await storeSnapshot(url)
  return { databaseUrl: url, redisUrl: inject('redisUrl'), subjects: await readSubjects(url) }
}

async function storeSnapshot(url: string): Promise<void> {
  const session = openSession(url, 'isolation')
  await makeSnapshot({ session, clock: systemClock, signal: new AbortController().signal })
  await session.close()
}

/** Makes every transaction of a URL read-only, so that a mistake changes nothing in a loaded catalog. */
function forbidChanges(url: string): string {
  const parsed = new URL(url)
  parsed.searchParams.set('options', '-c default_transaction_read_only=on')
  return parsed.href
}
