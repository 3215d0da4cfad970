import { describe, expect, it } from 'vitest'
import { toCsv } from '../../src/pages/usage/csv.ts'
import { describeForecast, explainForecast } from '../../src/pages/usage/describe-usage.ts'
import { sumByGroup, toAxisEnd, toChart, type UsageRow } from '../../src/pages/usage/series.ts'
import { parseState, toSearch } from '../../src/pages/usage/state.ts'
import { toView } from '../../src/pages/usage/view.ts'
import { formatMonth, lastDayOf, listDays, readMonth, shiftMonth } from '../../src/text/months.ts'

const row = (day: string, endpoint: string, credits: number, calls = 1): UsageRow => ({ day, endpoint, calls, credits })

const USAGE = {
  plan: 'pro',
  credits_limit: 1000,
  credits_used: 60,
  credits_remaining: 940,
  reset_at: '2026-09-01T00:00:00Z',
  percentage_used: 6,
} as const

describe('The usage in a month', () => {
  it('omits the days before the month, which only the forecast needs', () => {
    const rows = [
      row('2026-07-31', 'get-cve', 70),
      row('2026-08-01', 'get-cve', 50, 10),
      row('2026-08-02', 'console', 0, 4),
    ]
    const breakdown = {
      from: '2026-07-25',
      to: '2026-08-02',
      by: ['day', 'endpoint'] as const,
      rows,
      totals: { calls: 15, credits: 120 },
    }
    const view = toView({ breakdown, month: '2026-08', current: '2026-08', grouping: 'endpoint', usage: USAGE })
    expect(view.totals).toMatchObject({ calls: 14, credits: 50 })
    expect(view.today).toBe('2026-08-02')
    expect(view.forecast).toMatchObject({ perDay: 60, basisDays: 2 })
    expect(view.chart.bars).toHaveLength(31)
    expect(view.groups.map(({ group }) => group)).toEqual(['get-cve', 'console'])
  })

  it('has no forecast for a past month', () => {
    const breakdown = {
      from: '2026-07-01',
      to: '2026-07-31',
      by: ['day', 'endpoint'] as const,
      rows: [row('2026-07-30', 'get-cve', 5)],
      totals: { calls: 1, credits: 5 },
    }
    const view = toView({ breakdown, month: '2026-07', current: '2026-08', grouping: 'endpoint', usage: USAGE })
    expect([view.isCurrent, view.forecast, view.today]).toEqual([false, undefined, '2026-07-31'])
  })

  it('shows the four groups with the most credits, and combines the others', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f']
    const rows = [
      ...names.map((name, index) => row('2026-08-01', name, 10 * (index + 1))),
      row('2026-08-01', 'console', 0, 9),
    ]
    const chart = toChart(rows, ['2026-08-01', '2026-08-02'], ({ endpoint = '' }) => endpoint)
    expect(chart.groups).toEqual(['f', 'e', 'd', 'c'])
    expect(chart.otherGroups).toBe(2)
    expect(chart.bars[0]).toEqual({ day: '2026-08-01', credits: 210, calls: 15, parts: [60, 50, 40, 30, 30] })
    expect(chart.bars[1]).toMatchObject({ credits: 0, parts: [0, 0, 0, 0, 0] })
  })

  it('sums rows of the same group', () => {
    expect(
      sumByGroup([row('2026-08-01', 'a', 1.5), row('2026-08-02', 'a', 2)], ({ endpoint = '' }) => endpoint),
    ).toEqual([{ group: 'a', calls: 2, credits: 3.5 }])
  })

  it.each([
    [0, 2],
    [7, 10],
    [10, 10],
    [11, 20],
    [201, 500],
    [980, 1000],
  ])('ends the axis for the maximum %d at %d', (value, end) => {
    expect(toAxisEnd(value)).toBe(end)
  })

  it('says in words whether the credits will last, and how the forecast is computed', () => {
    const forecast = { total: 580, perDay: 19.6, basisDays: 7, restOfToday: 0, runsOutOn: undefined }
    expect(describeForecast(forecast, 1000)).toBe('58 %, enough')
    expect(describeForecast({ ...forecast, runsOutOn: '2026-08-24' }, 500)).toBe('runs out about 24 August')
    expect(describeForecast(undefined, 500)).toBe('known after the first complete day of use')
    expect(explainForecast(forecast)).toBe(
      'The forecast adds 20 credits, the daily mean of the last 7 complete days, for each day that is left.',
    )
  })

  it('names keys in the CSV file', () => {
    const rows = [{ day: '2026-08-01', key_id: '12', calls: 2, credits: 10 }]
    expect(toCsv(rows, 'key', () => '=build')).toBe(
      "\u{FEFF}day,key_id,key,calls,credits\r\n2026-08-01,12,'=build,2,10\r\n",
    )
  })
})

describe('Months', () => {
  it('know their days and the adjacent months', () => {
    expect([lastDayOf('2028-02'), shiftMonth('2026-01', -1), formatMonth('2026-08')]).toEqual([
      '2028-02-29',
      '2025-12',
      'August 2026',
    ])
    expect(listDays('2026-02-27', '2026-03-02')).toEqual(['2026-02-27', '2026-02-28', '2026-03-01', '2026-03-02'])
    expect(listDays('2026-03-02', '2026-03-01')).toEqual([])
  })

  it('are read from the address only if they are months', () => {
    expect(['2026-08', '2026-13', '2026-8', 'x', 7].map(readMonth)).toEqual(['2026-08', ...Array(4).fill(undefined)])
    expect(parseState({ month: '2026-07', by: 'key' })).toEqual({ month: '2026-07', grouping: 'key' })
    expect(parseState({ by: 'vendor' })).toEqual({ month: undefined, grouping: 'endpoint' })
    expect(toSearch({ month: '2026-07', grouping: 'key' })).toEqual({ month: '2026-07', by: 'key' })
    expect(toSearch({ month: undefined, grouping: 'endpoint' })).toEqual({})
  })
})
