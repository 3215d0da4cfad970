import { describe, expect, it } from 'vitest'
import {
  advanceHold,
  EPSS_RULE,
  findHold,
  findThresholds,
  REFERENCE_THRESHOLDS,
  toHeldThreshold,
} from '../../../src/domain/priority/epss-rule.ts'

const thresholds = REFERENCE_THRESHOLDS
const onDays = (...scores: readonly number[]) =>
  scores.map((score, index) => ({ day: `2026-01-0${index + 1}`, score, thresholds }))

describe('EPSS thresholds that a CVE holds', () => {
  it.each([
    ['none for a score below all of them', [0.09999], []],
    ['each one that the score reaches, since that day', [0.05, 0.2], ['2026-01-02', '2026-01-02']],
    ['the one of the first day, if a higher one is reached later', [0.1, 0.2], ['2026-01-01', '2026-01-02']],
    ['one whose score is 65 % of it', [0.2, 0.13], ['2026-01-01', '2026-01-01']],
    ['only the lower one after a score below 65 % of the higher', [0.2, 0.12999], ['2026-01-01']],
    ['none after a score below 65 % of the lowest', [0.9, 0.06499], []],
    ['none below the threshold if it was never reached', [0.09, 0.099], []],
    ['one reached again since the second time', [0.1, 0.01, 0.1], ['2026-01-03']],
  ])('are %s', (_, scores, expected) => {
    expect(findHold(onDays(...scores))).toEqual(expected)
  })

  it('are the same whether days are added one by one or all at once', () => {
    const days = onDays(0.2, 0.14, 0.3, 0.1, 0.8, 0.5, 0.4)
    let held: readonly string[] = []
    for (const day of days) held = advanceHold(held, day)
    expect(held).toEqual(findHold(days))
  })

  it('follow the thresholds of the model of each day', () => {
    const newModel = findThresholds('v2026.06.15') ?? []
    const [day] = onDays(0.2)
    expect(day && findHold([day, { day: '2026-06-15', score: 0.08, thresholds: newModel }])).toHaveLength(2)
  })

  it('count as thresholds of the reference model, and not without a score', () => {
    expect(toHeldThreshold(0.13, ['2026-01-01', '2026-01-01'])).toBe(0.2)
    expect(toHeldThreshold(0.01, [])).toBe(0)
    expect(toHeldThreshold(null, ['2026-01-01'])).toBeNull()
  })

  it('have a value for every model and a share, in the order of the reference model', () => {
    for (const values of [...Object.values(EPSS_RULE.models), EPSS_RULE.shares.toReversed()]) {
      expect(values).toHaveLength(REFERENCE_THRESHOLDS.length)
      expect(values).toEqual(values.toSorted((one, other) => one - other))
    }
  })
})
