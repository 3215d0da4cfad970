// A search reads the database in several steps. These tests change CVEs between two steps: a lock on the texts of all
// CVEs stops a search before its last step.
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cve } from '../../../support/catalog/cve-builder.ts'
import { listCveIds } from '../../../support/catalog/page-through.ts'
import { startTestService } from '../../../support/service.ts'

const { api, database, given } = await startTestService()
const client = new Client({ connectionString: database.url })
beforeAll(() => client.connect())
afterAll(() => client.end())

/** Sends a search, runs statements while the search waits for its last step, and returns the data of the response. */
async function searchDuring(query: string, statements: readonly string[]) {
  await client.query('begin')
  await client.query('lock table catalog.cve_document in access exclusive mode')
  const response = api.get(`/api/v1/cves?${query}`)
  await expect.poll(countWaiting, { timeout: 10_000 }).toBe(1)
  for (const statement of statements) await client.query(statement)
  await client.query('commit')
  return (await response).json.data
}

async function countWaiting(): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count
       from pg_locks
      where relation = 'catalog.cve_document'::regclass and not granted`,
  )
  return rows[0]?.count ?? 0
}

describe('GET /api/v1/cves: a publication between two steps of a search', () => {
  it('changes neither the CVEs in the response nor their content, order and number', async () => {
    await given(
      cve('CVE-2024-1001', { score: 9.1, description: 'A flaw in a parser.', published: '2024-01-01T00:00:00Z' }),
      cve('CVE-2024-1002', { score: 8.1, description: 'A flaw in a driver.', published: '2024-01-02T00:00:00Z' }),
      cve('CVE-2024-1003', { score: 7.1, description: 'A flaw in a cookie.', published: '2024-01-03T00:00:00Z' }),
    )
    const query = 'q=flaw&sort=severity_desc&limit=2'
    const before = (await api.get(`/api/v1/cves?${query}`)).json.data
    expect(listCveIds(before)).toEqual(['CVE-2024-1001', 'CVE-2024-1002'])

    const during = await searchDuring(query, [
      `update catalog.cve set score = 1 where cve_key = catalog.cve_key('CVE-2024-1001')`,
      `update catalog.cve_document set description = '"Changed."' where cve_key = catalog.cve_key('CVE-2024-1001')`,
      `delete from catalog.cve_document where cve_key = catalog.cve_key('CVE-2024-1002')`,
      `delete from catalog.epss where cve_key = catalog.cve_key('CVE-2024-1002')`,
      `delete from catalog.cve where cve_key = catalog.cve_key('CVE-2024-1002')`,
    ])

    expect(during).toEqual(before)
    expect(listCveIds((await api.get(`/api/v1/cves?${query}`)).json.data)).toEqual(['CVE-2024-1003', 'CVE-2024-1001'])
  })
})
