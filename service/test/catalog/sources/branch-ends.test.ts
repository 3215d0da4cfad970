import { describe, expect, it } from 'vitest'
import type { Affected, AffectedRange } from '../../../src/catalog/model/claim.ts'
import { markBranchEnds } from '../../../src/catalog/sources/fields/branch-ends.ts'

const affected = (version: string, lessThan: string): AffectedRange => ({
  isAffected: true,
  version,
  lessThan,
  lessThanOrEqual: null,
})
const unaffected = (version: string): AffectedRange => ({
  isAffected: false,
  version,
  lessThan: null,
  lessThanOrEqual: '*',
})
const kernel = (...ranges: readonly AffectedRange[]): Affected => ({
  by: 'cna:Linux',
  vendor: 'Linux',
  product: 'Linux',
  cpes: [],
  packageUrl: null,
  ranges,
})
const isMarked = (product: Affected) => markBranchEnds([product, kernel(unaffected('7.2'))])[0]?.ranges[0]?.endsBranch

describe('Ends of kernel branches', () => {
  it.each([
    ['6.1.101', '6.2', true],
    ['5.19.17', '6.0', true],
    ['2.6.34.1', '2.6.35', true],
    ['6.1.101', '6.1.120', undefined],
    ['6.1.101', '6.3', undefined],
    ['6.1.101', '7.2', undefined],
    ['6.1', '6.2-rc1', undefined],
  ])('a range from %s to before %s ends its branch: %s', (version, lessThan, expected) => {
    expect(isMarked(kernel(affected(version, lessThan)))).toBe(expected)
  })

  it('a version that the CNA lists as unaffected is a fix, even if it starts a branch', () => {
    expect(isMarked(kernel(affected('7.1.4', '7.2')))).toBeUndefined()
  })

  it('ranges of other products are fixed at their ends', () => {
    expect(isMarked({ ...kernel(affected('6.1.101', '6.2')), vendor: 'Example' })).toBeUndefined()
  })
})
