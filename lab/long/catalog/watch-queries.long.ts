// Compares queries of watches in memory with searches over the whole published catalog: each filter with 200 values, and
// 2,000 queries of several filters. The database is only read.
//
//   WHOLE_CATALOG_URL=… npx vitest run --project long lab/long/catalog/watch-queries
import { describe, expect, it } from 'vitest'
import {
  compareWithSql,
  findInMemory,
  listAllKeys,
  readExamples,
} from '../../../service/test/support/search/watch-judgement.ts'
import {
  createWatchQueries,
  drawCombined,
  drawSingles,
  WATCH_FILTERS,
} from '../../../service/test/support/search/watch-queries.ts'
import { findPublishedCatalog, openPublishedCatalog } from '../matching/published-catalog.ts'

const url = findPublishedCatalog('queries of watches over the whole catalog')
/** Divides the number of queries, for a shorter run. */
const SHARE = Number(process.env['WATCH_QUERIES_SHARE'] ?? 1)
const VALUES = 200 / SHARE
const COMBINED = 2000 / SHARE
const OF_ONE_TABLE = 500 / SHARE
const EXAMPLES = 20_000
/** Judging every query for a CVE takes a millisecond. */
const ALONE_EVERY = 100
/** A catalog that was just loaded has no change with which a CVE became urgent. */
const WITHOUT_VALUES = ['became_urgent_after']

describe.skipIf(url === undefined)('Queries of watches over the whole catalog', () => {
  it('are met by the CVEs that the search finds', { timeout: 4 * 3_600_000 }, async () => {
    if (url === undefined) return
    const db = openPublishedCatalog(url)
    const keys = await listAllKeys(db)
    const step = Math.max(1, Math.floor(keys.length / EXAMPLES))
    const examples = await readExamples(
      db,
      keys.filter((_, number) => number % step === 0),
    )
    const drawn = createWatchQueries(examples, 48)
    const [singles, combined] = [drawSingles(drawn, VALUES), drawCombined(drawn, COMBINED, OF_ONE_TABLE)]
    const missing = WATCH_FILTERS.filter((name) => !singles.some((query) => query.startsWith(`${name}=`)))
    expect(missing.filter((name) => !WITHOUT_VALUES.includes(name))).toEqual([])
    const queries = [...singles, ...combined]
    const hits = await findInMemory(db, queries, { keys, aloneEvery: ALONE_EVERY })
    const { differences, counts } = await compareWithSql(db, queries, { keys, hits })
    process.stdout.write(
      `${keys.length} CVEs; ${singles.length} different queries of one filter and ${combined.length} of several, by their hits: ${JSON.stringify(counts)}; no value for ${missing.join() || 'no filter'}\n`,
    )
    expect(differences).toEqual([])
  })
})
