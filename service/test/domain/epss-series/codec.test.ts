import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeMonth, encodeMonth } from '../../../src/domain/epss-series/codec.ts'
import { anyMonth, dropEnd } from './any-month.ts'

describe('Encoded month of EPSS scores', () => {
  it('decodes to the same scores and percentiles, for any series', () => {
    fc.assert(
      fc.property(anyMonth, (days) => {
        expect(decodeMonth(encodeMonth(days))).toEqual(dropEnd(days))
      }),
      { numRuns: 3000 },
    )
  })

  it('takes one byte per day for a score that stays the same, and for a day without a score', () => {
    const days = [
      { score: 43, percentile: null },
      ...Array.from({ length: 29 }, () => ({ score: 43, percentile: null })),
    ]
    expect(encodeMonth(days).scores).toHaveLength(30)
    expect(encodeMonth([null, null, { score: 43, percentile: 9000 }]).scores).toHaveLength(3)
    expect(encodeMonth(days).percentiles).toHaveLength(0)
  })

  it('takes at most three bytes for the largest difference', () => {
    const day = (score: number) => ({ score, percentile: score })
    const encoded = encodeMonth([day(100_000), day(0), day(100_000)])
    expect(encoded.scores).toHaveLength(9)
    expect(decodeMonth(encoded)).toEqual([day(100_000), day(0), day(100_000)])
  })
})
