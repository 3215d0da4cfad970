// Checks the query plan of the recent CVEs on a generated catalog of 5,000 CVEs, all of which have an event.
import { expect, it } from 'vitest'
import { findRecent } from '../../../src/api/endpoints/recent-cves/query.ts'
import { openPool } from '../../../src/database/postgres.ts'
import { select } from '../../../src/record/selection-parameters.ts'
import { GENERATED_TABLES, generateCatalog } from '../../support/catalog/generated-catalog.ts'
import { parseRecentQuery } from '../../support/catalog/recent-query.ts'
import { cleanUpAfterTests } from '../../support/cleanup.ts'
import { createTestDatabase } from '../../support/database.ts'
import { captureStatement } from '../../support/search/capture-statement.ts'
import { connectToSearch, explain, listSequentialScans } from '../../support/search/search-mix.ts'

const LIMITS = { poolSize: 1, statementTimeoutMs: 300_000, lockTimeoutMs: 60_000, acquireTimeoutMs: 60_000 }
/** Later than any time in the generated CVEs. */
const [FROM, UNTIL] = [new Date('2037-08-21T00:00:00Z'), new Date('2037-08-22T00:00:00Z')]

it('the statement for recent CVEs finds dates and events with indexes', async () => {
  const { url } = await createTestDatabase()
  const pool = openPool(url, 'test', LIMITS, () => {})
  const client = await connectToSearch(url)
  cleanUpAfterTests(async () => {
    await client.end()
    await pool.close()
  })
  await generateCatalog(pool.db, 5000, false)
  await client.query(`
    insert into catalog.event (cve_key, kind, upstream_at)
    select cve_key, 'kev_added',
           case when row_number() over (order by cve_key) % 1000 = 0 then '${UNTIL.toISOString()}' else published end
      from catalog.cve
     where published is not null`)
  const { rows } = await client.query('select from catalog.event where at = $1', [UNTIL])
  expect(rows.length).toBeGreaterThan(2)
  await client.query(`vacuum (analyze) ${GENERATED_TABLES}, catalog.event`)
  for (const type of ['both', 'modified', 'published'] as const) {
    const query = parseRecentQuery(`type=${type}&include=events`)
    const selection = select('recent', query)
    const page = { query, from: FROM, until: UNTIL, after: undefined, selection }
    const plan = await explain(client, await captureStatement((db) => findRecent(db, page)))
    const scanned = listSequentialScans(plan.Plan).filter((name) => ['cve', 'cve_document', 'event'].includes(name))
    expect(scanned, type).toEqual([])
    const { length } = await findRecent(pool.db, page)
    expect(length, type).toBe(type === 'published' ? 0 : rows.length)
  }
})
