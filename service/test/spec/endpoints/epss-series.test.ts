import { describe, expect, it } from 'vitest'
import { cve } from '../../support/catalog/cve-builder.ts'
import { epssHistory } from '../../support/catalog/epss-history.ts'
import { EXTENDED_TIMEOUTS, startTestService } from '../../support/service.ts'

const { api, given } = await startTestService({ environment: EXTENDED_TIMEOUTS })

const [ID, UNSCORED] = ['CVE-2026-7001', 'CVE-2026-7002']
/** The test clock shows 2026-08-22. */
await given(
  cve(ID),
  cve(UNSCORED),
  epssHistory(
    {
      '2021-05-01': { [ID]: [0.5, null] },
      '2026-07-30': { [ID]: [0.01, 0.7] },
      '2026-07-31': {},
      '2026-08-01': { [ID]: [0.02, 0.71] },
      '2026-08-03': { [ID]: [0.20005, 0.99] },
      '2026-08-04': { [ID]: [0.3, 1] },
    },
    (day) => (day < '2022' ? null : day < '2026-08-03' ? 'v4' : 'v5'),
  ),
)

const get = (query = '', id = ID) => api.get(`/api/v1/cve/${id}/epss${query}`)
const readData = async (query = '', id = ID) => (await get(query, id)).json.data

describe('GET /api/v1/cve/{cve-id}/epss', () => {
  it('returns the scores of a window with their models, and the missing days apart from days without a score', async () => {
    expect(await readData('?from=2026-07-30&to=2026-08-04')).toEqual({
      cve_id: ID,
      from: '2026-07-30',
      to: '2026-08-04',
      series: [
        { date: '2026-07-30', score: 0.01, percentile: 0.7, model: 'v4' },
        { date: '2026-08-01', score: 0.02, percentile: 0.71, model: 'v4' },
        { date: '2026-08-03', score: 0.20005, percentile: 0.99, model: 'v5' },
        { date: '2026-08-04', score: 0.3, percentile: 1, model: 'v5' },
      ],
      // The release before the first one of the window is that of 2021-05-01, which names no model.
      model_changes: [
        { date: '2026-07-30', model: 'v4', previous: null },
        { date: '2026-08-03', model: 'v5', previous: 'v4' },
      ],
      missing_days: ['2026-08-02'],
      first_scored: '2021-05-01',
      // One window of 30 days has begun, 6 days ago.
      lev: { score: 0.002, from: '2026-07-30', to: '2026-08-04', days: 6, spans_model_change: true },
    })
  })

  it('has the last 90 days without parameters, and no missing day after the newest release', async () => {
    const { from, to, missing_days } = await readData()
    expect([from, to]).toEqual(['2026-05-25', '2026-08-22'])
    expect(missing_days.at(-1)).toBe('2026-08-02')
    expect((await readData('?to=2026-08-01')).from).toBe('2026-05-04')
  })

  it('compares the model of the first day with the release before the window', async () => {
    expect((await readData('?from=2026-08-03')).model_changes).toEqual([
      { date: '2026-08-03', model: 'v5', previous: 'v4' },
    ])
    expect((await readData('?from=2026-08-04')).model_changes).toEqual([])
  })

  it('returns null for percentiles and models that a release does not have, and no day before 2021-04-14 as missing', async () => {
    const { series, missing_days } = await readData('?from=2021-04-01&to=2021-05-02')
    expect(series).toEqual([{ date: '2021-05-01', score: 0.5, percentile: null, model: null }])
    expect([missing_days[0], missing_days.at(-1)]).toEqual(['2021-04-14', '2021-05-02'])
  })

  it('returns an empty series for a CVE without a score', async () => {
    expect(await readData('', UNSCORED)).toMatchObject({ series: [], first_scored: null, lev: null })
  })

  it('accepts five years and rejects a longer or reversed window before it is charged', async () => {
    expect((await get('?from=2021-08-22&to=2026-08-22')).status).toBe(200)
    const long = (await get('?from=2021-08-21&to=2026-08-22')).json.error
    expect(long).toMatchObject({ code: 'INVALID_PARAMETER', parameter: 'from', value: '2021-08-21' })
    expect(long.message).toContain('2021-08-22')
    expect((await get('?from=2026-08-23')).json.error).toMatchObject({ code: 'INVALID_PARAMETER', parameter: 'from' })
    expect((await get('?from=2026-02-30')).json.error).toMatchObject({ parameter: 'from' })
  })

  it('returns 304 for the ETag of the same series, and another ETag for another window', async () => {
    const { headers } = await get()
    const repeated = await api.get(`/api/v1/cve/${ID}/epss`, { headers: { 'if-none-match': headers['etag'] ?? '' } })
    expect(repeated.status).toBe(304)
    expect((await get('?to=2026-08-03')).headers['etag']).not.toBe(headers['etag'])
  })
})
