import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { clockFrom } from '../../src/domain/clock.ts'
import { formatInstant, parseDate, parseDateTime } from '../../src/domain/instant.ts'

const instant = fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })

describe('Instants (C1, C9)', () => {
  it('written and read again are the same to the second', () => {
    fc.assert(
      fc.property(instant, (at) => {
        expect(parseDateTime(formatInstant(at))?.getTime()).toBe(Math.floor(at.getTime() / 1000) * 1000)
      }),
    )
  })

  it('with an offset are the same as JavaScript reads them', () => {
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

  it('of a year 0000 are refused: there is none', () => {
    expect([parseDate('0000-01-01'), parseDateTime('0000-12-31T00:00:00Z')]).toEqual([undefined, undefined])
    expect(parseDate('0001-01-01')).toBeDefined()
  })

  it('that are days exist or are refused, as the calendar has it', () => {
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

describe('A clock that starts elsewhere', () => {
  it('runs at the usual speed', () => {
    let real = Date.parse('2030-01-01T00:00:00Z')
    const clock = clockFrom(new Date('2026-08-22T00:00:00Z'), () => new Date(real))
    real += 90_000
    expect(formatInstant(clock())).toBe('2026-08-22T00:01:30Z')
  })
})
