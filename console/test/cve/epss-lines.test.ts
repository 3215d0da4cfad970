import { describe, expect, it } from 'vitest'
import { type EpssMovements, listEpssLines } from '../../src/pages/cve/timeline/epss-lines.ts'

const movements = (more: Partial<EpssMovements>): EpssMovements => ({
  from: '2021-08-22',
  to: '2026-08-22',
  points: [
    { date: '2026-08-01', score: 0.1 },
    { date: '2026-08-10', score: 0.5 },
    { date: '2026-08-20', score: 0.5 },
  ],
  missing_days: [],
  model_changes: [],
  ...more,
})
const WHOLE = { from: '2026-07-01', to: '2026-08-22' }

describe('EPSS behind the timeline', () => {
  it('stays at a score until the day before it moved', () => {
    const lines = listEpssLines(movements({}), WHOLE).map((line) => line.map(({ date, score }) => [date, score]))
    expect(lines).toEqual([
      [
        ['2026-08-01', 0.1],
        ['2026-08-09', 0.1],
        ['2026-08-10', 0.5],
        ['2026-08-19', 0.5],
        ['2026-08-20', 0.5],
      ],
    ])
  })

  it('has no line over days without a score, nor from one model to the next', () => {
    const gap = movements({
      points: [
        { date: '2026-08-01', score: 0.1 },
        { date: '2026-08-02', score: 0.1 },
        { date: '2026-08-10', score: 0.5 },
        { date: '2026-08-20', score: 0.5 },
      ],
      missing_days: [{ from: '2026-08-03', to: '2026-08-09' }],
      model_changes: [{ date: '2026-08-20', model: 'v5', previous: 'v4' }],
    })
    const ends = listEpssLines(gap, WHOLE).map((line) => [line[0]?.date, line.at(-1)?.date])
    expect(ends).toEqual([
      ['2026-08-01', '2026-08-02'],
      ['2026-08-10', '2026-08-19'],
    ])
  })

  it('reaches both edges of a period in which the score did not move', () => {
    expect(listEpssLines(movements({}), { from: '2026-08-03', to: '2026-08-05' })).toEqual([
      [
        { date: '2026-08-03', score: 0.1 },
        { date: '2026-08-05', score: 0.1 },
      ],
    ])
    expect(listEpssLines(movements({}), { from: '2020-01-01', to: '2020-02-01' })).toEqual([])
  })
})
