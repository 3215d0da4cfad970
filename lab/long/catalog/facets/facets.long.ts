// Counts facets of random searches over the whole published catalog, and compares them with `group by`. Prints how long
// the calls take, alone and 64 at a time, and what they cost. The database is only read.
//
//   WHOLE_CATALOG_URL=… npx vitest run --project long lab/long/catalog/facets
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { account, createTestKey } from '../../../../service/test/support/builders.ts'
import { createAnySearch } from '../../../../service/test/support/catalog/any-search.ts'
import type { Query } from '../../../../service/test/support/catalog/naive-search.ts'
import { startTestService } from '../../../../service/test/support/service.ts'
import { findPublishedCatalog, openPublishedCatalog } from '../../matching/published-catalog.ts'
import { COUNTED_FACETS, groupBy } from './group-by.ts'
import {
  type CountedFacets,
  compare,
  createCalls,
  print,
  quantile,
  readFilters,
  readValues,
  watchVictim,
  write,
} from './searches.ts'

const url = findPublishedCatalog('the counts of facets')
const SEARCHES = 300
const CONCURRENT = 64
const MAX_UNFILTERED_MS = 100
const MAX_FILTERED_MS = 300

function describeCost(before: NodeJS.CpuUsage, calls: number): string {
  const { user, system } = process.cpuUsage(before)
  return `${((user + system) / 1000 / calls).toFixed(1)} ms of processor time per call`
}

describe.skipIf(url === undefined)('Facets of the whole catalog', async () => {
  if (url === undefined) return
  const { api, given, metrics } = await startTestService({ environment: { DATABASE_READ_URL: url } })
  const { key, ...rest } = createTestKey()
  await given(account('enterprise').withKey({ key, ...rest }))
  const db = openPublishedCatalog(url)
  const searches = fc.sample(createAnySearch(await readValues(db)), { numRuns: SEARCHES, seed: 46 })

  const { call, countAll, readCve, waitForColumns } = createCalls({ api, metrics }, key)

  /** The answers of the first test, which the last one compares. */
  const answers: { readonly query: Query; readonly counted: CountedFacets }[] = []

  it(`take little time for ${SEARCHES} random searches and every facet`, { timeout: 900_000 }, async () => {
    await waitForColumns()
    const [refused, slow]: [string[], { ms: number; query: string }[]] = [[], []]
    const before = process.cpuUsage()
    for (const query of searches) {
      const { counted, times, statuses } = await countAll(COUNTED_FACETS, query)
      slow.push(...times)
      if (counted) answers.push({ query, counted })
      else refused.push(`${JSON.stringify(query)}: status ${statuses.join()}`)
    }
    print('random searches', slow, describeCost(before, slow.length))
    for (const { ms, query } of slow.toSorted((one, other) => other.ms - one.ms).slice(0, 10))
      write(`  ${ms.toFixed(0)} ms ${query}`)
    expect(refused).toEqual([])
    expect(quantile(slow, 0.99)).toBeLessThan(MAX_FILTERED_MS)
  })

  it('take little time without filters, and do not delay other calls', { timeout: 600_000 }, async () => {
    await waitForColumns()
    const facets = ['cwe', 'product', 'product_vendor', 'assigner', 'technique']
    const before = process.cpuUsage()
    const alone: { ms: number }[] = []
    for (let run = 0; run < 200; run += 1) alone.push(await call(facets, {}))
    print('without filters', alone, describeCost(before, alone.length))
    const quiet = await watchVictim(readCve, async () => undefined)
    const attacked = await watchVictim(readCve, async (isOver) => {
      const loop = async () => {
        while (!isOver()) await call(facets, {})
      }
      await Promise.all(Array.from({ length: CONCURRENT }, loop))
    })
    print('GET /cve/{id} alone', quiet)
    print(`GET /cve/{id} beside ${CONCURRENT} facet calls`, attacked)
    write(
      `resident memory: ${Math.round(process.memoryUsage().rss / 1_000_000)} MB, array buffers ${Math.round(process.memoryUsage().arrayBuffers / 1_000_000)} MB`,
    )
    expect(quantile(alone, 0.99)).toBeLessThan(MAX_UNFILTERED_MS)
    expect(quantile(attacked, 0.99)).toBeLessThan(2 * quantile(quiet, 0.99) + 20)
  })

  // A `group by` takes seconds, so it runs after the measurements.
  it(`equal a group by for ${SEARCHES} random searches and every facet`, { timeout: 7_200_000 }, async () => {
    expect(answers).toHaveLength(SEARCHES)
    const differences: string[] = []
    for (const { query, counted } of answers) {
      const expected = await groupBy(db, readFilters(query))
      const found = COUNTED_FACETS.flatMap((name) => compare(name, counted, expected, query))
      for (const difference of found) write(difference)
      differences.push(...found)
    }
    write(`${answers.length} searches compared`)
    expect(differences).toEqual([])
  })
})
