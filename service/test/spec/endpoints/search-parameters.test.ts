import { describe, expect, it } from 'vitest'
import { account, createTestKey } from '../../support/builders.ts'
import { cve } from '../../support/catalog/cve-builder.ts'
import { listCveIds } from '../../support/catalog/page-through.ts'
import { startTestService } from '../../support/service.ts'

const { api, given } = await startTestService()

await given(
  ...Array.from({ length: 6 }, (_, at) =>
    cve(`CVE-2024-000${at}`, {
      score: at + 3,
      sources: ['cve', 'ghsa', 'nvd'],
      modified: `2024-01-0${at + 1}T00:00:00Z`,
    }),
  ),
)

const get = (query: string, key?: string) => api.get(`/api/v1/cves?${query}`, key === undefined ? {} : { key })

describe('GET /api/v1/cves: cursor', () => {
  const fetchCursor = async (query: string, key?: string): Promise<string> =>
    (await get(`limit=2&${query}`, key)).json.data.pagination.nextCursor

  it('accepts a cursor for an equivalent query with explicit defaults or another order', async () => {
    const after = await fetchCursor('severity=high,medium&status=Analyzed&q=Overflow')
    for (const same of [
      'status=analyzed&severity=Medium&severity=high&q=overflow',
      'q=%20overflow&severity=high,medium,high&status=Analyzed&sort=published_desc',
    ]) {
      expect((await get(`${same}&after=${after}`)).status, same).toBe(200)
    }
  })

  it('returns the first page for an empty cursor', async () => {
    expect((await get('after=')).json.data.cves).toHaveLength(6)
  })

  it('checks the plan again for the cursor of a query for an enterprise source', async () => {
    const key = createTestKey()
    await given(account('enterprise').withKey(key))
    const query = 'vendor=ghsa&include=enrichment'
    const after = await fetchCursor(query, key.key)
    expect((await get(`${query}&after=${after}`, key.key)).status).toBe(200)
    expect((await get(`${query}&after=${after}`)).status).toBe(403)
  })

  it.each(['modified_asc', 'modified_desc'])(
    'returns no CVE twice with sort=%s when a CVE changes between pages',
    async (sort) => {
      const ids = Array.from({ length: 6 }, (_, at) => `CVE-2024-000${at}`)
      const first = (await get(`limit=2&sort=${sort}`)).json.data
      const [changed = ''] = listCveIds(first)
      await given(cve(changed, { modified: '2026-08-20T00:00:00Z', sources: ['cve', 'ghsa', 'nvd'] }))
      const seen = [...listCveIds(first)]
      for (let after = first.pagination.nextCursor; after !== undefined; ) {
        const page = await get(`limit=2&sort=${sort}&after=${after}`)
        seen.push(...listCveIds(page.json.data))
        after = page.json.data.pagination.nextCursor
      }
      expect(seen.toSorted()).toEqual(ids)
      const at = Number(changed.at(-1))
      await given(
        cve(changed, { score: at + 3, sources: ['cve', 'ghsa', 'nvd'], modified: `2024-01-0${at + 1}T00:00:00Z` }),
      )
    },
  )
})
