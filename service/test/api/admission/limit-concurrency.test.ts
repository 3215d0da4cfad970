import { describe, expect, it } from 'vitest'
import { limitConcurrency } from '../../../src/api/admission/limit-concurrency.ts'

function setUp(maxConcurrent: number, node = { isOverloaded: false }) {
  const refused: string[] = []
  const limit = limitConcurrency(
    maxConcurrent,
    () => node.isOverloaded,
    (reason) => refused.push(reason),
  )
  const enterTimes = (count: number, accountId: string) => Array.from({ length: count }, () => limit.enter(accountId))
  return { limit, refused, enterTimes }
}

describe('Limit on calls in flight per account (threat T-29)', () => {
  it('refuses a call above the limit, and admits another when one ends', () => {
    const { limit, refused, enterTimes } = setUp(2)
    const [end] = enterTimes(2, 'a')
    expect(() => limit.enter('a')).toThrow('This account already has 2 calls in flight; wait until some have ended.')
    expect(refused).toEqual(['limit'])
    end?.()
    expect(() => limit.enter('a')).not.toThrow()
  })

  it('does not count calls from other accounts', () => {
    const { limit, enterTimes } = setUp(2)
    enterTimes(2, 'a')
    expect(() => limit.enter('b')).not.toThrow()
  })

  it('refuses the accounts with the most calls in flight while the node is overloaded', () => {
    const node = { isOverloaded: false }
    const { limit, refused, enterTimes } = setUp(256, node)
    enterTimes(30, 'a')
    enterTimes(2, 'b')
    node.isOverloaded = true
    // The message does not reveal how many calls other accounts have.
    expect(() => limit.enter('a')).toThrow(
      'This node is overloaded. This account has at least an equal share of the calls in flight (30).',
    )
    expect(() => limit.enter('b')).not.toThrow()
    expect(refused).toEqual(['overload'])
  })

  it('admits one call from each account even while the node is overloaded', () => {
    const { limit } = setUp(256, { isOverloaded: true })
    expect(() => limit.enter('a')).not.toThrow()
    expect(() => limit.enter('a')).toThrow('This node is overloaded')
    expect(() => limit.enter('b')).not.toThrow()
  })
})
