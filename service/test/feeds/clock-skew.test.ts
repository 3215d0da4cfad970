import { describe, expect, it } from 'vitest'
import { clampToNow, clampToToday, isFutureTime } from '../../src/feeds/clock-skew.ts'

const NOW = new Date('2026-08-22T12:00:00Z')

describe('Upstream times in the future', () => {
  it('are tolerated up to one hour ahead; every later time is reported as a future time', () => {
    expect(isFutureTime(new Date('2026-08-22T13:00:00Z'), NOW)).toBe(false)
    expect(isFutureTime(new Date('2026-08-22T13:00:00.001Z'), NOW)).toBe(true)
  })

  it('are replaced with the current time, even within the tolerance', () => {
    expect(clampToNow(new Date('2026-08-22T12:00:01Z'), NOW)).toEqual(NOW)
  })

  it('do not affect an earlier time, which is kept', () => {
    const earlier = new Date('2026-08-22T11:59:59Z')

    expect(clampToNow(earlier, NOW)).toBe(earlier)
  })

  it('are replaced with today if they are dates', () => {
    expect(clampToToday('2026-08-23', '2026-08-22')).toBe('2026-08-22')
    expect(clampToToday('2026-08-21', '2026-08-22')).toBe('2026-08-21')
  })
})
