import { describe, expect, it } from 'vitest'
import { addDays, listDays } from '../../../src/domain/epss-series/days.ts'
import { findMoverWindows } from '../../../src/domain/epss-series/mover-windows.ts'

const TO = '2026-08-31'
const held = (days: readonly string[], model: (day: string) => string | null = () => 'v4') =>
  days.map((day) => ({ day, model: model(day) }))
const find = (days: Parameters<typeof findMoverWindows>[0], length: number) =>
  findMoverWindows(days).find((window) => window.days === length)

describe('EPSS mover windows', () => {
  const everyDay = listDays('2026-07-20', TO)

  it('begin 1, 7 and 30 days before the newest release', () => {
    expect(findMoverWindows(held(everyDay))).toEqual(
      [1, 7, 30].map((days) => {
        const from = addDays(TO, -days)
        return { days, from, to: TO, base: from, isComparable: true }
      }),
    )
  })

  it("begin up to 7 days earlier if that day's release is missing", () => {
    expect(find(held(['2026-08-17', TO]), 7)).toMatchObject({ from: '2026-08-17', base: '2026-08-17' })
    expect(find(held(['2026-08-16', TO]), 7)).toMatchObject({ from: null, base: null, isComparable: true })
  })

  it('compare only days of the newest model if the model changed', () => {
    const changed = held(everyDay, (day) => (day < '2026-08-27' ? 'v3' : 'v4'))
    expect(find(changed, 1)).toMatchObject({ isComparable: true, base: '2026-08-30' })
    expect(find(changed, 7)).toMatchObject({ from: '2026-08-24', isComparable: false, base: '2026-08-27' })
    expect(
      find(
        held(everyDay, (day) => (day < TO ? null : 'v4')),
        7,
      ),
    ).toMatchObject({ isComparable: false, base: null })
  })

  it('do not exist before the first release', () => {
    expect(findMoverWindows([])).toEqual([])
  })
})
