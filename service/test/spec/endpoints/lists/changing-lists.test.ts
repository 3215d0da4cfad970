// Lists whose content changes while a client pages through them, and the cursors and ETags that must or must not notice
// it.
import { describe, expect, it } from 'vitest'
import { cve, withdrawnCve } from '../../../support/catalog/cve-builder.ts'
import { listCveIds } from '../../../support/catalog/page-through.ts'
import { startTestService } from '../../../support/service.ts'

const { api, given } = await startTestService()

const IDS = Array.from({ length: 6 }, (_, at) => `CVE-2024-000${at}`)
const search = (at: number) => cve(`CVE-2024-000${at}`, { score: at + 3, modified: `2024-01-0${at + 1}T00:00:00Z` })
const maker = (number: number, notes = '') =>
  cve(`CVE-2026-500${number}`, { kev: { vendorProject: 'Maker', dateAdded: `2026-08-0${number}`, notes } })
await given(...IDS.map((_, at) => search(at)))

const get = (query: string) => api.get(`/api/v1/cves?${query}`)
const getKev = (query: string) => api.get(`/api/v1/kev?vendor=maker&${query}`)

describe('GET /api/v1/cves: cursor', () => {
  it('is valid for an equivalent query with explicit defaults or in a different order', async () => {
    const first = await get('limit=2&severity=high,medium&status=Analyzed&q=Overflow')
    const after = first.json.data.pagination.nextCursor
    for (const same of [
      'status=analyzed&severity=Medium&severity=high&q=overflow',
      'q=%20overflow&severity=high,medium,high&status=Analyzed&sort=published_desc',
    ])
      expect((await get(`${same}&after=${after}`)).status, same).toBe(200)
  })

  it.each(['modified_asc', 'modified_desc'])(
    'returns no CVE twice with sort=%s when a CVE changes between pages',
    async (sort) => {
      const first = (await get(`limit=2&sort=${sort}`)).json.data
      const [changed = ''] = listCveIds(first)
      await given(cve(changed, { modified: '2026-08-20T00:00:00Z' }))
      const seen = [...listCveIds(first)]
      for (let after = first.pagination.nextCursor; after !== undefined; ) {
        const page = await get(`limit=2&sort=${sort}&after=${after}`)
        seen.push(...listCveIds(page.json.data))
        after = page.json.data.pagination.nextCursor
      }
      expect(seen.toSorted()).toEqual(IDS)
      await given(search(Number(changed.at(-1))))
    },
  )
})

describe('GET /api/v1/kev while the catalog changes', () => {
  it('keeps the total from the first page on later pages, even after an entry was removed', async () => {
    await given(maker(1), maker(2), maker(3))
    const { pagination } = (await getKev('limit=1')).json.data
    await given(withdrawnCve('CVE-2026-5001'))
    const { kev_entries, pagination: next } = (await getKev(`limit=5&after=${pagination.nextCursor}`)).json.data
    expect(kev_entries.map(({ cveId }: { cveId: string }) => cveId)).toEqual(['CVE-2026-5002'])
    expect([pagination.totalEstimate, next.totalEstimate]).toEqual([3, 3])
  })

  it('sends a different ETag for a changed entry', async () => {
    const readTag = async () => (await getKev('')).headers['etag']
    const before = await readTag()
    expect(await readTag()).toBe(before)
    await given(maker(2, 'Changed.'))
    expect(await readTag()).not.toBe(before)
  })
})
