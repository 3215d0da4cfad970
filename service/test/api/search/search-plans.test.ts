// Checks the query plans of typical searches on a generated catalog of 20,000 CVEs. Durations are measured in
// search-mix.long.ts.
import type { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPool } from '../../../src/database/postgres.ts'
import { MAX_COLLECTED } from '../../../src/search/collect-hits.ts'
import { GENERATED_TABLES, generateCatalog } from '../../support/catalog/generated-catalog.ts'
import {
  createWordFinder,
  naiveSearch,
  type PlainCve,
  type Query,
  readPlainCves,
} from '../../support/catalog/naive-search.ts'
import { listCveIds, readAllPages } from '../../support/catalog/page-through.ts'
import { cleanUpAfterTests } from '../../support/cleanup.ts'
import {
  captureSearch,
  connectToSearch,
  explain,
  listSequentialScans,
  SEARCH_MIX,
  type Search,
} from '../../support/search/search-mix.ts'
import { startTestService } from '../../support/service.ts'
import { chooseBySize } from '../../support/size.ts'

const COUNT = 20_000
/** Searches that are paged through completely: one for each way in which the search steps find a page. */
const PAGED_SEARCHES: readonly Query[] = [
  { sort: 'modified_desc', q: 'and' },
  // No hit is near the start of the sort order modified_desc, so the search abandons the bounded scan (of the first
  // rows in sort order) and collects all hits.
  { sort: 'modified_desc', has_references: 'true' },
]
const FURTHER_PAGED_SEARCHES: readonly Query[] = [
  { sort: 'severity_desc' },
  { sort: 'epss_desc', patched: 'true', include: 'enrichment' },
  { sort: 'epss_asc', epss_max: '0.9' },
  { sort: 'epss_desc', exploitable: 'false' },
  { sort: 'severity_asc', epss_min: '0.1' },
  { sort: 'severity_asc', severity: 'medium,high,critical' },
  { sort: 'published_desc', published_before: '2020-12-01' },
]
const { api, database } = await startTestService()
const limits = { poolSize: 2, statementTimeoutMs: 300_000, lockTimeoutMs: 60_000, acquireTimeoutMs: 60_000 }
const pool = openPool(database.url, 'test', limits, () => {})
cleanUpAfterTests(() => pool.close())
let client: Client
let cves: readonly PlainCve[]
let findIdsWithWords: Awaited<ReturnType<typeof createWordFinder>>
beforeAll(async () => {
  client = await connectToSearch(database.url)
  await generateCatalog(pool.db, COUNT, false)
  // Only CVEs at the end of the sort order modified_desc get references, so that a search for references finds no hit
  // near the start.
  await client.query(`update catalog.cve set has_reference = modified < '2022-03-07Z'`)
  // In the same way, only CVEs at the end of the sort order epss_desc get a patch.
  await client.query(
    `update catalog.cve set has_patch = epss.score < 0.7 from catalog.epss where epss.cve_key = cve.cve_key and epss.score is not null`,
  )
  // Index-only scans need the visibility map, which VACUUM writes.
  await client.query(`vacuum (analyze) ${GENERATED_TABLES}`)
  cves = await readPlainCves(pool.db)
  findIdsWithWords = await createWordFinder(pool.db)
}, 600_000)
afterAll(() => client.end())

describe('Query plan of a search', () => {
  it.each(SEARCH_MIX)('reads no table completely for "$query"', async (search) => {
    for (const statement of await captureSearch(client, search)) {
      const { Plan } = await explain(client, statement)
      expect(listSequentialScans(Plan)).not.toContain('cve')
      expect(listSequentialScans(Plan)).not.toContain('cve_document')
    }
  })
})

describe('Search with more hits than are collected', () => {
  it.each([
    { sort: 'published_desc' },
    { sort: 'severity_asc' },
    { sort: 'epss_desc' },
    { q: 'cve', sort: 'epss_asc' },
    { q: 'and', sort: 'modified_asc', has_references: 'true' },
    { epss_min: '0.1', sort: 'severity_desc' },
    { epss_max: '0.9', sort: 'epss_desc' },
  ])('returns the correct first two pages and an estimated total for %j', async (query: Query) => {
    const idsWithWords = query['q'] === undefined ? undefined : await findIdsWithWords(query['q'])
    const expected = naiveSearch(cves, query, idsWithWords)
    expect(expected.length).toBeGreaterThan(MAX_COLLECTED)
    const parameters = new URLSearchParams({ ...query, limit: '100', fields: 'cve_id' }).toString()

    const { data } = (await api.get(`/api/v1/cves?${parameters}`)).json

    expect(listCveIds(data)).toEqual(expected.slice(0, 100))
    expect(data.pagination.totalEstimate).toBeGreaterThan(expected.length / 1.5)
    expect(data.pagination.totalEstimate).toBeLessThan(expected.length * 1.5)
    const next = (await api.get(`/api/v1/cves?${parameters}&after=${data.pagination.nextCursor}`)).json.data
    expect(listCveIds(next)).toEqual(expected.slice(100, 200))
    expect(next.pagination.totalEstimate).toBe(data.pagination.totalEstimate)
  })

  it.each([...PAGED_SEARCHES, ...chooseBySize({ short: [], long: FURTHER_PAGED_SEARCHES })])(
    'returns every hit for %j exactly once across all pages',
    async (query: Query) => {
      const idsWithWords = query['q'] === undefined ? undefined : await findIdsWithWords(query['q'])
      const expected = naiveSearch(cves, query, idsWithWords)
      expect(expected.length).toBeGreaterThan(MAX_COLLECTED)
      const { ids } = await readAllPages(
        api,
        '/api/v1/cves',
        `${new URLSearchParams(query).toString()}&limit=100&fields=cve_id`,
      )
      expect(ids).toEqual(expected)
    },
    300_000,
  )

  it('collects all hits only if the bounded scan does not find enough hits for the page', async () => {
    expect(await countCollections({ query: 'q=and&sort=severity_desc' })).toBe(0)
    expect(
      await countCollections({ query: 'q=and&sort=severity_desc', after: { value: 5, key: '201000000000001000' } }),
    ).toBe(0)
    expect(
      await countCollections({ query: 'sort=severity_desc', after: { value: null, key: '201000000000001000' } }),
    ).toBe(0)
    expect(await countCollections({ query: 'exploitable=false&sort=epss_desc' })).toBe(0)
    expect(await countCollections({ query: 'epss_min=0.1&sort=severity_asc' })).toBe(0)
    // The hits are far from the start of the sort order. However, the scan begins at the limit set by the filter (such
    // as the date), and the hits are near that limit.
    expect(await countCollections({ query: 'q=and&published_before=2020-12-01&sort=published_desc' })).toBe(0)
    expect(await countCollections({ query: 'q=and&epss_min=0.4&sort=epss_asc' })).toBe(0)
    expect(await countCollections({ query: 'q=and&severity=medium,high,critical&sort=severity_asc' })).toBe(0)
    expect(await countCollections({ query: 'has_references=true&sort=modified_desc' })).toBe(1)
    expect(await countCollections({ query: 'patched=true&include=enrichment&sort=epss_desc' })).toBe(1)
  })
})

/**
 * Counts the steps of a search that collected all hits instead of using the bounded scan (of the first rows in sort
 * order).
 */
async function countCollections(search: Search): Promise<number> {
  const statements = await captureSearch(client, search)
  return statements.filter(({ sql }) => sql.includes('all_hits') || sql.includes('in (select cve.cve_key')).length
}
