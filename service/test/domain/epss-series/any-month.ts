import fc from 'fast-check'
import type { MonthScores } from '../../../src/domain/epss-series/codec.ts'

const units = fc.integer({ min: 0, max: 100_000 })

/** Generates random months of EPSS scores. Some days have no score, and some scores have no percentile. */
export const anyMonth: fc.Arbitrary<MonthScores> = fc.array(
  fc.option(fc.record({ score: units, percentile: fc.option(units) })),
  { maxLength: 31 },
)

/** Removes trailing days without a score, which are not encoded. */
export function dropEnd(days: MonthScores): MonthScores {
  return days.slice(0, days.findLastIndex((day) => day !== null) + 1)
}
