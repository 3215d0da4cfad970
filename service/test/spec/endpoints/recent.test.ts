import { describe, expect, it } from 'vitest'
import { cve } from '../../support/catalog/cve-builder.ts'
import { listCveIds, readAllPages } from '../../support/catalog/page-through.ts'
import { startTestService } from '../../support/service.ts'

// The test clock starts at 2026-08-22T00:00:00Z.
const { api, given, clock } = await startTestService()

const OLD = '2020-01-01T00:00:00Z'

await given(
  cve('CVE-2026-0001', { published: '2026-08-21T00:00:00Z', modified: '2026-08-21T12:00:00Z', score: 9 }),
  cve('CVE-2026-0002', { published: '2026-08-21T13:00:00Z', modified: '2026-08-21T13:00:00Z', score: 4 }),
  cve('CVE-2026-0003', { published: OLD, modified: '2026-08-21T23:59:59Z', score: null, notices: ['Notice'] }),
  cve('CVE-2026-0004', { published: '2026-08-20T23:59:59Z', modified: '2026-08-20T23:59:59Z' }),
  cve('CVE-2026-0005', { published: '2026-08-22T00:00:01Z', modified: '2026-08-21T14:00:00Z', status: 'Rejected' }),
  cve('CVE-2026-0006', { published: null, modified: '2026-08-15T00:00:00Z', kev: { dateAdded: '2026-08-15' } }),
  cve('CVE-2026-0007', { published: '2026-08-10T00:00:00Z', modified: OLD }),
  cve('CVE-2026-10000', { published: OLD, modified: '2026-08-21T13:00:00Z' }),
  cve('CVE-2010-0001', { published: OLD, modified: OLD }),
)

const get = (query: string) => api.get(`/api/v1/cves/recent?${query}`)
const readData = async (query: string) => (await get(query)).json.data
const found = async (query: string) => listCveIds(await readData(query)).map((id) => Number(id.slice(9)))

describe('GET /api/v1/cves/recent', () => {
  it('returns cves, pagination, lookback_period and total_found', async () => {
    const data = await readData('')
    expect(Object.keys(data)).toEqual(['cves', 'pagination', 'lookback_period', 'total_found'])
    expect(data).toMatchObject({
      pagination: { limit: 100, hasMore: false },
      lookback_period: '24 hours',
      total_found: 5,
    })
  })

  it('returns CVEs published or modified in the last 24 hours, newest event first and ties by id', async () => {
    expect(await found('')).toEqual([3, 5, 10000, 2, 1])
  })

  it('orders by the newest event of the requested type', async () => {
    expect(await found('type=published')).toEqual([2, 1])
    expect(await found('type=modified')).toEqual([3, 5, 10000, 2, 1])
    expect(await found('type=Both')).toEqual([3, 5, 10000, 2, 1])
    expect(await found('type=published&days=30')).toEqual([2, 1, 4, 7])
  })

  it('uses days for the lookback period, or hours if days is 0 or absent', async () => {
    expect(await found('hours=1')).toEqual([3])
    expect(await found('hours=25')).toEqual([3, 5, 10000, 2, 1, 4])
    expect(await found('days=7&hours=1')).toEqual([3, 5, 10000, 2, 1, 4, 6])
    expect(await found('days=0&hours=1')).toEqual([3])
    expect(await found('days=12')).toEqual([3, 5, 10000, 2, 1, 4, 6, 7])
    expect(await found('days=11')).toEqual([3, 5, 10000, 2, 1, 4, 6])
  })

  it.each([
    ['severity=critical', [1]],
    ['severity=critical,medium', [2, 1]],
    ['has_acsc=true', [3]],
    ['has_acsc=false', [5, 10000, 2, 1]],
    ['status=Rejected', [5]],
    ['status=analyzed&has_acsc=false', [10000, 2, 1]],
  ])('filters by %s and counts the remaining CVEs in total_found', async (query, numbers) => {
    expect(await found(query)).toEqual(numbers)
    expect((await readData(query)).total_found).toBe(numbers.length)
  })

  it('returns the fields of the batch endpoint and a KEV object with additional members', async () => {
    const { cves } = await readData('days=30&include=acsc')
    expect(Object.keys(cves[0])).toEqual([
      'cve_id',
      'source_tag',
      'published',
      'modified',
      'description',
      'severity',
      'status',
      'enrichment_status',
      'acsc_notices',
    ])
    const { kev } = cves.find(({ cve_id }: { cve_id: string }) => cve_id === 'CVE-2026-0006')
    expect(kev).toMatchObject({ known_exploited: true, due_date: '2026-08-31', dateAdded: '2026-08-15' })
    expect(kev).toMatchObject({ action_required: 'Apply updates.', knownRansomware: false })
  })
})

describe('GET /api/v1/cves/recent: cursor', () => {
  it('returns the whole list in pages of 2, and hasMore false for an exactly full last page', async () => {
    const { ids, pages } = await readAllPages(api, '/api/v1/cves/recent', 'limit=2')
    expect(ids.map((id) => Number(id.slice(9)))).toEqual([3, 5, 10000, 2, 1])
    expect(pages.map(({ hasMore }) => hasMore)).toEqual([true, true, false])
    expect((await readData('limit=5')).pagination).toEqual({ limit: 5, hasMore: false, totalEstimate: 5 })
  })

  it('keeps the time window and total_found of the first page on later pages', async () => {
    const { pagination } = await readData('hours=24&limit=2')
    clock.advance({ hours: 20 })
    await given(cve('CVE-2026-0008', { published: '2026-08-22T10:00:00Z', modified: '2026-08-22T10:00:00Z' }))
    const next = await readData(`limit=10&after=${pagination.nextCursor}`)
    expect(listCveIds(next).map((id) => Number(id.slice(9)))).toEqual([10000, 2, 1])
    expect([next.total_found, next.lookback_period]).toEqual([5, '24 hours'])
    expect(await found('')).toEqual([8, 5, 3])
  })

  it('accepts a cursor only with the query that it was issued for', async () => {
    const { nextCursor } = (await readData('days=30&limit=1')).pagination
    expect((await get(`days=30&hours=3&type=both&after=${nextCursor}`)).status).toBe(200)
    for (const other of ['days=29', 'days=30&type=modified', 'days=30&has_acsc=false', 'days=30&status=Analyzed']) {
      expect((await get(`${other}&after=${nextCursor}`)).json.error, other).toMatchObject({ parameter: 'after' })
    }
  })
})

describe('GET /api/v1/cves/recent: ETag (decision B13)', () => {
  it('returns 304 for the same CVEs although the current time and the cursor have changed', async () => {
    const before = await get('days=7&limit=2')
    clock.advance({ seconds: 1 })
    const after = await get('days=7&limit=2')
    expect(after.json.data.cves).toEqual(before.json.data.cves)
    expect(after.json.data.pagination.nextCursor).not.toBe(before.json.data.pagination.nextCursor)
    expect(after.headers['etag']).toBe(before.headers['etag'])
    const headers = { 'If-None-Match': before.headers['etag'] }
    expect((await api.get('/api/v1/cves/recent?days=7&limit=2', { headers })).status).toBe(304)
  })

  it('sends another ETag when the page length or a CVE has changed', async () => {
    const etag = async (query: string) => (await get(query)).headers['etag']
    const before = await etag('limit=1&fields=status')
    await given(cve('CVE-2026-0009', { published: OLD, modified: '2026-08-22T19:00:00Z' }))
    expect(await etag('limit=1&fields=status')).not.toBe(before)
    expect(await etag('limit=2')).not.toBe(await etag('limit=3'))
  })
})
