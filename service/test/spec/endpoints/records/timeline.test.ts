import { describe, expect, it } from 'vitest'
import { WITH_ALL_ADD_ONS } from '../../../../src/record/selection.ts'
import { cve } from '../../../support/catalog/cve-builder.ts'
import { epssHistory } from '../../../support/catalog/epss-history.ts'
import { EXTENDED_TIMEOUTS, startTestService } from '../../../support/service.ts'

const { api, given } = await startTestService({ environment: EXTENDED_TIMEOUTS })

const [ID, BARE] = ['CVE-2026-7101', 'CVE-2026-7102']
/** The test clock shows 2026-08-22. */
await given(
  cve(ID, { kev: { dateAdded: '2026-08-10' }, notices: ['Act now'], published: '2026-08-01T10:00:00Z' }),
  cve(BARE, { published: null }),
  epssHistory({
    '2026-08-19': { [ID]: [0.1, 0.9] },
    '2026-08-20': { [ID]: [0.1, 0.9] },
    '2026-08-21': { [ID]: [0.5, 0.9] },
  }),
)

const get = (id: string, query: string, headers = {}) => api.get(`/api/v1/cve/${id}?${query}`, { headers })

describe('GET /api/v1/cve/{cve-id}?include=timeline', () => {
  it('has the dated facts of the record by lane, and the movements of the EPSS score in five years', async () => {
    const { json } = await get(ID, 'include=timeline&fields=cve_id')
    expect(Object.keys(json.data.cve)).toEqual(['cve_id', 'timeline'])
    const { dated, undated, omitted, epss_movements } = json.data.cve.timeline
    expect(dated).toContainEqual({ lane: 'known', kind: 'published', date: '2026-08-01' })
    expect(dated).toContainEqual(expect.objectContaining({ lane: 'known', kind: 'notice', says: 'Act now' }))
    expect([undated, omitted]).toEqual([[], 0])
    expect(epss_movements).toEqual({
      from: '2021-08-22',
      to: '2026-08-22',
      points: [
        { date: '2026-08-19', score: 0.1 },
        { date: '2026-08-21', score: 0.5 },
      ],
      missing_days: [],
      model_changes: [],
    })
  })

  it('has no facts and no points for a CVE of which no day is known', async () => {
    const { json } = await get(BARE, 'include=timeline&fields=cve_id')
    expect(json.data.cve.timeline).toMatchObject({ dated: [], undated: [], omitted: 0, epss_movements: { points: [] } })
  })

  it('has an ETag that changes with the scores of earlier days, although the record stays the same', async () => {
    const query = 'include=timeline'
    const { headers } = await get(ID, query)
    const etag = headers['etag'] ?? ''
    expect((await get(ID, query, { 'If-None-Match': etag })).status).toBe(304)

    await given(epssHistory({ '2026-08-01': { [ID]: [0.9, 0.99] } }))
    const later = await get(ID, query, { 'If-None-Match': etag })
    expect(later.status).toBe(200)
    expect(later.json.data.cve.timeline.epss_movements.points[0]).toEqual({ date: '2026-08-01', score: 0.9 })
  })

  it('does not exist in lists, in batches and in copies of records', async () => {
    const search = await api.get('/api/v1/cves?include=timeline')
    expect(search.status).toBe(400)
    expect(search.json.error.message).toContain('include')
    expect(WITH_ALL_ADD_ONS.fields).not.toContain('timeline')
  })

  it('answers 404 for an unknown CVE', async () => {
    expect((await get('CVE-2026-7999', 'include=timeline')).status).toBe(404)
  })
})
