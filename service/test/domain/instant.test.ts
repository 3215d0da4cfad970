import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { clockFrom } from '../../src/domain/clock.ts'
import { formatInstant, parseDate, parseDateTime } from '../../src/domain/instant.ts'

const instant = fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })

describe('Time parser (decisions C1 and C9)', () => {
  it('parses a formatted time to the same second', () => {
    fc.assert(
      fc.property(instant, (at) => {
        expect(parseDateTime(formatInstant(at))?.getTime()).toBe(Math.floor(at.getTime() / 1000) * 1000)
      }),
    )
  })

  it('parses a time with an offset as Date.parse does', () => {
    fc.assert(
      fc.property(
        instant,
        fc.integer({ min: 0, max: 23 }),
        fc.integer({ min: 0, max: 59 }),
        fc.constantFrom('+', '-'),
        (at, hours, minutes, sign) => {
          const text = `${formatInstant(at).slice(0, -1)}${sign}${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`
          expect(parseDateTime(text)?.getTime()).toBe(Date.parse(text))
        },
      ),
    )
  })

  it('rejects dates in the year 0000', () => {
    expect([parseDate('0000-01-01'), parseDateTime('0000-12-31T00:00:00Z')]).toEqual([undefined, undefined])
    expect(parseDate('0001-01-01')).toBeDefined()
  })

  it('accepts exactly the dates that exist in the calendar', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9999 }),
        fc.integer({ min: 0, max: 13 }),
        fc.integer({ min: 0, max: 32 }),
        (year, month, day) => {
          const text = `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
          const real = new Date(`${text}T00:00:00Z`)
          const exists = !Number.isNaN(real.getTime()) && real.toISOString().startsWith(text)
          expect(parseDate(text)?.getTime()).toBe(exists ? real.getTime() : undefined)
        },
      ),
    )
  })
})

describe('Clock with a given start time', () => {
  it('runs at normal speed from its start time', () => {
    let real = Date.parse('2030-01-01T00:00:00Z')
    const clock = clockFrom(new Date('2026-08-22T00:00:00Z'), () => new Date(real))
    real += 90_000
    expect(formatInstant(clock())).toBe('2026-08-22T00:01:30Z')
  })
})
