import { expect, it } from 'vitest'
import { type DayScore, decodeMonth, encodeMonth } from '../../../service/src/domain/epss-series/codec.ts'

const SERIES = 1_000_000

/** A fast generator of numbers below `limit` (xorshift). fast-check would take minutes for a million series. */
function createDice(seed: number): (limit: number) => number {
  let state = seed
  return (limit) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % limit
  }
}

it(`${SERIES} random months of EPSS scores decode to the same scores and percentiles`, () => {
  const below = createDice(20_210_414)
  for (let series = 0; series < SERIES; series += 1) {
    const days: (DayScore | null)[] = []
    // Some series move a little, others by any amount; some days have no score, and some no percentile.
    const range = below(2) === 0 ? 50 : 100_001
    for (let day = below(32); day > 0; day -= 1)
      days.push(below(6) === 0 ? null : { score: below(range), percentile: below(8) === 0 ? null : below(100_001) })
    const decoded = decodeMonth(encodeMonth(days))
    const end = days.findLastIndex((day) => day !== null) + 1
    const isSame =
      decoded.length === end &&
      decoded.every((day, at) => day?.score === days[at]?.score && day?.percentile === days[at]?.percentile)
    if (!isSame) expect(decoded).toEqual(days.slice(0, end))
  }
})
