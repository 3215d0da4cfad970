// The mix of searches at a size that CI can make: which plans PostgreSQL chooses, not how long they take.
import type { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPool } from '../../src/database/postgres.ts'
import { generateCatalog } from '../support/catalog/generated-catalog.ts'
import { idsWithWords, naiveSearch, type Query, readPlainCves } from '../support/catalog/naive-search.ts'
import { idsOf, walkPages } from '../support/catalog/page-through.ts'
import { atEnd } from '../support/cleanup.ts'
import { PATIENT, testService } from '../support/service.ts'
import {
  connectToSearch,
  explain,
  loopsOf,
  SEARCH_MIX,
  type Search,
  searchStatement,
  sequentialScans,
  totalOf,
} from './search-mix.ts'

const COUNT = 20_000
const { api, database } = await testService({ environment: PATIENT })
const limits = { poolSize: 2, statementTimeoutMs: 60_000, lockTimeoutMs: 5000, acquireTimeoutMs: 5000 }
const pool = openPool(database.url, 'test', limits, () => {})
atEnd(() => pool.close())
let client: Client
beforeAll(async () => {
  client = await connectToSearch(database.url)
  await generateCatalog(pool.db, COUNT)
  // Those with references lie at the far end of modified_desc.
  await client.query(`update catalog.cve set has_reference = modified < '2022-03-07Z'`)
  // A walk that reads nothing but an index needs pages that are known to be visible to all.
  await client.query('vacuum (analyze) catalog.cve, catalog.epss')
}, 120_000)
afterAll(() => client.end())

describe('the mix of searches', () => {
  it.each(SEARCH_MIX)('$query is answered without reading a table from end to end', async (search) => {
    const plan = await explain(client, await searchStatement(search, await totalOf(client, search)))
    expect(sequentialScans(plan.Plan)).not.toContain('cve')
    expect(sequentialScans(plan.Plan)).not.toContain('cve_document')
  })
})

describe('more than 10,000 hits', () => {
  it.each([
    { sort: 'published_desc' },
    { sort: 'severity_asc' },
    { sort: 'epss_desc' },
    { q: 'cve', sort: 'epss_asc' },
    { q: 'and', sort: 'modified_asc', has_references: 'true' },
    { epss_min: '0.1', sort: 'severity_desc' },
    { epss_max: '0.9', sort: 'epss_desc' },
  ])('%j begin with the right page, and are estimated', async (query: Query) => {
    const cves = await readPlainCves(pool.db)
    const worded = query['q'] === undefined ? undefined : await idsWithWords(pool.db, query['q'])
    const expected = naiveSearch(cves, query, worded)
    expect(expected.length).toBeGreaterThan(10_000)
    const asked = new URLSearchParams({ ...query, limit: '100', fields: 'cve_id' }).toString()

    const { data } = (await api.get(`/api/v1/cves?${asked}`)).json

    expect(idsOf(data)).toEqual(expected.slice(0, 100))
    expect(data.pagination.totalEstimate).toBeGreaterThan(10_000)
    expect(data.pagination.totalEstimate).toBeLessThan(COUNT * 1.2)
    const next = (await api.get(`/api/v1/cves?${asked}&after=${data.pagination.nextCursor}`)).json.data
    expect(idsOf(next)).toEqual(expected.slice(100, 200))
    expect(next.pagination.totalEstimate).toBe(data.pagination.totalEstimate)
  })

  it.each([
    { sort: 'severity_desc' },
    { sort: 'epss_asc', epss_max: '0.9' },
    { sort: 'epss_desc', exploitable: 'false' },
    { sort: 'severity_asc', epss_min: '0.1' },
    { sort: 'severity_asc', severity: 'medium,high,critical' },
    { sort: 'published_desc', published_before: '2020-12-01' },
    { sort: 'modified_desc', q: 'and' },
    // None is among the first in this order, so that the walk is given up.
    { sort: 'modified_desc', has_references: 'true' },
  ])(
    '%j are met once each, page by page, to the last',
    async (query: Query) => {
      const worded = query['q'] === undefined ? undefined : await idsWithWords(pool.db, query['q'])
      const expected = naiveSearch(await readPlainCves(pool.db), query, worded)
      expect(expected.length).toBeGreaterThan(10_000)
      const { ids } = await walkPages(
        api,
        '/api/v1/cves',
        `${new URLSearchParams(query).toString()}&limit=100&fields=cve_id`,
      )
      expect(ids).toEqual(expected)
    },
    60_000,
  )

  it('are not all collected for a page that is near', async () => {
    expect(await collected({ query: 'q=and&sort=severity_desc' })).toBe(0)
    expect(await collected({ query: 'q=and&sort=severity_desc', after: { value: 5, key: '201000000000001000' } })).toBe(
      0,
    )
    expect(await collected({ query: 'sort=severity_desc', after: { value: null, key: '201000000000001000' } })).toBe(0)
    expect(await collected({ query: 'exploitable=false&sort=epss_desc' })).toBe(0)
    expect(await collected({ query: 'epss_min=0.1&sort=severity_asc' })).toBe(0)
    // Far from the beginning of the order, but not from where the bound lets it begin.
    expect(await collected({ query: 'q=and&published_before=2020-12-01&sort=published_desc' })).toBe(0)
    expect(await collected({ query: 'q=and&epss_min=0.4&sort=epss_asc' })).toBe(0)
    expect(await collected({ query: 'q=and&severity=medium,high,critical&sort=severity_asc' })).toBe(0)
    expect(await collected({ query: 'has_references=true&sort=modified_desc' })).toBe(1)
  })
})

/** How often all hits were collected. */
async function collected(search: Search): Promise<number> {
  const { Plan } = await explain(client, await searchStatement(search, await totalOf(client, search)))
  return loopsOf(Plan, 'CTE all_valued') + loopsOf(Plan, 'CTE all_valueless')
}
