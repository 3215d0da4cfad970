// Sends searches to a service with generated CVEs and compares the results with a simple search that uses no index and
// no pages.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openPool } from '../../../src/database/postgres.ts'
import { SORTS } from '../../../src/search/sort.ts'
import { anySearch } from '../../support/catalog/any-search.ts'
import { generateCatalog } from '../../support/catalog/generated-catalog.ts'
import { createWordFinder, naiveSearch, type Query, readPlainCves } from '../../support/catalog/naive-search.ts'
import { readAllPages } from '../../support/catalog/page-through.ts'
import { cleanUpAfterTests } from '../../support/cleanup.ts'
import { startTestService } from '../../support/service.ts'
import { chooseBySize } from '../../support/size.ts'

const CVES = 2500
const LIMITS = { poolSize: 2, statementTimeoutMs: 120_000, lockTimeoutMs: 30_000, acquireTimeoutMs: 30_000 }

async function setUpAgreement() {
  const { api, database } = await startTestService()
  const pool = openPool(database.url, 'test', LIMITS, () => {})
  cleanUpAfterTests(() => pool.close())
  await generateCatalog(pool.db, CVES)
  const cves = await readPlainCves(pool.db)
  const fetchAllPages = (query: Query, limit: number) =>
    readAllPages(
      api,
      '/api/v1/cves',
      new URLSearchParams({ ...query, fields: 'cve_id', limit: String(limit) }).toString(),
    )
  return { cves, findIdsWithWords: await createWordFinder(pool.db), fetchAllPages }
}

/**
 * Runs random searches and expects all their result pages together to equal the result of a simple search that checks
 * every CVE.
 */
async function expectAgreement(
  { cves, findIdsWithWords, fetchAllPages }: Awaited<ReturnType<typeof setUpAgreement>>,
  numRuns: number,
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(anySearch, async (query) => {
      const matchingIds = query['q'] === undefined ? undefined : await findIdsWithWords(query['q'])
      const expected = naiveSearch(cves, query, matchingIds)
      const { ids, pages } = await fetchAllPages({ ...query, include: 'enrichment' }, 100)
      expect(ids).toEqual(expected)
      expect(pages[0]?.totalEstimate).toBe(expected.length)
    }),
    // A fixed seed, so that a failure of the short run can be repeated.
    { numRuns, ...chooseBySize({ short: { seed: 24 }, long: {} }) },
  )
}

const setup = await setUpAgreement()
const { cves, findIdsWithWords, fetchAllPages } = setup

describe('GET /api/v1/cves: paging with every sort order', () => {
  it.each(SORTS)('returns every CVE exactly once with sort=%s, and CVEs without a sort value last', async (sort) => {
    const { ids, pages } = await fetchAllPages({ sort }, 100)
    expect(ids).toEqual(naiveSearch(cves, { sort }, undefined))
    expect(pages.every(({ totalEstimate }) => totalEstimate === cves.length)).toBe(true)
  })

  it.each(SORTS)('returns every matching CVE exactly once with sort=%s, a filter and pages of 7 CVEs', async (sort) => {
    const query = { sort, q: 'zebra' }
    expect((await fetchAllPages(query, 7)).ids).toEqual(naiveSearch(cves, query, await findIdsWithWords('zebra')))
  })
})

describe('GET /api/v1/cves: random combinations of filters', () => {
  const queries = chooseBySize({ short: 12, long: 1000 })

  it(`returns the same CVEs as a naive search for ${queries} random queries`, { timeout: 1_800_000 }, () =>
    expectAgreement(setup, queries),
  )
})
