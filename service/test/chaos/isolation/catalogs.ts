// Catalogs for the isolation measurements: a generated one, or a loaded one that is only read.
import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import { makeSnapshot } from '../../../src/catalog/snapshot/make.ts'
import { openPool } from '../../../src/database/postgres.ts'
import { openSession } from '../../../src/database/session.ts'
import { systemClock } from '../../../src/domain/clock.ts'
import { generateCatalog } from '../../support/catalog/generated-catalog.ts'
import { createTestDatabase } from '../../support/database.ts'
import { enlargeRecords } from './large-records.ts'
import { addManyRanges } from './many-ranges.ts'
import type { IsolationPlan } from './measure.ts'
import { readSubjects } from './subjects.ts'

/** URL of a database with a loaded catalog. Nothing is written to it: accounts have a database of their own. */
const LOADED_CATALOG = process.env['ISOLATION_CATALOG']

export const isWholeCatalog = LOADED_CATALOG !== undefined

/** Databases and Redis of a measurement. */
export type Databases = Pick<IsolationPlan, 'databaseUrl' | 'catalog' | 'redisUrl'>

/** Opens the catalog that ISOLATION_CATALOG names, or generates one. */
export async function openCatalog(generated: CatalogSize): Promise<Databases> {
  const redisUrl = inject('redisUrl')
  if (LOADED_CATALOG === undefined) return { databaseUrl: await generate(generated), redisUrl }
  const { url: databaseUrl } = await createTestDatabase()
  const catalog = { url: forbidChanges(LOADED_CATALOG), subjects: await readSubjects(LOADED_CATALOG) }
  return { databaseUrl, catalog, redisUrl }
}

interface CatalogSize {
  readonly records: number
  /** Ranges of versions that each CVE has for one large product. */
  readonly rangesPerCve: number
}

async function generate({ records, rangesPerCve }: CatalogSize): Promise<string> {
  const { url } = await createTestDatabase()
  const limits = { poolSize: 1, statementTimeoutMs: 300_000, lockTimeoutMs: 60_000, acquireTimeoutMs: 60_000 }
  const pool = openPool(url, 'isolation', limits, () => {})
  await generateCatalog(pool.db, records)
  await enlargeRecords(pool.db)
  await addManyRanges(pool.db, rangesPerCve)
  await pool.close()
  const session = openSession(url, `isolation-${randomBytes(4).toString('hex')}`)
  await makeSnapshot({ session, clock: systemClock, signal: new AbortController().signal })
  await session.close()
  return url
}

/** Makes every transaction of a URL read-only, so that a mistake changes nothing in a loaded catalog. */
function forbidChanges(url: string): string {
  const parsed = new URL(url)
  parsed.searchParams.set('options', '-c default_transaction_read_only=on')
  return parsed.href
}
