import { describe, expect, it } from 'vitest'
import { formatInstant } from '../../src/domain/instant.ts'
import { sydneyToUtc } from '../../src/feeds/sources/acsc/dates.ts'

const toUtc = (wallClock: string) => formatInstant(sydneyToUtc(new Date(`${wallClock}Z`)))

describe('Conversion of Sydney wall-clock time to UTC', () => {
  it('subtracts ten hours in winter and eleven hours in summer', () => {
    expect(toUtc('2026-07-01T09:30:00')).toBe('2026-06-30T23:30:00Z')
    expect(toUtc('2026-01-01T09:30:00')).toBe('2025-12-31T22:30:00Z')
  })

  it('changes to daylight saving time on 4 October 2026 at 02:00', () => {
    expect(toUtc('2026-10-04T01:59:59')).toBe('2026-10-03T15:59:59Z')
    expect(toUtc('2026-10-04T03:00:00')).toBe('2026-10-03T16:00:00Z')
  })

  it('reads a time in the skipped hour as one hour later', () => {
    expect(toUtc('2026-10-04T02:30:00')).toBe('2026-10-03T16:30:00Z')
  })

  it('changes back to standard time on 5 April 2026 at 03:00', () => {
    expect(toUtc('2026-04-05T01:59:59')).toBe('2026-04-04T14:59:59Z')
    expect(toUtc('2026-04-05T03:00:00')).toBe('2026-04-04T17:00:00Z')
  })

  it('reads an ambiguous time as its first occurrence', () => {
    expect(toUtc('2026-04-05T02:30:00')).toBe('2026-04-04T15:30:00Z')
  })
})
