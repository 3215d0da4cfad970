// Looks for every entry of KEV and EU KEV in a whole published catalog by the names that the catalog of the entry gives
// its vendor and product (decision E37). The database is only read.
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { account, createTestKey } from '../../../service/test/support/builders.ts'
import { findNameMisses, type KevEntryNames } from '../../../service/test/support/catalog/find-name-misses.ts'
import { startTestService } from '../../../service/test/support/service.ts'
import { findPublishedCatalog, openPublishedCatalog } from '../matching/published-catalog.ts'

const url = findPublishedCatalog('the search for every KEV entry by its own names')
const MAX_EXAMPLES = 15

describe.skipIf(url === undefined)('KEV entries in the whole catalog', async () => {
  if (url === undefined) return
  const { api, given } = await startTestService({ environment: { DATABASE_READ_URL: url } })
  const { key, ...rest } = createTestKey()
  await given(account('enterprise').withKey({ key, ...rest }))
  const entries = await readEntries(url)

  it('are found by their own vendor and product, by filter, facet, suggestion and board', async () => {
    const get = async (path: string) => {
      const { json } = await api.get(`/api/v1/${path}`, { key })
      return json.data ?? {}
    }
    const { missed } = await findNameMisses(get, entries)
    for (const [way, misses] of Object.entries(missed)) {
      const examples = misses.slice(0, MAX_EXAMPLES).map((each) => `  ${each}\n`)
      process.stderr.write(`${way}: ${misses.length} misses of ${2 * entries.length} names\n${examples.join('')}`)
    }
    expect(missed).toEqual({ filter: [], facet: [], suggest: [], board: [] })
  }, 3_600_000)
})

async function readEntries(databaseUrl: string): Promise<readonly KevEntryNames[]> {
  const { rows } = await sql<KevEntryNames>`
    select 'cisa' as catalog, cve_id as "cveId", vendor_project as vendor, product
      from source.kev_entry
     where removed_at is null
     union all
    select 'eu', entry.cve_id, entry.vendor_project, entry.product
      from source.eu_kev_entry entry
      join catalog.cve on cve.cve_key = catalog.cve_key(entry.cve_id)
     where entry.removed_at is null
     order by "cveId"
  `.execute(openPublishedCatalog(databaseUrl))
  return rows
}
