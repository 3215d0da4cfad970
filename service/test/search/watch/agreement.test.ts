// A query in memory is true for exactly the CVEs that a search finds: each filter with many values, and many
// queries of several filters, through the index and one by one.
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { openPool } from '../../../src/database/postgres.ts'
import { generateCatalog } from '../../support/catalog/generated-catalog.ts'
import { cleanUpAfterTests } from '../../support/cleanup.ts'
import { createTestDatabase } from '../../support/database.ts'
import { compareWithSql, findInMemory, listAllKeys, readExamples } from '../../support/search/watch-judgement.ts'
import { createWatchQueries, drawCombined, drawSingles, WATCH_FILTERS } from '../../support/search/watch-queries.ts'

const CVES = 5000
const VALUES = 200
const COMBINED = 2000
const OF_ONE_TABLE = 500
const LIMITS = { poolSize: 2, statementTimeoutMs: 120_000, lockTimeoutMs: 30_000, acquireTimeoutMs: 30_000 }

const { url } = await createTestDatabase()
const { db, close } = openPool(url, 'test', LIMITS, () => {})
cleanUpAfterTests(close)
await generateCatalog(db, CVES)
// What the generated catalog lacks: names with commas, times with microseconds, and changes in the log.
await sql`
  insert into catalog.product (vendor, product)
  values ('vendor_0', 'product_0,_product_1'), ('vendor_1,_inc.', 'product_2'), ('vendor_1,_inc.', 'product_0,_product_1')
`.execute(db)
await sql`
  insert into catalog.cve_product (product_key, cve_key)
  select product_key, cve_key from catalog.product, catalog.cve where (vendor || product) ~ ',' and (cve_key + product_key) % 40 = 0
`.execute(db)
await sql`update catalog.cve set published = published + interval '0.123456 s' where cve_key % 3 = 0`.execute(db)
await sql`
  insert into catalog.change (cve_key, kind, at, types, cause)
  select cve_key, 'changed', timestamptz '2026-01-01Z' + cve_key % 200 * interval '1 day', '{became_urgent}',
         case when cve_key % 5 = 0 then 'rules' else 'data' end
    from catalog.cve
   where cve_key % 4 = 0
`.execute(db)

const keys = await listAllKeys(db)

it(`Queries of one or several filters are met by the CVEs that the search finds`, { timeout: 600_000 }, async () => {
  const drawn = createWatchQueries(await readExamples(db, keys), 3)
  const [singles, combined] = [drawSingles(drawn, VALUES), drawCombined(drawn, COMBINED, OF_ONE_TABLE)]
  expect(WATCH_FILTERS.filter((name) => !singles.some((query) => query.startsWith(`${name}=`)))).toEqual([])
  const queries = [...singles, ...combined]
  const hits = await findInMemory(db, queries, { keys, aloneEvery: 10 })
  const { differences, counts } = await compareWithSql(db, queries, { keys, hits })
  process.stdout.write(
    `${singles.length} different queries of one filter and ${combined.length} of several, by their hits: ${JSON.stringify(counts)}\n`,
  )
  expect(differences).toEqual([])
  expect(counts.some).toBeGreaterThan(queries.length / 2)
})
