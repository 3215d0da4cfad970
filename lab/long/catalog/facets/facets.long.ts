// Counts facets of random searches over the whole published catalog, and compares them with `group by`. Prints how long
// the calls take, alone and 64 at a time, and what they cost. The database is only read.
//
//   WHOLE_CATALOG_URL=… npx vitest run --project long lab/long/catalog/facets
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { account, createTestKey } from '../../../../service/test/support/builders.ts'
import { createAnySearch } from '../../../../service/test/support/catalog/any-search.ts'
import { startTestService } from '../../../../service/test/support/service.ts'
import { findPublishedCatalog, openPublishedCatalog } from '../../matching/published-catalog.ts'
import { COUNTED_FACETS, groupBy } from './group-by.ts'
import { compare, createCalls, print, quantile, readFilters, readValues, watchVictim, write } from './searches.ts'

const url = findPublishedCatalog('the counts of facets')
const SEARCHES = 300
const FACETS_PER_CALL = 5
const CONCURRENT = 64
const MAX_UNFILTERED_MS = 100
const MAX_FILTERED_MS = 300

describe.skipIf(url === undefined)('Facets of the whole catalog', async () => {
  if (url === undefined) return
  const { api, given, metrics } = await startTestService({ environment: { DATABASE_READ_URL: url } })
  const { key, ...rest } = createTestKey()
  await given(account('enterprise').withKey({ key, ...rest }))
  const db = openPublishedCatalog(url)
  const searches = fc.sample(createAnySearch(await readValues(db)), { numRuns: SEARCHES, seed: 46 })

  const { call, readCve, waitForColumns } = createCalls({ api, metrics }, key)

  it(`equal a group by for ${SEARCHES} random searches and every facet`, { timeout: 7_200_000 }, async () => {
    await waitForColumns()
    const [differences, slow]: [string[], { ms: number; query: string }[]] = [[], []]
    let [calls, cpuMs] = [0, 0]
    for (const query of searches) {
      const expected = await groupBy(db, readFilters(query))
      for (let start = 0; start < COUNTED_FACETS.length; start += FACETS_PER_CALL) {
        const facets = COUNTED_FACETS.slice(start, start + FACETS_PER_CALL)
        const before = process.cpuUsage()
        const { status, data, ms } = await call(facets, query)
        const { user, system } = process.cpuUsage(before)
        cpuMs += (user + system) / 1000
        calls += 1
        slow.push({ ms, query: JSON.stringify(query) })
        if (status !== 200) differences.push(`${JSON.stringify(query)}: status ${status}`)
        else differences.push(...facets.flatMap((name) => compare(name, data, expected, query)))
      }
    }
    print('random searches', slow, `${(cpuMs / calls).toFixed(1)} ms of processor time per call`)
    for (const { ms, query } of slow.toSorted((a, b) => b.ms - a.ms).slice(0, 5))
      write(`  ${ms.toFixed(0)} ms ${query}`)
    expect(differences).toEqual([])
    expect(quantile(slow, 0.99)).toBeLessThan(MAX_FILTERED_MS)
  })

  it('take little time without filters, and do not delay other calls', { timeout: 600_000 }, async () => {
    await waitForColumns()
    const facets = ['cwe', 'product', 'product_vendor', 'assigner', 'technique']
    const before = process.cpuUsage()
    const alone: { ms: number }[] = []
    for (let run = 0; run < 200; run += 1) alone.push(await call(facets, {}))
    const { user, system } = process.cpuUsage(before)
    print(
      'without filters',
      alone,
      `${((user + system) / 1000 / alone.length).toFixed(1)} ms of processor time per call`,
    )
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
})
