import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { FILE_WEIGHT, shareProcessor } from '../../../src/api/admission/share-processor.ts'

const PER_TURN = 16

function setUp(node = { isOverloaded: false }) {
  const refused: string[] = []
  const processor = shareProcessor(
    () => node.isOverloaded,
    (reason) => refused.push(reason),
  )
  const begun: string[] = []
  const enter = (owner: string, weight?: number) => {
    const waiting = processor.enter(owner, weight)
    if (waiting) void waiting.then(() => begun.push(owner))
    else begun.push(owner)
  }
  const enterTimes = (count: number, owner: string, weight?: number) => {
    for (let call = 0; call < count; call += 1) enter(owner, weight)
  }
  return { begun, refused, enter, enterTimes }
}

const count = (begun: readonly string[], owner: string) => begun.filter((each) => each === owner).length

describe('Fair use of the processor (decision E52)', () => {
  it('lets an owner that is alone start any number of calls', () => {
    const { begun, enterTimes } = setUp()
    enterTimes(500, 'a')
    expect(begun).toHaveLength(500)
  })

  it('starts calls of another owner before the many calls of one owner', async () => {
    const { begun, enter, enterTimes } = setUp()
    enter('b')
    enterTimes(100, 'a')
    enter('b')
    expect([count(begun, 'a'), count(begun, 'b')]).toEqual([PER_TURN, 2])

    await nextTurn()
    expect(count(begun, 'a')).toBeLessThanOrEqual(2 * PER_TURN)
    for (let turn = 0; turn < 10; turn += 1) await nextTurn()
    expect(count(begun, 'a'), 'every call begins in the end').toBe(100)
  })

  it('counts a file as several calls, even while it waits', async () => {
    const { begun, enter, enterTimes } = setUp()
    enter('b')
    enterTimes(100, 'a', FILE_WEIGHT)
    expect(count(begun, 'a')).toBe(PER_TURN / FILE_WEIGHT)

    await nextTurn()
    expect(count(begun, 'a')).toBeLessThanOrEqual((2 * PER_TURN) / FILE_WEIGHT)
  })

  it('refuses calls only while the node is overloaded, and only those of an owner with many waiting calls', () => {
    const node = { isOverloaded: false }
    const { refused, enter, enterTimes } = setUp(node)
    enter('192.0.2.0/24')
    enterTimes(400, 'a')
    expect(refused).toEqual([])

    node.isOverloaded = true
    expect(() => enter('a')).toThrow('This node is overloaded. This account has 384 calls waiting.')
    expect(() => enter('192.0.2.0/24')).not.toThrow()
    expect(refused).toEqual(['overload'])
  })
})
