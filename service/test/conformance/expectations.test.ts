import { describe, expect, it } from 'vitest'
import { type Result, selectChecks } from '../../../conformance/lib/suite.mjs'
import { findDifferences, REAL, SMALL } from './expectations.ts'

const EXPECTED = { data: 'test data', passed: 2, skips: { 'C9 is skipped': 'The data have no dates.' } }

const result = (name: string, status: Result['status']): Result => ({
  section: 'Section',
  name,
  status,
  ms: 1,
  ...(status === 'skipped' && { reason: 'no data' }),
})
const PASSED = [result('A1 passes', 'passed'), result('A2 passes', 'passed')]
const SKIPPED = result('C9 is skipped', 'skipped')

describe('comparison of conformance results with the expected results', () => {
  it('reports no difference for the expected counts and skips', () => {
    expect(findDifferences([...PASSED, SKIPPED], EXPECTED)).toEqual([])
  })

  it('reports the failed check and the expected and actual number of passed checks', () => {
    const results = [result('A1 passes', 'passed'), result('A2 passes', 'failed'), SKIPPED]

    expect(findDifferences(results, EXPECTED)).toEqual([
      'The check "A2 passes" failed.',
      '1 checks passed on test data, but 2 are expected.',
    ])
  })

  it('reports a smaller number of passed checks if a check was removed', () => {
    expect(findDifferences([result('A1 passes', 'passed'), SKIPPED], EXPECTED)).toEqual([
      '1 checks passed on test data, but 2 are expected.',
    ])
  })

  it('reports a skipped check that is not in the list of expected skips', () => {
    expect(findDifferences([...PASSED, SKIPPED, result('D1 is new', 'skipped')], EXPECTED)).toEqual([
      '2 checks skipped on test data, but 1 are expected.',
      'The check "D1 is new" was skipped and is not in the list of expected skips: no data.',
    ])
  })

  it('reports an expected skip that did not happen, even if another check was skipped', () => {
    expect(findDifferences([...PASSED, result('D1 is new', 'skipped')], EXPECTED)).toEqual([
      'The check "D1 is new" was skipped and is not in the list of expected skips: no data.',
      'The check "C9 is skipped" is in the list of expected skips and was not skipped.',
    ])
  })

  it.each([SMALL, REAL])('has an expected result for every check of the suite on $data', ({ passed, skips }) => {
    const names = selectChecks().map(({ name }) => name)

    expect(passed + Object.keys(skips).length).toBe(names.length)
    expect(names).toEqual(expect.arrayContaining(Object.keys(skips)))
  })
})
