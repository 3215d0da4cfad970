import { Client } from 'pg'
import { describe, expect, it } from 'vitest'
import { publish } from '../../../service/src/catalog/publish/publish.ts'
import { openSession } from '../../../service/src/database/session.ts'
import { SORTS } from '../../../service/src/search/sort.ts'
import { account, createTestKey } from '../../../service/test/support/builders.ts'
import { readAllPages } from '../../../service/test/support/catalog/page-through.ts'
import { openWholeCatalog } from '../../../service/test/support/catalog/whole-catalog.ts'
import { cleanUpAfterTests } from '../../../service/test/support/cleanup.ts'
import { realData } from '../../../service/test/support/real-data.ts'
import { startTestService } from '../../../service/test/support/service.ts'

const folder = realData('the test that pages through the whole catalog')

async function openCatalog(data: string) {
  const url = await openWholeCatalog(data)
  const service = await startTestService({ environment: { DATABASE_URL: url } })
  const client = new Client({ connectionString: url })
  await client.connect()
  const session = openSession(url, 'publisher')
  cleanUpAfterTests(async () => {
    await session.close()
    await client.end()
  })
  const quotaKey = createTestKey()
  await service.given(account('enterprise').withQuota(5_000_000).withKey(quotaKey))
  const api = { ...service.api, get: (path: string) => service.api.get(path, { key: quotaKey.key }) }
  const ids = async (statement: string) => (await client.query<{ id: string }>(statement)).rows.map((row) => row.id)
  // The newest data is of the day on which the test clock starts; the clock is moved to the end of that day.
  service.clock.advance({ hours: 24 })
  return { api, client, session, ids, clock: service.clock }
}

/**
 * Returns the SQL ORDER BY for the documented order of a sort parameter: CVEs with equal values are sorted by id in the
 * same direction, and CVEs without a value are last.
 */
function buildOrderQuery(sort: string): string {
  const [by = '', direction = ''] = sort.split('_')
  const column = { severity: 'cve.score', published: 'published', modified: 'modified', epss: 'epss.score' }[by]
  return `select catalog.cve_id(cve_key) as id from catalog.cve join catalog.epss using (cve_key)
           order by ${column} ${direction} nulls last, cve_key ${direction}`
}

describe.skipIf(folder === undefined)(
  'GET /api/v1/cves: paging through the whole catalog',
  { timeout: 3_600_000 },
  () => {
    it('search returns each CVE in the catalog exactly once and in order for each of the eight sort orders', async () => {
      const { api, ids } = await openCatalog(folder ?? '')
      for (const sort of SORTS) {
        const startedAt = performance.now()
        const paged = await readAllPages(api, '/api/v1/cves', `sort=${sort}&limit=100&fields=cve_id`)
        const seconds = ((performance.now() - startedAt) / 1000).toFixed(0)
        process.stdout.write(`${sort}: ${paged.ids.length} CVEs on ${paged.pages.length} pages in ${seconds} s\n`)
        const expected = await ids(buildOrderQuery(sort))
        expect(paged.ids.length).toBe(expected.length)
        expect(paged.ids.findIndex((id, at) => id !== expected[at])).toBe(-1)
      }
    })

    it.each([
      'sort=published_desc',
      'sort=published_asc',
      'sort=modified_desc',
      'sort=modified_asc',
      'q=vulnerability&sort=relevance',
      'q=linux&sort=relevance',
    ])(
      'the search %s returns every unchanged hit exactly once while a publisher changes one CVE in a hundred',
      pageWhilePublishing,
    )
  },
)

async function pageWhilePublishing(query: string): Promise<void> {
  const { api, client, session, ids, clock } = await openCatalog(folder ?? '')
  const chosen = await ids(ONE_IN_A_HUNDRED)
  const changed = new Set(chosen)
  const before = (await readAllPages(api, '/api/v1/cves', `${query}&limit=100&fields=cve_id`)).ids
  const others = before.filter((id) => !changed.has(id))
  const stop = new AbortController()
  const paging = readAllPages(api, '/api/v1/cves', `${query}&limit=100&fields=cve_id`).finally(() => stop.abort())
  let published = 0
  for (let at = 0; at < chosen.length && !stop.signal.aborted; at += 20) {
    clock.advance({ seconds: 1 })
    await change(client, chosen.slice(at, at + 20), clock.now())
    published += (await publish({ session, clock: clock.now, signal: new AbortController().signal })).changed
  }
  const paged = (await paging).ids.filter((id) => !changed.has(id))
  process.stdout.write(`${query}: ${paged.length} unchanged CVEs returned while ${published} were changed\n`)
  expect(published).toBeGreaterThan(100)
  const returned = new Set(paged)
  expect(returned.size).toBe(paged.length)
  expect(others.filter((id) => !returned.has(id))).toEqual([])
}

const ONE_IN_A_HUNDRED = `
  select cve_id as id from source.source_record
   where source = 'nvd' and hashtext(cve_id) % 100 = 7
   order by hashtext(cve_id)
`

async function change(client: Client, ids: readonly string[], now: Date): Promise<void> {
  await client.query('begin')
  await client.query(
    `update source.source_record
        set record = replace(record, '"vulnStatus":"', '"vulnStatus":"Again '),
            modified = $2::timestamptz,
            content_hash = sha256(convert_to(cve_id || ($2::timestamptz)::text, 'UTF8'))
      where source = 'nvd' and cve_id = any ($1)`,
    [ids, now],
  )
  await client.query(`insert into source.publication_queue (cve_id, feed) select unnest($1::text[]), 'nvd'`, [ids])
  await client.query('commit')
}
