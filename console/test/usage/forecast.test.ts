import { describe, expect, it } from 'vitest'
import { forecastCredits } from '../../src/pages/usage/forecast.ts'
import { listDays } from '../../src/text/months.ts'

/** Credits of the days from the first one on. */
function byDay(first: string, credits: readonly number[]): ReadonlyMap<string, number> {
  const last = new Date(Date.parse(first) + (credits.length - 1) * 86_400_000).toISOString().slice(0, 10)
  return new Map(listDays(first, last).map((day, index) => [day, credits[index] ?? 0]))
}

const AUGUST = { lastDay: '2026-08-31', limit: 30_000 }

describe('The credit forecast', () => {
  it('adds the mean of the last 7 complete days for each remaining day, and estimates the rest of today', () => {
    const creditsByDay = byDay('2026-08-15', [700, 0, 0, 700, 700, 700, 700, 200])
    const forecast = forecastCredits({ ...AUGUST, creditsByDay, today: '2026-08-22', used: 9000 })
    expect(forecast).toEqual({
      total: 9000 + 300 + 9 * 500,
      perDay: 500,
      basisDays: 7,
      restOfToday: 300,
      runsOutOn: undefined,
    })
  })

  it('uses days of the previous month at the beginning of a month', () => {
    const creditsByDay = byDay('2026-07-25', [100, 100, 100, 100, 100, 100, 100, 40])
    const forecast = forecastCredits({ ...AUGUST, creditsByDay, today: '2026-08-01', used: 40 })
    expect(forecast).toMatchObject({ total: 40 + 60 + 30 * 100, basisDays: 7 })
  })

  it('does not count days before the first use, and counts later days without use', () => {
    const creditsByDay = byDay('2026-08-19', [300, 0, 0])
    const forecast = forecastCredits({ ...AUGUST, creditsByDay, today: '2026-08-22', used: 300 })
    expect(forecast).toMatchObject({ perDay: 100, basisDays: 3, total: 300 + 100 + 9 * 100 })
  })

  it('expects no further use on a day whose use already exceeds the mean', () => {
    const creditsByDay = byDay('2026-08-21', [100, 900])
    expect(forecastCredits({ ...AUGUST, creditsByDay, today: '2026-08-22', used: 1000 })).toMatchObject({
      restOfToday: 0,
      total: 1000 + 9 * 100,
    })
  })

  it.each([
    { limit: 1350, runsOutOn: '2026-08-25', why: 'between two days' },
    { limit: 1300, runsOutOn: '2026-08-24', why: 'at the end of a day' },
    { limit: 1050, runsOutOn: '2026-08-22', why: 'today' },
    { limit: 900, runsOutOn: '2026-08-22', why: 'already' },
    { limit: 2000, runsOutOn: undefined, why: 'not in this month' },
  ])('names the day on which the credits run out: $why', ({ limit, runsOutOn }) => {
    const creditsByDay = byDay('2026-08-21', [100, 0])
    expect(forecastCredits({ ...AUGUST, limit, creditsByDay, today: '2026-08-22', used: 1000 })?.runsOutOn).toBe(
      runsOutOn,
    )
  })

  it('is absent without a complete day of use', () => {
    expect(forecastCredits({ ...AUGUST, creditsByDay: byDay('2026-08-22', [50]), today: '2026-08-22', used: 50 })).toBe(
      undefined,
    )
  })
})
