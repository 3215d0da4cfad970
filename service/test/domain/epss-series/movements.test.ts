import { describe, expect, it } from 'vitest'
import { toUnits } from '../../../src/domain/epss-series/codec.ts'
import { listMovements } from '../../../src/domain/epss-series/movements.ts'

const WINDOW = { from: '2026-07-01', to: '2026-08-22' }

function build(scores: Readonly<Record<string, number>>, findModel: (day: string) => string = () => 'v5') {
  const days = Object.keys(scores)
  return listMovements(WINDOW, {
    scores: Object.entries(scores).map(([date, score]) => ({ date, score: toUnits(score), percentile: null })),
    days: days.map((day) => ({ day, model: findModel(day) })),
    previous: null,
    firstScored: days[0] ?? null,
    newest: days.at(-1) ?? null,
    isExploited: false,
  })
}

describe('Movements of an EPSS score', () => {
  it('leave out days on which the score moved by less than a hundredth since the last point', () => {
    const { points } = build({
      '2026-08-01': 0.1,
      '2026-08-02': 0.105,
      '2026-08-03': 0.109,
      '2026-08-04': 0.11,
      '2026-08-05': 0.112,
      '2026-08-06': 0.113,
    })
    expect(points).toEqual([
      { date: '2026-08-01', score: 0.1 },
      { date: '2026-08-04', score: 0.11 },
      { date: '2026-08-06', score: 0.113 },
    ])
  })

  it('name the days without a score, with a point on both sides', () => {
    const { points, missing_days } = build({
      '2026-08-01': 0.1,
      '2026-08-02': 0.1,
      '2026-08-05': 0.1,
      '2026-08-06': 0.1,
      '2026-08-07': 0.1,
    })
    expect(points.map(({ date }) => date)).toEqual(['2026-08-01', '2026-08-02', '2026-08-05', '2026-08-07'])
    expect(missing_days).toEqual([{ from: '2026-08-03', to: '2026-08-04' }])
  })

  it('have a point on the first day of each model', () => {
    const scores = { '2026-08-01': 0.1, '2026-08-02': 0.1, '2026-08-03': 0.1, '2026-08-04': 0.1 }
    const { points, model_changes } = build(scores, (day) => (day < '2026-08-03' ? 'v4' : 'v5'))
    expect(points.map(({ date }) => date)).toEqual(['2026-08-01', '2026-08-03', '2026-08-04'])
    expect(model_changes).toEqual([{ date: '2026-08-03', model: 'v5', previous: 'v4' }])
  })

  it('are empty without a score', () => {
    expect(build({})).toEqual({ ...WINDOW, points: [], missing_days: [], model_changes: [] })
  })
})
