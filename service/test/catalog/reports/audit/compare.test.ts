import { describe, expect, it } from 'vitest'
import { LOSSES } from '../../../../src/catalog/reports/audit/compare.ts'
import { cpeMatch, served } from './audit-fixtures.ts'

const FULL = served({
  severity: 9.8,
  cpe: [cpeMatch('a:example:router')],
  enrichment: { cwe_list: ['CWE-78'], patch_available: true },
})
const findLosses = (current: ReturnType<typeof served> | undefined) =>
  LOSSES.filter(({ applies }) => applies(FULL, current)).map(({ id }) => id)

describe('Comparison of two catalogs', () => {
  it('finds no loss in an equal record or in a record with more values', () => {
    expect(findLosses(FULL)).toEqual([])
    const more = served({
      severity: 7.5,
      cpe: [cpeMatch('a:example:router'), cpeMatch('a:example:switch')],
      references: [{ url: 'https://example.org/advisory' }, { url: 'https://example.org/more' }],
      enrichment: { cwe_list: ['CWE-78', 'CWE-79'], patch_available: true },
    })
    expect(findLosses(more)).toEqual([])
  })

  it('names every missing value', () => {
    const empty = served({ references: [], description: null })
    expect(findLosses(empty)).toEqual(['score', 'weakness', 'product', 'link', 'description', 'fix'])
    expect(findLosses(undefined)).toEqual(['record'])
  })

  it('counts a changed product name separately from a lost product', () => {
    expect(findLosses({ ...FULL, matches: served({ cpe: [cpeMatch('a:other:router')] }).matches })).toEqual([
      'product-name',
    ])
  })

  it('counts the values of a CVE that is now rejected separately', () => {
    expect(findLosses(served({ status: 'Rejected' }))).toEqual(['rejected-values'])
  })
})
