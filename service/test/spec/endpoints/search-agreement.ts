// A service on generated CVEs, held against an evaluation that knows no index, no page and no plan.
import fc from 'fast-check'
import { expect } from 'vitest'
import { openPool } from '../../../src/database/postgres.ts'
import { anySearch } from '../../support/catalog/any-search.ts'
import { generateCatalog } from '../../support/catalog/generated-catalog.ts'
import { idsWithWords, naiveSearch, type Query, readPlainCves } from '../../support/catalog/naive-search.ts'
import { walkPages } from '../../support/catalog/page-through.ts'
import { atEnd } from '../../support/cleanup.ts'
import { PATIENT, testService } from '../../support/service.ts'

const CVES = 2500
const LIMITS = { poolSize: 2, statementTimeoutMs: 20_000, lockTimeoutMs: 5000, acquireTimeoutMs: 5000 }

export async function agreementWorld() {
  const { api, database } = await testService({ environment: PATIENT })
  const pool = openPool(database.url, 'test', LIMITS, () => {})
  atEnd(() => pool.close())
  await generateCatalog(pool.db, CVES)
  const cves = await readPlainCves(pool.db)
  const walk = (query: Query, limit: number) =>
    walkPages(api, '/api/v1/cves', new URLSearchParams({ ...query, fields: 'cve_id', limit: String(limit) }).toString())
  return { cves, pool, walk }
}

/** So many random searches, each answered to its last page as by looking at every CVE. */
export async function agreeOn(
  { cves, pool, walk }: Awaited<ReturnType<typeof agreementWorld>>,
  numRuns: number,
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(anySearch, async (asked) => {
      const worded = asked['q'] === undefined ? undefined : await idsWithWords(pool.db, asked['q'])
      const expected = naiveSearch(cves, asked, worded)
      const { ids, pages } = await walk({ ...asked, include: 'enrichment' }, 100)
      expect(ids).toEqual(expected)
      expect(pages[0]?.totalEstimate).toBe(expected.length)
    }),
    { numRuns },
  )
}
