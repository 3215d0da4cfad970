import { describe, expect, it } from 'vitest'
import { buildEpssChart, findNearest, formatShare, summarizeSeries } from '../../src/pages/cve/model/epss-chart.ts'
import { findFirstDay, parseState, toSearch } from '../../src/pages/cve/state.ts'

const score = (date: string, value: number, model = 'v4') => ({ date, score: value, percentile: 0.5, model })

const SERIES = {
  cve_id: 'CVE-2026-12345',
  from: '2026-06-01',
  to: '2026-06-30',
  series: [score('2026-06-10', 0.01), score('2026-06-11', 0.012), score('2026-06-14', 0.016)],
  model_changes: [],
  missing_days: [{ from: '2026-06-12', to: '2026-06-13' }],
  first_scored: '2026-06-10',
  lev: null,
  no_lev_reason: null,
}

const listDates = (points: readonly { readonly score: { readonly date: string } }[]) =>
  points.map(({ score: { date } }) => date)

describe('EPSS chart', () => {
  it('joins consecutive days with a line and bridges days without a score', () => {
    const { lines, bridges } = buildEpssChart(SERIES)
    expect(lines.map(listDates)).toEqual([['2026-06-10', '2026-06-11'], ['2026-06-14']])
    expect(bridges.map(listDates)).toEqual([['2026-06-11', '2026-06-14']])
  })

  it('never joins the scores of two models, whether or not days are missing between them', () => {
    const { lines, bridges, marks } = buildEpssChart({
      ...SERIES,
      series: [score('2026-06-09', 0.01), ...SERIES.series],
      model_changes: [
        { date: '2026-06-10', model: 'v4', previous: null },
        { date: '2026-06-13', model: 'v5', previous: 'v4' },
        // Outside of the chart.
        { date: '2026-07-01', model: 'v6', previous: 'v5' },
      ],
    })
    expect(lines.map(listDates)).toEqual([['2026-06-09'], ['2026-06-10', '2026-06-11'], ['2026-06-14']])
    expect(bridges).toEqual([])
    expect(marks.map(({ letter, text }) => `${letter} ${text}`)).toEqual([
      'A 2026-06-10: model v4 replaced a model without a name',
      'B 2026-06-13: model v5 replaced model v4',
    ])
  })

  it('places scores on a scale that ends just above the highest score', () => {
    const { top, points } = buildEpssChart(SERIES)
    expect(top).toBe(0.02)
    expect(points.map(({ y }) => y)).toEqual([0.5, expect.closeTo(0.4), expect.closeTo(0.2)])
    const xs = points.map(({ x }) => x)
    expect(xs).toEqual(xs.toSorted((a, b) => a - b))
    expect(Math.min(...xs)).toBeGreaterThan(0)
    expect(Math.max(...xs)).toBeLessThan(1)
    expect(buildEpssChart({ ...SERIES, series: [score('2026-06-10', 0)] }).top).toBe(0.001)
    expect(buildEpssChart({ ...SERIES, series: [score('2026-06-10', 0.99999)] }).top).toBe(1)
  })

  it('labels the scale without trailing zeros', () => {
    expect([0, 0.0005, 0.001, 0.025, 0.5, 1].map(formatShare)).toEqual([
      '0 %',
      '0.05 %',
      '0.1 %',
      '2.5 %',
      '50 %',
      '100 %',
    ])
  })

  it('finds the score nearest to the pointer', () => {
    const { points } = buildEpssChart(SERIES)
    expect(findNearest(points, 0)?.score.date).toBe('2026-06-10')
    expect(findNearest(points, 1)?.score.date).toBe('2026-06-14')
    expect(findNearest([], 0.5)).toBeUndefined()
  })

  it('describes in words what it shows', () => {
    expect(summarizeSeries(SERIES, formatShare)).toBe(
      'EPSS from 2026-06-10 to 2026-06-14: between 1 % and 1.6 %, at last 1.6 %. 2 days have no score.',
    )
    expect(summarizeSeries({ ...SERIES, series: [] }, formatShare)).toBe(
      'There is no EPSS score from 2026-06-01 to 2026-06-30.',
    )
  })
})

describe('CVE page: URL and chart period', () => {
  it('keeps the period and the day, and omits defaults and unknown parameters', () => {
    const search = { epss: '1y', as_of: '2026-08-01' }
    expect(toSearch(parseState(search))).toEqual(search)
    expect(toSearch(parseState({ epss: '90d', as_of: 'yesterday' }))).toEqual({})
    expect(parseState({ epss: 'toString' }).period).toBe('90d')
    expect(parseState({ as_of: '2026-13-45' }).asOf).toBeUndefined()
  })

  it('starts a period of one year on the same day of the previous year', () => {
    expect(findFirstDay('1y', new Date('2026-08-21T18:00:00Z'))).toBe('2025-08-21')
  })
})
