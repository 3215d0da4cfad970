import { describe, expect, it } from 'vitest'
import { readComponent } from '../../src/domain/component/component.ts'
import { judgeSubjects } from '../../src/matching/judge/judge.ts'
import { prepareRows } from '../../src/matching/versions/product-rows.ts'
import type { StoredRow } from '../../src/record/affected-row.ts'

const ROW: StoredRow = {
  subjectKey: '1',
  vendor: 'bird',
  product: 'lark',
  isAffected: true,
  isVague: false,
  isLowIncluded: true,
  isHighIncluded: false,
  scheme: 'generic',
  source: 'nvd',
  target: '',
  edition: null,
  versions: null,
  low: null,
  high: null,
  fixed: null,
  condition: null,
}

const before = (source: string, high: string, more: Partial<StoredRow> = {}): StoredRow => {
  return { ...ROW, source, high, fixed: high, ...more }
}

function judge(version: string, ...rows: readonly StoredRow[]) {
  const component = readComponent({ vendor: 'bird', product: 'lark', version })
  const [found] = judgeSubjects({ component, product: prepareRows(rows), inventory: new Map() })
  return typeof found === 'object' ? found.verdict : found
}

describe('A version that one source calls affected, and that another names as the first fixed one', () => {
  const coarse = before('nvd', '3.0')
  const branch = before('cisa-adp', '2.4.1', { low: '2.4' })

  it('is possibly affected', () => {
    expect(judge('2.4.1', coarse, branch)).toBe('possibly_affected')
    expect(judge('2.4.1', coarse, { ...branch, source: 'cna:bird' })).toBe('possibly_affected')
  })

  it('is affected if the other source only ends before it, or includes it', () => {
    expect(judge('2.4.2', coarse, branch)).toBe('affected')
    expect(judge('2.4', coarse, branch)).toBe('affected')
    expect(judge('2.4.1', coarse, { ...branch, isHighIncluded: true })).toBe('affected')
    expect(judge('2.4.1', coarse, { ...branch, isAffected: false })).toBe('affected')
  })

  it('is affected if the source that names it also calls it affected', () => {
    expect(judge('2.4.1', coarse, branch, before('cisa-adp', '2.5', { low: '2.4.1' }))).toBe('affected')
    expect(judge('2.4.1', before('cisa-adp', '3.0'), { ...branch, source: 'derived:cisa-adp' })).toBe('affected')
  })

  it('is affected if the CNA states so about the version', () => {
    expect(judge('2.4.1', before('cna:bird', '3.0'), branch)).toBe('affected')
    expect(judge('2.4.1', coarse, before('cna:bird', '2.9', { low: '2.0' }), branch)).toBe('affected')
    expect(judge('2.4.1', { ...ROW, source: 'cna:bird', versions: ['2.4.1'] }, branch)).toBe('affected')
  })

  it('is possibly affected if the CNA names no end, or calls the version affected by default only', () => {
    expect(judge('2.4.1', { ...ROW, source: 'cna:bird', low: '2.0' }, before('cisa-adp', '2.4.1'))).toBe(
      'possibly_affected',
    )
    const between = before('cna:bird', '2.5', { low: '2.3', isLowIncluded: false })
    expect(judge('2.4.1', coarse, between, branch)).toBe('possibly_affected')
  })
})
