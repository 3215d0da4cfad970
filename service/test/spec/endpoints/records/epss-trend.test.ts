import { describe, expect, it } from 'vitest'
import { WITH_ALL_ADD_ONS } from '../../../../src/record/selection.ts'
import { cve, epssRelease } from '../../../support/catalog/cve-builder.ts'
import { epssHistory } from '../../../support/catalog/epss-history.ts'
import { readRows } from '../../../support/run-statements.ts'
import { EXTENDED_TIMEOUTS, startTestService } from '../../../support/service.ts'

const { api, given, database } = await startTestService({ environment: EXTENDED_TIMEOUTS })

const [SCORED, NEW, BARE] = ['CVE-2026-7201', 'CVE-2026-7202', 'CVE-2026-7203']
/** The newest release is of 2026-08-21. The week before has no release. */
await given(
  cve(SCORED, { epss: [0.5, 0.9] }),
  cve(NEW, { epss: [0.02, 0.3] }),
  cve(BARE),
  epssHistory(
    {
      '2026-05-22': { [SCORED]: [0.99, 0.99] },
      '2026-05-23': { [SCORED]: [0.1, 0.9] },
      '2026-08-06': { [SCORED]: [0.7, 0.9] },
      '2026-08-07': { [SCORED]: [0.3, 0.9] },
      '2026-08-20': { [SCORED]: [0.4, 0.9] },
    },
    (day) => (day < '2026-05-23' ? 'v3' : day < '2026-08-07' ? 'v4' : 'v5'),
  ),
)

const SELECTION = 'fields=cve_id&include=epss_trend'
const LATER_CHANGE = { date: '2026-08-07', model: 'v5', previous: 'v4' }
const WINDOW = {
  from: '2026-05-23',
  to: '2026-08-21',
  model_changes: [{ date: '2026-05-23', model: 'v4', previous: 'v3' }, LATER_CHANGE],
}
const empty = (count: number) => Array.from({ length: count }, () => null)
const TRENDS = {
  [SCORED]: { ...WINDOW, lowest: 0.1, highest: 0.7, scores: [0.1, ...empty(9), 0.3, null, 0.5] },
  [NEW]: { ...WINDOW, lowest: 0.02, highest: 0.02, scores: [...empty(12), 0.02] },
  [BARE]: { ...WINDOW, lowest: null, highest: null, scores: empty(13) },
}

const get = (id: string, query = SELECTION, headers = {}) => api.get(`/api/v1/cve/${id}?${query}`, { headers })

interface Answered {
  readonly cve_id: string
  readonly epss_trend: unknown
}

const byId = (cves: readonly Answered[]) => Object.fromEntries(cves.map((each) => [each.cve_id, each.epss_trend]))

describe('include=epss_trend', () => {
  it.each(['/api/v1/cves?', '/api/v1/cves/recent?days=30&'])('has the weeks of every CVE in %s', async (list) => {
    const { json } = await api.get(`${list}${SELECTION}`)
    expect(byId(json.data.cves)).toEqual(TRENDS)
  })

  it('has the weeks in a batch, with and without fields', async () => {
    for (const selection of [{ fields: ['cve_id'] }, {}]) {
      const { json } = await api.send('POST', '/api/v1/cve/batch', {
        body: JSON.stringify({ cve_ids: Object.keys(TRENDS), include: 'epss_trend', ...selection }),
        headers: { 'Content-Type': 'application/json' },
      })
      expect(byId(Object.values(json.data.cves))).toEqual(TRENDS)
    }
  })

  it('has the weeks of a single CVE, also of one that the node has in memory', async () => {
    for (const id of [SCORED, NEW, BARE]) {
      expect((await get(id, '')).json.data.cve).not.toHaveProperty('epss_trend')
      expect((await get(id)).json.data.cve).toEqual({ cve_id: id, epss_trend: TRENDS[id] })
    }
  })

  it('continues on the next page of a list', async () => {
    const first = (await api.get(`/api/v1/cves?limit=2&${SELECTION}`)).json.data
    const { nextCursor } = first.pagination
    const second = (await api.get(`/api/v1/cves?limit=2&after=${nextCursor}&${SELECTION}`)).json.data
    expect(byId([...first.cves, ...second.cves])).toEqual(TRENDS)
  })

  it('is in no copy of a record', () => {
    expect(WITH_ALL_ADD_ONS.fields).not.toContain('epss_trend')
  })

  it('has an ETag that changes with the scores of earlier days, although the record stays the same', async () => {
    const etag = (await get(SCORED)).headers['etag'] ?? ''
    expect((await get(SCORED, SELECTION, { 'If-None-Match': etag })).status).toBe(304)
    await given(epssHistory({ '2026-08-14': { [SCORED]: [0.35, 0.9] } }, () => 'v5'))
    const later = await get(SCORED, SELECTION, { 'If-None-Match': etag })
    expect(later.status).toBe(200)
    expect(later.json.data.cve.epss_trend.scores.at(-2)).toBe(0.35)
  })

  it('moves with a new release, in lists and in single records', async () => {
    await given(epssRelease('2026-08-22', { [SCORED]: [0.6, 0.9] }))
    const window = { from: '2026-05-24', to: '2026-08-22', model_changes: [LATER_CHANGE] }
    const moved = { ...window, lowest: 0.3, highest: 0.7 }
    const scores = [...empty(10), 0.3, 0.35, 0.6]
    const { json } = await api.get(`/api/v1/cves?${SELECTION}`)
    expect(byId(json.data.cves)[SCORED]).toEqual({ ...moved, scores })
    expect((await get(SCORED)).json.data.cve.epss_trend).toEqual({ ...moved, scores })
  })

  it('is absent while no release is loaded', async () => {
    await readRows(database.url, 'delete from catalog.epss_release')
    const { json } = await api.get(`/api/v1/cves?${SELECTION}`)
    expect(json.data.cves).toContainEqual({ cve_id: SCORED })
    expect((await get(SCORED)).json.data.cve).toEqual({ cve_id: SCORED })
  })
})
