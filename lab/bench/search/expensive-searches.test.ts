// Bounds the pages that the most expensive searches read on a generated catalog of 12,000 CVEs. The number of pages does
// not depend on the speed of the machine. The same searches run on the whole catalog in expensive-searches.long.ts.
import type { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPool } from '../../../service/src/database/postgres.ts'
import { FIRST_LOOK } from '../../../service/src/search/find-hits.ts'
import { GENERATED_TABLES, generateCatalog } from '../../../service/test/support/catalog/generated-catalog.ts'
import { createTestDatabase } from '../../../service/test/support/database.ts'
import { connectToSearch } from '../../../service/test/support/search/search-mix.ts'
import { computePageBound, countTablePages, EXPENSIVE_SEARCHES, measureSearch } from './expensive-searches.ts'

const COUNT = 12_000
/** One of this number of searches is measured. The number has no factor in common with the counts of filters and sorts. */
const EVERY = 11
const database = await createTestDatabase()
let client: Client
beforeAll(async () => {
  const limits = { poolSize: 1, statementTimeoutMs: 300_000, lockTimeoutMs: 60_000, acquireTimeoutMs: 60_000 }
  const pool = openPool(database.url, 'test', limits, () => {})
  await generateCatalog(pool.db, COUNT, false)
  await pool.close()
  client = await connectToSearch(database.url)
  await client.query(`vacuum (analyze) ${GENERATED_TABLES}`)
}, 600_000)
afterAll(() => client.end())

describe('Expensive searches', () => {
  it.each(['"in in in in"', '"and and"', '"in and in and"', '"cve cve"', '"and in"'])(
    'read the first rows of the sample and four pages per CVE found, for the phrase %s, whose words are in every text',
    async (phrase) => {
      const limit = 100
      const search = { query: `q=${encodeURIComponent(phrase)}&has_references=true&sort=epss_asc&limit=${limit}` }
      const { pages } = await measureSearch(client, search)
      expect(pages).toBeLessThan(FIRST_LOOK.rows + 4 * limit)
      expect(pages).toBeLessThan((await countTablePages(client)) / 2)
    },
  )

  it('read a bounded number of pages in every combination with filters and sort orders', async () => {
    const bound = await computePageBound(client)
    for (const search of EXPENSIVE_SEARCHES.filter((_, index) => index % EVERY === 0)) {
      const { pages, query } = await measureSearch(client, search)
      expect(pages, query).toBeLessThan(bound)
    }
  }, 300_000)
})
