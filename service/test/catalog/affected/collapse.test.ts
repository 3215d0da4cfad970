import { describe, expect, it } from 'vitest'
import { collapse, MAX_ROWS } from '../../../src/catalog/affected/collapse.ts'
import { type AffectedRow, UNLIMITED } from '../../../src/catalog/affected/row.ts'

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

describe('Collapsing of rows', () => {
  it('makes one row of equal rows of one source and keeps those of other sources', () => {
    const collapsed = collapse([row(), row({ source: 'ghsa' }), row()])
    expect(collapsed.map(({ source }) => source)).toEqual(['ghsa', 'nvd'])
  })

  it('joins single versions of a product, but not those with another condition', () => {
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

  it('replaces rows beyond the limit by one vague row per product', () => {
    const rows = Array.from({ length: MAX_ROWS + 500 }, (_, index) => row({ high: String(100_000 + index) }))
    const collapsed = collapse(rows)
    expect(collapsed.length).toBe(MAX_ROWS + 1)
    expect(collapsed.at(-1)).toMatchObject({ isVague: true, high: null, product: 'thing' })
  })

  it('makes a row with a text too long for a version vague', () => {
    expect(collapse([row({ high: 'x'.repeat(200) })])).toMatchObject([{ high: null, isVague: true }])
  })

  it('removes characters that PostgreSQL cannot store', () => {
    expect(collapse([row({ product: 'a\0b', low: '1\uD800' })])).toMatchObject([{ product: 'ab', low: '1\uFFFD' }])
  })
})
