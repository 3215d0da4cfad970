import { describe, expect, it } from 'vitest'
import { addDays } from '../../../src/domain/epss-series/days.ts'
import { computeLev, findNoLevReason, MIN_LEV_DAYS } from '../../../src/domain/epss-series/lev.ts'

const series = (scores: readonly number[], model: (index: number) => string | null = () => 'v4') =>
  scores.map((score, index) => ({ date: addDays('2026-01-01', index), score, model: model(index) }))

describe('LEV according to NIST CSWP 41', () => {
  it('combines the scores at the start of each 30-day window, and weights the last one by its fraction of 30 days', () => {
    // Windows begin on days 0, 30 and 60; the last one has 5 of 30 days.
    const scores = Array.from({ length: 65 }, (_, day) => (day === 0 ? 0.1 : day === 30 ? 0.2 : day === 60 ? 0.6 : 0.9))
    const expected = 1 - (1 - 0.1) * (1 - 0.2) * (1 - 0.6 * (5 / 30))
    expect(computeLev(series(scores))).toEqual({
      score: Number(expected.toFixed(5)),
      from: '2026-01-01',
      to: '2026-03-06',
      days: 65,
      spans_model_change: false,
    })
  })

  it('weights a single day as one of 30 days', () => {
    expect(computeLev(series([0.3]))?.score).toBe(0.01)
  })

  it('uses the last earlier score for a day without a score', () => {
    const all = series(Array.from({ length: 40 }, (_, day) => day / 100))
    const without = all.filter(({ date }) => date !== addDays('2026-01-01', 30))
    const expected = 1 - (1 - 0) * (1 - 0.29 * (10 / 30))
    expect(computeLev(without)?.score).toBe(Number(expected.toFixed(5)))
  })

  it('says whether it combines scores from several models', () => {
    expect(computeLev(series([0.1, 0.2], (index) => (index === 0 ? null : 'v4')))?.spans_model_change).toBe(true)
  })

  it('is null without a score', () => {
    expect(computeLev([])).toBeNull()
  })
})

describe('No LEV', () => {
  const days = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ date: `2026-07-${index}`, score: 0.1, model: null }))

  it('is given for fewer than 30 days with a score', () => {
    expect(findNoLevReason(days(MIN_LEV_DAYS - 1), false)).toBe('too_few_scores')
    expect(findNoLevReason(days(MIN_LEV_DAYS), false)).toBeNull()
  })

  it('is given for a CVE that is known to be exploited, however many scores it has', () => {
    expect(findNoLevReason(days(100), true)).toBe('exploited')
  })
})
