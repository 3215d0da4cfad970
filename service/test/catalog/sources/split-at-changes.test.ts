import { expect, it } from 'vitest'
import { splitAtChanges } from '../../../src/catalog/sources/fields/split-at-changes.ts'

const range = (version: string, lessThan: string | null, lessThanOrEqual: string | null = null) => ({
  isAffected: true,
  version,
  lessThan,
  lessThanOrEqual,
})

const show = (ranges: ReturnType<typeof splitAtChanges>) =>
  ranges?.map(({ version, lessThan, isDerived }) => `${version} before ${lessThan}${isDerived ? ' derived' : ''}`)

it.each<[string, ReturnType<typeof range>, readonly string[], readonly string[] | undefined]>([
  [
    'the branches of a product, in any order (Consul, CVE-2024-10005)',
    range('1.9.0', '1.20.1'),
    ['1.19.3', '1.18.5', '1.15.15'],
    ['1.9.0 before 1.15.15', '1.16 before 1.18.5 derived', '1.19 before 1.19.3 derived', '1.20 before 1.20.1 derived'],
  ],
  [
    'hotfixes of several releases, also beyond the end of the range (PAN-OS, CVE-2024-3393)',
    range('11.1.0', '11.1.2-h16'),
    ['11.1.2-h16', '11.1.3-h13', '11.1.4-h7', '11.1.5'],
    ['11.1.0 before 11.1.2-h16', '11.1.3 before 11.1.3-h13 derived', '11.1.4 before 11.1.4-h7 derived'],
  ],
  [
    'a hotfix for each release of a branch, in any order',
    range('7.2', '7.2.4-h1'),
    ['7.2.4-h1', '7.2.3-h13', '7.2.0-h3'],
    ['7.2 before 7.2.0-h3', '7.2.1 before 7.2.3-h13 derived', '7.2.4 before 7.2.4-h1 derived'],
  ],
  [
    'a range without an end, whose newest branch is fixed',
    range('1.5.13', '*'),
    ['1.26.2', '1.27.1'],
    ['1.5.13 before 1.26.2', '1.27 before 1.27.1 derived'],
  ],
  ['one change as before', range('1.0', '2.0'), ['1.5.1'], undefined],
  ['changes without branches as before', range('30', '*'), ['R31 P3', 'R32 P1'], undefined],
  ['changes after the end as before', range('1.0.0', null, '1.0.0'), ['1.1.0', '1.2.1'], undefined],
])('Changes of a range are read as %s', (_, of, fixes, expected) => {
  expect(show(splitAtChanges(of, fixes))).toEqual(expected)
})
