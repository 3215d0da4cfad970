import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Database, openPool } from '../../../src/database/postgres.ts'
import { cve } from '../../support/catalog/cve-builder.ts'
import { listCveIds } from '../../support/catalog/page-through.ts'
import { cleanUpAfterTests } from '../../support/cleanup.ts'
import { startTestService } from '../../support/service.ts'

const LIMITS = { poolSize: 1, statementTimeoutMs: 30_000, lockTimeoutMs: 30_000, acquireTimeoutMs: 30_000 }

/** Adds words to CVEs: well-known names with weight A, names of vendors and products with weight B. */
async function addNames(db: Database, weight: 'A' | 'B', name: string, ids: readonly string[]): Promise<void> {
  await sql`
    update catalog.cve
       set words = words || catalog.name_words(${[name]}::text[], ${weight})
     where catalog.cve_id(cve_key) = any(${ids}::text[])
  `.execute(db)
}

describe('GET /api/v1/cves: sort=relevance', () => {
  let search: (query: string) => Promise<readonly string[]>
  beforeAll(async () => {
    const { api, database, given } = await startTestService()
    const pool = openPool(database.url, 'test', LIMITS, () => {})
    cleanUpAfterTests(() => pool.close())
    search = async (query) => listCveIds((await api.get(`/api/v1/cves?sort=relevance&${query}`)).json.data)
    await given(
      cve('CVE-2021-1001', { description: 'A flaw in quartz that has a name.', published: '2021-01-01T00:00:00Z' }),
      cve('CVE-2021-1002', { description: 'A flaw in a product.', published: '2021-01-02T00:00:00Z' }),
      cve('CVE-2021-1003', { description: 'Quartz and quartz and quartz.', published: '2021-01-03T00:00:00Z' }),
      cve('CVE-2021-1004', { description: 'A long text that names quartz once.', published: '2021-01-04T00:00:00Z' }),
      cve('CVE-2021-1005', { description: 'A long text that names quartz once.', published: '2021-01-05T00:00:00Z' }),
      cve('CVE-2021-1006', { description: 'A long text that names quartz once.', published: '2021-01-05T00:00:00Z' }),
      cve('CVE-2021-1007', { description: 'A long text that names quartz once.', published: null }),
      cve('CVE-2021-1008', { description: 'An incomplete fix of CVE-2021-1001.', published: '2021-01-08T00:00:00Z' }),
    )
    await addNames(pool.db, 'A', 'quartz bleed', ['CVE-2021-1001'])
    await addNames(pool.db, 'B', 'quartz scheduler', ['CVE-2021-1001', 'CVE-2021-1002'])
  })

  it('returns well-known names first, then names of products, then descriptions by text rank, publication and id', async () => {
    expect(await search('q=quartz')).toEqual([
      'CVE-2021-1001',
      'CVE-2021-1002',
      'CVE-2021-1003',
      'CVE-2021-1006',
      'CVE-2021-1005',
      'CVE-2021-1004',
      'CVE-2021-1007',
    ])
  })

  it('returns a CVE first if the search is its id, in any letter case', async () => {
    expect(await search('q=cve-2021-1001')).toEqual(['CVE-2021-1001', 'CVE-2021-1008'])
    expect(await search('q=1001')).toHaveLength(2)
  })

  it('counts a hit as a hit of names only if the names contain all words', async () => {
    expect((await search('q=quartz%20flaw')).slice(0, 2)).toEqual(['CVE-2021-1001', 'CVE-2021-1002'])
    expect(await search('q=bleed%20scheduler')).toEqual(['CVE-2021-1001'])
  })

  it('excludes words of descriptions from hits of names', async () => {
    expect(await search('q=quartz%20-name%20-names')).toEqual(['CVE-2021-1002', 'CVE-2021-1003'])
  })

  it('combines with filters', async () => {
    expect(await search('q=quartz&published_before=2021-01-03')).toEqual([
      'CVE-2021-1001',
      'CVE-2021-1002',
      'CVE-2021-1003',
    ])
    expect(await search('q=quartz&kev=true')).toEqual([])
  })
})
