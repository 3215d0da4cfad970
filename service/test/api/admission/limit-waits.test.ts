import { expect, it } from 'vitest'
import { limitWaits } from '../../../src/api/admission/limit-waits.ts'

it('lets a limited number of calls from all accounts wait on a node', () => {
  const limit = limitWaits({ perOwner: 2, perNode: 3 }, () => {})
  const answered: string[] = []
  const enter = (owner: string) => limit.enter(owner, () => answered.push(owner))
  enter('a')
  enter('a')
  enter('b')
  expect(() => enter('b'), 'an account with its equal share').toThrow('Too many calls wait')
  enter('c')
  expect(answered, 'the account with the most waiting calls loses one').toEqual(['a'])
  expect(() => enter('d')).toThrow('Too many calls wait')
})
