import { describe, expect, it } from 'vitest'
import { clampToNow, isFutureTime } from '../../src/feeds/clock-skew.ts'

const NOW = new Date('2026-08-22T12:00:00Z')

describe('times that upstream dates later than now', () => {
  it('tolerates a time one hour ahead and reports every later time as a future time', () => {
    expect(isFutureTime(new Date('2026-08-22T13:00:00Z'), NOW)).toBe(false)
    expect(isFutureTime(new Date('2026-08-22T13:00:00.001Z'), NOW)).toBe(true)
  })

  it('replaces a time that is later than now by now, also within the tolerance', () => {
    expect(clampToNow(new Date('2026-08-22T12:00:01Z'), NOW)).toEqual(NOW)
  })

  it('keeps an earlier time', () => {
    const earlier = new Date('2026-08-22T11:59:59Z')

    expect(clampToNow(earlier, NOW)).toBe(earlier)
  })
})
