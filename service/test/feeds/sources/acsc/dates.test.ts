import { describe, expect, it } from 'vitest'
import { formatInstant } from '../../../../src/domain/instant.ts'
import { parseDay, parseRfc822Date } from '../../../../src/feeds/sources/acsc/dates.ts'

describe('ACSC date parser', () => {
  it.each([
    ['Mon, 28 Sep 2026 09:30:00 +1000', '2026-09-27T23:30:00Z'],
    ['Mon, 28 Sep 2026 09:30:00 AEST', '2026-09-27T23:30:00Z'],
    ['Mon, 05 Oct 2026 09:30:00 AEDT', '2026-10-04T22:30:00Z'],
    ['Mon, 05 Oct 2026 09:30:00 +1100', '2026-10-04T22:30:00Z'],
    ['Mon, 28 Sep 2026 09:30:00 GMT', '2026-09-28T09:30:00Z'],
    ['28 Sep 2026 09:30 UT', '2026-09-28T09:30:00Z'],
    ['Mon, 28 Sep 2026 09:30:00 -0330', '2026-09-28T13:00:00Z'],
    [' Mon,  8 Sep 2025\n09:30:00 Z ', '2025-09-08T09:30:00Z'],
  ])('parses the RSS date %j as %s', (text, instant) => {
    expect(formatInstant(parseRfc822Date(text) ?? new Date(0))).toBe(instant)
  })

  it('parses an RSS date without a time zone as Sydney time before and after the start of daylight saving time', () => {
    const [before, after] = ['Sun, 04 Oct 2026 01:30:00', 'Sun, 04 Oct 2026 03:30:00'].map(parseRfc822Date)

    expect(before).toEqual(new Date('2026-10-03T15:30:00Z'))
    expect(after).toEqual(new Date('2026-10-03T16:30:00Z'))
  })

  it.each([
    'Sun, 27 Sep 26 12:00:00 +0000',
    'Mon, 28 Sep 2026 09:30:00 EST',
    'Mon, 28 Sep 2026 09:30:00 +10:00',
    'Mon, 28 Sep 2026 09:30:00 +2500',
    'Mon, 31 Sep 2026 09:30:00 +1000',
    'Mon, 28 Sept 2026 09:30:00 +1000',
    'Mon, 28 Sep 2026 24:00:00 +1000',
    'Mon, 28 Sep 2026',
    'Funday, 28 Sep 2026 09:30:00 +1000',
    '2026-09-28T09:30:00Z',
    'yesterday',
    '',
  ])('rejects the RSS date %j', (text) => {
    expect(parseRfc822Date(text)).toBeUndefined()
  })

  it('parses a date without a time on a notice page as midnight in Sydney', () => {
    expect(parseDay('09 Feb 2024')).toEqual(new Date('2024-02-08T13:00:00Z'))
    expect(parseDay('9 June 2024')).toEqual(new Date('2024-06-08T14:00:00Z'))
    expect([parseDay('30 Feb 2024'), parseDay('9 Foo 2024'), parseDay('')]).toEqual([undefined, undefined, undefined])
  })
})
