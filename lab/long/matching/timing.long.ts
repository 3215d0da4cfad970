// Measures POST /api/v1/match with 100 components on the whole published catalog, through HTTP.
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { account, createTestKey } from '../../../service/test/support/builders.ts'
import { median, percentile } from '../../../service/test/support/load/percentile.ts'
import { startTestService } from '../../../service/test/support/service.ts'
import { findPublishedCatalog, openPublishedCatalog } from './published-catalog.ts'

const url = findPublishedCatalog('the measurement of matching on the whole catalog')

const COMPONENTS = 100
const CALLS = 50
const WARM_UP_CALLS = 5

interface NamedProduct {
  readonly vendor: string
  readonly product: string
  readonly version: string
}

describe.skipIf(url === undefined)('Matching 100 components over HTTP', async () => {
  if (url === undefined) return
  const db = openPublishedCatalog(url)
  const { api, given } = await startTestService({ environment: { DATABASE_READ_URL: url } })
  const caller = createTestKey()
  await given(account('enterprise').withKey(caller))

  /** Returns products with a number of rows between the limits, with the end of one of their ranges as version. */
  async function chooseProducts(min: number, max: number, limit: number): Promise<readonly NamedProduct[]> {
    const { rows } = await sql<NamedProduct>`
      select name.vendor, name.product, counted.version
        from (select name_key, count(*) as rows, coalesce(min(high), '1.0') as version from catalog.affected group by name_key)
             as counted
        join catalog.affected_name as name using (name_key)
       where name.kind = 'cpe' and counted.rows between ${min} and ${max} and length(counted.version) < 100
         and length(name.vendor) < 100 and length(name.product) < 100
       order by md5(name.name_key::text)
       limit ${limit}
    `.execute(db)
    return rows
  }

  it.each([
    { what: 'random products', min: 1, max: 1_000_000, maxMs: 1000 },
    { what: 'products with 20 to 200 rows', min: 20, max: 200, maxMs: 3000 },
  ])('takes bounded time for $what', async ({ what, min, max, maxMs }) => {
    const products = await chooseProducts(min, max, COMPONENTS * 20)
    const times: number[] = []
    for (let call = 0; call < CALLS + WARM_UP_CALLS; call += 1) {
      const start = (call * COMPONENTS) % Math.max(1, products.length - COMPONENTS + 1)
      const components = products.slice(start, start + COMPONENTS)
      const started = performance.now()
      // The client of the tests also validates answers, which takes as long as a match.
      const response = await fetch(`http://127.0.0.1:${api.port}/api/v1/match`, {
        method: 'POST',
        headers: { 'X-API-Key': caller.key, 'Content-Type': 'application/json' },
        body: JSON.stringify({ components }),
      })
      const text = await response.text()
      if (call >= WARM_UP_CALLS) times.push(performance.now() - started)
      expect(response.status, text.slice(0, 300)).toBe(200)
    }
    const figures = [median(times), percentile(times, 0.95), percentile(times, 0.99)].map((each) => each.toFixed(0))
    process.stdout.write(`| ${what} | ${figures.join(' | ')} |\n`)
    expect(median(times)).toBeLessThan(maxMs)
  })
})
