import { describe, expect, it } from 'vitest'
import { cve } from '../../../support/catalog/cve-builder.ts'
import { listCveIds } from '../../../support/catalog/page-through.ts'
import { startTestService } from '../../../support/service.ts'

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
})

describe('GET /api/v1/cves/recent: cursor', () => {
  it('keeps the time window and total_found from the first page on later pages', async () => {
    const { pagination } = await readData('hours=24&limit=2')
    clock.advance({ hours: 20 })
    await given(cve('CVE-2026-0008', { published: '2026-08-22T10:00:00Z', modified: '2026-08-22T10:00:00Z' }))
    const next = await readData(`limit=10&after=${pagination.nextCursor}`)
    expect(listCveIds(next).map((id) => Number(id.slice(9)))).toEqual([10000, 2, 1])
    expect([next.total_found, next.lookback_period]).toEqual([5, '24 hours'])
    expect(await found('')).toEqual([8, 5, 3])
  })

  it('accepts a cursor only with the query it was issued for', async () => {
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
})
