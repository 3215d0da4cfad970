import { describe, expect, it } from 'vitest'
import { FIGURES, isRegression, meetsGoal, toRatio } from './figures.ts'
import { computeRatio, type Turn } from './load/measure-in-turns.ts'

const turn = (perSecond: number): Turn => ({ perSecond, own: 0, postgres: 0, redis: 0, client: 0, refused: 0 })

describe('Benchmark evaluation', () => {
  it('counts a minimum goal as met at or above its value', () => {
    const { value } = FIGURES.batch.goal
    const at = (ratio: number) => ({ figure: 'batch' as const, ratio: toRatio(ratio) })
    expect([meetsGoal(at(value)), meetsGoal(at(value - 0.01))]).toEqual([true, false])
  })

  it('counts a maximum goal as met at or below its value', () => {
    const { value } = FIGURES.coldCpu.goal
    const at = (ratio: number) => ({ figure: 'coldCpu' as const, ratio: toRatio(ratio) })
    expect([meetsGoal(at(value)), meetsGoal(at(value + 0.01))]).toEqual([true, false])
  })

  it('counts a throughput below the recorded value by a factor of more than 1.25 as a regression', () => {
    const at = (ratio: number) => ({ figure: 'batch' as const, ratio: toRatio(ratio) })
    expect([isRegression(at(0.41), 0.5), isRegression(at(0.39), 0.5)]).toEqual([false, true])
  })

  it('counts a cost above the recorded value by a factor of more than 1.25 as a regression', () => {
    const at = (ratio: number) => ({ figure: 'coldCpu' as const, ratio: toRatio(ratio) })
    expect([isRegression(at(1.24), 1), isRegression(at(1.26), 1)]).toEqual([false, true])
  })

  it('has no limit for a figure without a recorded value', () => {
    expect(isRegression({ figure: 'coldCpu', ratio: toRatio(1000) }, undefined)).toBe(false)
  })

  it('computes the median of the ratios of all rounds, so that one disturbed round does not affect the result', () => {
    const turns = new Map([
      ['ours', [turn(50), turn(5), turn(80)]],
      ['bare', [turn(100), turn(10), turn(100)]],
    ])
    expect(computeRatio(turns, (of) => of('ours').perSecond / of('bare').perSecond)).toEqual({
      value: 0.5,
      min: 0.5,
      max: 0.8,
    })
  })
})
