import { describe, expect, it } from 'vitest'
import { FIGURES, isRegression, meetsGoal, toRatio } from './figures.ts'
import { computeRatio, type Turn } from './load/measure-in-turns.ts'

const turn = (perSecond: number): Turn => ({ perSecond, own: 0, postgres: 0, redis: 0 })

describe('benchmark evaluation', () => {
  it('counts a minimum goal as met at or above its value, and a result below half of the goal as a regression', () => {
    const { value } = FIGURES.batch.goal
    const at = (ratio: number) => ({ figure: 'batch' as const, ratio: toRatio(ratio) })
    expect([meetsGoal(at(value)), meetsGoal(at(value - 0.01))]).toEqual([true, false])
    expect([isRegression(at(value / 2)), isRegression(at(value / 2 - 0.01))]).toEqual([false, true])
  })

  it('counts a maximum goal as met at or below its value, and a result above twice the goal as a regression', () => {
    const { value } = FIGURES.coldCpu.goal
    const at = (ratio: number) => ({ figure: 'coldCpu' as const, ratio: toRatio(ratio) })
    expect([meetsGoal(at(value)), meetsGoal(at(value + 0.01))]).toEqual([true, false])
    expect([isRegression(at(value * 2)), isRegression(at(value * 2 + 0.01))]).toEqual([false, true])
  })

  it('counts a result below half of the recorded value as a regression if the goal has never been met', () => {
    const { reached, goal } = FIGURES.warmThroughput
    const at = (ratio: number) => ({ figure: 'warmThroughput' as const, ratio: toRatio(ratio) })
    expect(reached).toBeLessThan(goal.value)
    expect([isRegression(at(reached / 2)), isRegression(at(reached / 2 - 0.01))]).toEqual([false, true])
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
