import { describe, expect, it } from 'vitest'
import { clampToNow, clampToToday, isFutureTime } from '../../src/feeds/clock-skew.ts'

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

  it('replaces a day that is later than today by today', () => {
    expect(clampToToday('2026-08-23', '2026-08-22')).toBe('2026-08-22')
    expect(clampToToday('2026-08-21', '2026-08-22')).toBe('2026-08-21')
  })
})
