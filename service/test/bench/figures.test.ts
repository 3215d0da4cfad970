import { describe, expect, it } from 'vitest'
import { FIGURES, holds, isFarOff, single } from './figures.ts'
import { ratioOf, type Turn } from './load/turns.ts'

const turn = (perSecond: number): Turn => ({ perSecond, own: 0, postgres: 0, redis: 0 })

describe('A figure', () => {
  it('of throughput holds from its value on, and is a fault below half of it', () => {
    const { value } = FIGURES.batch.bound
    const at = (ratio: number) => ({ figure: 'batch' as const, ratio: single(ratio) })
    expect([holds(at(value)), holds(at(value - 0.01))]).toEqual([true, false])
    expect([isFarOff(at(value / 2)), isFarOff(at(value / 2 - 0.01))]).toEqual([false, true])
  })

  it('of cost holds up to its value, and is a fault above twice of it', () => {
    const { value } = FIGURES.coldCpu.bound
    const at = (ratio: number) => ({ figure: 'coldCpu' as const, ratio: single(ratio) })
    expect([holds(at(value)), holds(at(value + 0.01))]).toEqual([true, false])
    expect([isFarOff(at(value * 2)), isFarOff(at(value * 2 + 0.01))]).toEqual([false, true])
  })

  it('that is out of reach is a fault below half of what was reached', () => {
    const { reached, bound } = FIGURES.warmThroughput
    const at = (ratio: number) => ({ figure: 'warmThroughput' as const, ratio: single(ratio) })
    expect(reached).toBeLessThan(bound.value)
    expect([isFarOff(at(reached / 2)), isFarOff(at(reached / 2 - 0.01))]).toEqual([false, true])
  })

  it('is the median of the ratios of neighbours in time: what disturbs both does not count', () => {
    const turns = new Map([
      ['ours', [turn(50), turn(5), turn(80)]],
      ['bare', [turn(100), turn(10), turn(100)]],
    ])
    expect(ratioOf(turns, (of) => of('ours').perSecond / of('bare').perSecond)).toEqual({
      value: 0.5,
      least: 0.5,
      greatest: 0.8,
    })
  })
})
