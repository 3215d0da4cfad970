import { describe, expect, it } from 'vitest'
import { collapse, MAX_ROWS } from '../../../src/catalog/affected/collapse.ts'
import { type AffectedRow, UNLIMITED } from '../../../src/record/affected-row.ts'

const row = (changes: Partial<AffectedRow> = {}): AffectedRow => ({
  kind: 'cpe',
  vendor: 'maker',
  product: 'thing',
  target: '',
  edition: null,
  ...UNLIMITED,
  scheme: 'generic',
  versions: null,
  isVague: false,
  isAffected: true,
  fixed: null,
  condition: null,
  source: 'nvd',
  ...changes,
})

describe('Collapsing rows', () => {
  it('merges equal rows from the same source and keeps those from other sources', () => {
    const collapsed = collapse([row(), row({ source: 'ghsa' }), row()])
    expect(collapsed.map(({ source }) => source)).toEqual(['ghsa', 'nvd'])
  })

  it('joins single versions of a product unless their conditions differ', () => {
    const condition = [[{ part: 'o', vendor: 'maker', product: 'system' }]]
    const versions = ['2', '1', '2'].map((version) => row({ versions: [version] }))
    expect(collapse([...versions, row({ versions: ['3'], condition })])).toMatchObject([
      { versions: ['1', '2'], condition: null },
      { versions: ['3'], condition },
    ])
  })

  it('keeps tens of thousands of single versions in one row', () => {
    const rows = Array.from({ length: 50_000 }, (_, index) => row({ versions: [`1.${index}`] }))
    const [only, ...others] = collapse(rows)
    expect([only?.versions?.length, others]).toEqual([50_000, []])
  })

  it('replaces rows beyond the limit with one vague row per product', () => {
    const rows = Array.from({ length: MAX_ROWS + 500 }, (_, index) => row({ high: String(100_000 + index) }))
    const collapsed = collapse(rows)
    expect(collapsed.length).toBe(MAX_ROWS + 1)
    expect(collapsed.at(-1)).toMatchObject({ isVague: true, high: null, product: 'thing' })
  })

  it('marks a row as vague if its text is too long for a version', () => {
    expect(collapse([row({ high: 'x'.repeat(200) })])).toMatchObject([{ high: null, isVague: true }])
  })

  it.each([
    { scheme: 'generic', low: '3.13', high: '3.13.0rc2' },
    { scheme: 'generic', low: '6.7.3', high: '6.7.0', isHighIncluded: true },
    { scheme: 'semver', low: '1.8.0', high: '1.8.0' },
    { scheme: 'deb', low: '1:2.0-1', high: '2.4-1' },
  ] as const)('marks a range as vague if it contains no version: $scheme from $low to $high', (range) => {
    const changes = { isLowIncluded: true, fixed: range.high, ...range }
    expect(collapse([row(changes)])).toMatchObject([{ low: range.low, high: range.high, fixed: null, isVague: true }])
  })

  it.each([
    { scheme: 'generic', low: '1.0', high: '1.0', isHighIncluded: true },
    { scheme: 'deb', low: '2.4-1', high: '1:2.0-1' },
    { scheme: 'generic', low: '1.0', high: 'Publication' },
    { scheme: 'commit', low: 'f00', high: 'b00' },
  ] as const)('keeps a range that may contain versions: $scheme from $low to $high', (range) => {
    expect(collapse([row({ isLowIncluded: true, ...range })])).toMatchObject([{ isVague: false }])
  })

  it('removes characters that PostgreSQL cannot store', () => {
    expect(collapse([row({ product: 'a\0b', low: '1\uD800' })])).toMatchObject([{ product: 'ab', low: '1\uFFFD' }])
  })
})
