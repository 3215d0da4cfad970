import { describe, expect, it } from 'vitest'
import { formatInstant } from '../../src/domain/instant.ts'
import { sydneyToUtc } from '../../src/domain/sydney-time.ts'

const utc = (wallClock: string) => formatInstant(sydneyToUtc(new Date(`${wallClock}Z`)))

describe('Time in Sydney', () => {
  it('is ten hours ahead in winter and eleven in summer', () => {
    expect(utc('2026-07-01T09:30:00')).toBe('2026-06-30T23:30:00Z')
    expect(utc('2026-01-01T09:30:00')).toBe('2025-12-31T22:30:00Z')
  })

  it('jumps ahead in the night of 4 October 2026: 02:00 becomes 03:00', () => {
    expect(utc('2026-10-04T01:59:59')).toBe('2026-10-03T15:59:59Z')
    expect(utc('2026-10-04T03:00:00')).toBe('2026-10-03T16:00:00Z')
  })

  it('reads an hour later what was never on the clock', () => {
    expect(utc('2026-10-04T02:30:00')).toBe('2026-10-03T16:30:00Z')
  })

  it('falls back in the night of 5 April 2026: 03:00 becomes 02:00', () => {
    expect(utc('2026-04-05T01:59:59')).toBe('2026-04-04T14:59:59Z')
    expect(utc('2026-04-05T03:00:00')).toBe('2026-04-04T17:00:00Z')
  })

  it('takes the first of two equal times', () => {
    expect(utc('2026-04-05T02:30:00')).toBe('2026-04-04T15:30:00Z')
  })
})
