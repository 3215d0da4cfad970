import { describe, expect, it } from 'vitest'
import { type Result, selectChecks } from '../../../conformance/lib/suite.mjs'
import { findDifferences, REAL_DATA_SKIPS, SMALL_DATA_SKIPS } from './expectations.ts'

const [PASSES, IS_SKIPPED] = ['A1 passes', 'C9 is skipped']
const CHECKS = [PASSES, IS_SKIPPED].map((name) => ({ section: 'Section', name }))
const EXPECTED_SKIPS = { [IS_SKIPPED]: 'The data have no dates.' }

const result = (name: string, status: Result['status']): Result => ({
  section: 'Section',
  name,
  status,
  ms: 1,
  ...(status === 'skipped' && { reason: 'no data' }),
})
const compare = (...results: readonly Result[]) => findDifferences(CHECKS, results, EXPECTED_SKIPS)

describe('Comparison of conformance results with the checks in the suite', () => {
  it('reports nothing if each check passed or was skipped as expected', () => {
    expect(compare(result(PASSES, 'passed'), result(IS_SKIPPED, 'skipped'))).toEqual([])
  })

  it('reports a failed check', () => {
    expect(compare(result(PASSES, 'failed'), result(IS_SKIPPED, 'skipped'))).toEqual(['The check "A1 passes" failed.'])
  })

  it('reports a check in the suite that did not run', () => {
    expect(compare(result(IS_SKIPPED, 'skipped'))).toEqual(['The check "A1 passes" did not run.'])
  })

  it('reports a skipped check that is not expected to be skipped', () => {
    expect(compare(result(PASSES, 'skipped'), result(IS_SKIPPED, 'skipped'))).toEqual([
      'The check "A1 passes" was skipped and is not in the list of expected skips: no data.',
    ])
  })

  it('reports a check that passed although it was expected to be skipped', () => {
    expect(compare(result(PASSES, 'passed'), result(IS_SKIPPED, 'passed'))).toEqual([
      'The check "C9 is skipped" is in the list of expected skips and passed: remove it from the list.',
    ])
  })

  it('expects skips only for checks in the suite', () => {
    expect(selectChecks().map(({ name }) => name)).toEqual(
      expect.arrayContaining([...Object.keys(REAL_DATA_SKIPS), ...Object.keys(SMALL_DATA_SKIPS)]),
    )
  })
})
