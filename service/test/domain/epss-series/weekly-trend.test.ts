import { describe, expect, it } from 'vitest'
import { encodeMonth, toUnits } from '../../../src/domain/epss-series/codec.ts'
import { computeTrend, TREND_WEEKS } from '../../../src/domain/epss-series/weekly-trend.ts'

/** Encodes the scores of a month by their day of the month. */
function month(first: string, scores: Readonly<Record<number, number>>) {
  const days = Array.from({ length: 31 }, (_, index) => {
    const score = scores[index + 1]
    return score === undefined ? null : { score: toUnits(score), percentile: null }
  })
  return { month: first, scores: encodeMonth(days).scores.toString('hex') }
}

const NEWEST = '2026-08-21'
/** The weeks before the one with the given number are empty. */
const emptyUntil = (count: number) => Array.from({ length: count }, () => null)

describe('Weekly trend of an EPSS score', () => {
  it('has 13 weeks that end with the day of the newest release', () => {
    const { from, to, scores } = computeTrend(NEWEST, 0.5, [])
    expect([from, to]).toEqual(['2026-05-23', '2026-08-21'])
    expect(scores).toEqual([...emptyUntil(TREND_WEEKS - 1), 0.5])
  })

  it('has the last score known in each week, across months, and null for a week without one', () => {
    const { scores } = computeTrend(NEWEST, null, [
      month('2026-07-01', { 24: 0.1, 25: 0.2, 31: 0.3 }),
      month('2026-08-01', { 7: 0.4, 15: 0.5, 20: 0.6 }),
    ])
    // Weeks end on Fridays: 24 and 31 July, 7, 14 and 21 August.
    expect(scores.slice(-5)).toEqual([0.1, 0.3, 0.4, null, 0.6])
  })

  it('counts neither the day before the first week nor days after the newest release', () => {
    const trend = computeTrend(NEWEST, null, [
      month('2026-05-01', { 22: 0.9, 23: 0.2 }),
      month('2026-08-01', { 21: 0.3, 22: 0.8 }),
    ])
    expect(trend.scores).toEqual([0.2, ...emptyUntil(TREND_WEEKS - 2), 0.3])
    expect([trend.lowest, trend.highest]).toEqual([0.2, 0.3])
  })

  it('finds the lowest and the highest score also within a week', () => {
    const { scores, lowest, highest } = computeTrend(NEWEST, 0.5, [month('2026-08-01', { 18: 0.01, 19: 0.97 })])
    expect(scores.at(-1)).toBe(0.5)
    expect([lowest, highest]).toEqual([0.01, 0.97])
  })

  it('ends with the score of the newest release if the history does not have it yet', () => {
    expect(computeTrend(NEWEST, 0.7, [month('2026-08-01', { 20: 0.1 })]).scores.at(-1)).toBe(0.7)
  })

  it('knows nothing about a CVE without scores', () => {
    const { scores, lowest, highest } = computeTrend(NEWEST, null, [])
    expect([scores, lowest, highest]).toEqual([emptyUntil(TREND_WEEKS), null, null])
  })
})
