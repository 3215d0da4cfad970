import { expect, it } from 'vitest'
import { readFixLists } from '../../../src/catalog/affected/fix-lists.ts'
import type { Affected, AffectedRange } from '../../../src/catalog/model/claim.ts'

const from = (version: string, isAffected = false): AffectedRange => ({
  isAffected,
  version,
  lessThan: '*',
  lessThanOrEqual: null,
})

const product = (...ranges: readonly AffectedRange[]): Affected => ({
  by: 'csaf-example',
  vendor: 'Acme',
  product: 'Firewall',
  cpes: [],
  packageUrl: null,
  ranges,
})

/** Windows as `low+ <high / fix of the branch`; `-` for a range that is left as it is. */
function show(unaffected: readonly string[], affected: readonly string[] = []): readonly string[] {
  const entry = product(...unaffected.map((each) => from(each)), ...affected.map((each) => from(each, true)))
  const find = readFixLists([entry])
  return entry.ranges.map((range) => {
    const window = find(entry, range)
    if (window === undefined) return '-'
    const { low, high, branchFix } = window
    return [`${low}+`, ...(high ? [`<${high}`] : []), ...(branchFix ? [`/ ${branchFix}`] : [])].join(' ')
  })
}

it.each<[string, readonly string[], readonly string[], readonly string[]]>([
  [
    'a hotfix is about its release, the last fix of a branch about the branch, and the newest one has no end',
    ['7.2.9-h1', '7.2.3-h13', '8.1.2-h3', '8.1.0-h3'],
    [],
    ['7.2.9-h1+ <7.3', '7.2.3-h13+ <7.2.4 / 7.2.9-h1', '8.1.2-h3+', '8.1.0-h3+ <8.1.1 / 8.1.2-h3'],
  ],
  ['releases without hotfixes are about their branches', ['6.1.14', '7.0.9'], [], ['6.1.14+ <6.2', '7.0.9+']],
  ['two hotfixes of one release', ['7.2.3-h4', '7.2.3-h9'], [], ['7.2.3-h4+', '7.2.3-h9+']],
  [
    'one fix of each branch that is repeated as affected stands for the branch',
    ['7.2.0-h3', '7.2.9-h1', '8.1.0-h3', '8.1.2-h3'],
    ['7.2.0-h3', '8.1.0-h3'],
    ['7.2.0-h3+ <7.2.1 / 7.2.9-h1', '7.2.9-h1+ <7.3', '8.1.0-h3+ <8.1.1 / 8.1.2-h3', '8.1.2-h3+', '-', '-'],
  ],
  [
    'two fixes of a branch that are repeated as affected: nobody knows',
    ['7.2.0-h3', '7.2.9-h1', '7.2.10', '8.1.2-h3'],
    ['7.2.0-h3', '7.2.9-h1'],
    ['-', '-', '7.2.10+ <7.3', '8.1.2-h3+', '-', '-'],
  ],
  [
    'every fix that is repeated as affected: nobody knows',
    ['7.2.9-h1', '8.1.2-h3'],
    ['7.2.9-h1', '8.1.2-h3'],
    ['-', '-', '-', '-'],
  ],
  ['a single range is no list', ['7.2.3-h13'], [], ['-']],
  ['a version whose release is not known leaves the list as it is', ['7.2.3-h13', 'R81 T4'], [], ['-', '-']],
])('Lists of fixes: %s', (_, unaffected, affected, expected) => {
  expect(show(unaffected, affected)).toEqual(expected)
})

it('Lists of fixes: another product has its own list', () => {
  const [firewall, router] = [product(from('7.2.3-h13')), { ...product(from('7.2.9')), product: 'Router' }]
  expect(readFixLists([firewall, router])(firewall, from('7.2.3-h13'))).toBeUndefined()
})
