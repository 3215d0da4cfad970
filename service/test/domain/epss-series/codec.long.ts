import fc from 'fast-check'
import { expect, it } from 'vitest'
import { decodeMonth, encodeMonth } from '../../../src/domain/epss-series/codec.ts'
import { anyMonth, dropEnd } from './any-month.ts'

it('a million random months of EPSS scores decode to the same scores and percentiles', () => {
  fc.assert(
    fc.property(anyMonth, (days) => {
      const decoded = decodeMonth(encodeMonth(days))
      // Comparing texts is much faster than toEqual.
      if (JSON.stringify(decoded) !== JSON.stringify(dropEnd(days))) expect(decoded).toEqual(dropEnd(days))
    }),
    { numRuns: 1_000_000 },
  )
})
