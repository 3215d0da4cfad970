import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { Fixture } from '../../../support/builders.ts'
import { cve } from '../../../support/catalog/cve-builder.ts'
import { epssHistory } from '../../../support/catalog/epss-history.ts'
import { EXTENDED_TIMEOUTS, startTestService } from '../../../support/service.ts'

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

const toId = (number: number) => `CVE-2026-${8000 + number}`
/** Old and new scores of the window of 7 days, in units of 0.00001. */
const MOVES = [
  [1000, 61_000],
  [20_000, 30_000],
  [5, 10_005],
  [10_000, 20_000],
  [0, 500],
  [90_000, 10_000],
] as const

const movers: Fixture = {
  store: async (db) => {
    await sql`
      insert into catalog.epss_mover_window (days, from_day, to_day, is_comparable)
      values (1, null, '2026-08-21', true), (7, '2026-08-14', '2026-08-21', true),
             (30, '2026-07-22', '2026-08-21', false)
    `.execute(db)
    for (const [index, [before, after]] of MOVES.entries())
      await sql`
        insert into catalog.epss_mover (days, cve_key, old_score, new_score, old_day)
        values (7, catalog.cve_key(${toId(index)}), ${before}, ${after}, '2026-08-14')
      `.execute(db)
  },
}

describe('GET /api/v1/cve/{cve-id}/epss', () => {
  it('returns the scores in a window with their models, and missing days separately from days without a score', async () => {
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
      // The release before the first one in the window is from 2021-05-01, which names no model.
      model_changes: [
        { date: '2026-07-30', model: 'v4', previous: null },
        { date: '2026-08-03', model: 'v5', previous: 'v4' },
      ],
      missing_days: [{ from: '2026-08-02', to: '2026-08-02' }],
      first_scored: '2021-05-01',
      lev: null,
      no_lev_reason: 'too_few_scores',
    })
  })

  it('covers the last 90 days without parameters, and no missing day after the newest release', async () => {
    const { from, to, missing_days } = await readData()
    expect([from, to]).toEqual(['2026-05-25', '2026-08-22'])
    expect(missing_days).toEqual([
      { from: '2026-05-25', to: '2026-07-29' },
      { from: '2026-08-02', to: '2026-08-02' },
    ])
    expect((await readData('?to=2026-08-01')).from).toBe('2026-05-04')
  })

  it("compares the first day's model with the release before the window", async () => {
    expect((await readData('?from=2026-08-03')).model_changes).toEqual([
      { date: '2026-08-03', model: 'v5', previous: 'v4' },
    ])
    expect((await readData('?from=2026-08-04')).model_changes).toEqual([])
  })

  it('returns null for percentiles and models that a release lacks, and no day before 2021-04-14 as missing', async () => {
    const { series, missing_days } = await readData('?from=2021-04-01&to=2021-05-02')
    expect(series).toEqual([{ date: '2021-05-01', score: 0.5, percentile: null, model: null }])
    expect(missing_days).toEqual([
      { from: '2021-04-14', to: '2021-04-30' },
      { from: '2021-05-02', to: '2021-05-02' },
    ])
  })

  it('returns an empty series for a CVE without a score', async () => {
    expect(await readData('', UNSCORED)).toMatchObject({
      series: [],
      first_scored: null,
      lev: null,
      no_lev_reason: 'too_few_scores',
    })
  })
})

describe('GET /api/v1/epss/movers', () => {
  const get = (query = '') => api.get(`/api/v1/epss/movers${query}`)
  const readData = async (query = '') => (await get(query)).json.data
  const listIds = async (query: string) => (await readData(query)).movers.map((each: { cve_id: string }) => each.cve_id)

  it('is empty before the first EPSS release, and says that nothing can be compared', async () => {
    expect(await readData()).toEqual({
      window: { days: 7, from: null, to: null, comparable: false, not_comparable_reason: 'no_release' },
      movers: [],
      pagination: { limit: 50, hasMore: false, totalEstimate: 0 },
    })
  })

  it('lists the CVEs that rose, largest difference first, with KEV and priority', async () => {
    await given(movers, cve(toId(0), { kev: {} }), ...[1, 2, 3, 5].map((number) => cve(toId(number))))
    await given(cve(toId(4), { status: 'Rejected', facts: { isRejected: true } }))
    const { window, movers: listed } = await readData()
    expect(window).toEqual({
      days: 7,
      from: '2026-08-14',
      to: '2026-08-21',
      comparable: true,
      not_comparable_reason: null,
    })
    expect(listed[0]).toEqual({
      cve_id: toId(0),
      earlier: { date: '2026-08-14', score: 0.01 },
      later: { date: '2026-08-21', score: 0.61 },
      delta: 0.6,
      ratio: 61,
      in_kev: true,
      priority_level: expect.stringMatching(/^P[0-4]$/),
    })
    // Among equal differences, the newer CVE comes first.
    expect(listed.map((each: { cve_id: string }) => each.cve_id)).toEqual([0, 3, 2, 1, 4].map(toId))
    expect(listed.at(-1)).toMatchObject({ ratio: null, priority_level: null })
  })

  it('lists the CVEs that fell', async () => {
    const { movers: listed } = await readData('?direction=down')
    expect(listed).toMatchObject([{ cve_id: toId(5), delta: -0.8, ratio: 9 }])
  })

  it('applies the minimum difference and ratio, both inclusive', async () => {
    expect(await listIds('?min_delta=0.1')).toEqual([0, 3, 2, 1].map(toId))
    expect(await listIds('?min_delta=0.10001')).toEqual([toId(0)])
    expect(await listIds('?min_ratio=2')).toEqual([0, 3, 2, 4].map(toId))
  })

  it('says that a single release cannot be compared', async () => {
    expect(await readData('?days=1')).toMatchObject({
      window: { days: 1, from: null, to: '2026-08-21', comparable: false, not_comparable_reason: 'no_earlier_release' },
      movers: [],
    })
  })

  it('says that a window with two models is not comparable', async () => {
    expect(await readData('?days=30')).toMatchObject({
      window: { days: 30, from: '2026-07-22', comparable: false, not_comparable_reason: 'model_changed' },
      movers: [],
    })
  })
})
