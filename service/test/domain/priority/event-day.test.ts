import { describe, expect, it } from 'vitest'
import { findEventDay } from '../../../src/domain/priority/event-day.ts'

const day = (text: string) => Date.parse(`${text}T00:00:00Z`) / 86_400_000

describe('The newest day of a CVE', () => {
  it.each([
    ['its publication', '2026-08-02T23:59:59Z', ['2021-12-10'], '2026-08-02'],
    [
      'an addition to a KEV catalog, if that is later',
      '2021-12-10T10:00:00Z',
      ['2024-01-01', '2026-08-20'],
      '2026-08-20',
    ],
    ['an addition to a KEV catalog, if no publication is known', null, ['2026-08-20'], '2026-08-20'],
  ])('is the day of %s', (_, published, listed, expected) => {
    expect(findEventDay({ published: published === null ? null : new Date(published), listed })).toBe(day(expected))
  })

  it('is unknown if no source states a day', () => {
    expect(findEventDay({ published: null, listed: [] })).toBeNull()
  })
})
