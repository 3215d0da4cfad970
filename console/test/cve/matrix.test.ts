import type { Cve } from 'vis-sdk'
import { describe, expect, it } from 'vitest'
import { buildMatrix } from '../../src/pages/cve/matrix/matrix.ts'
import { groupEqualRanges } from '../../src/pages/cve/model/equal-ranges.ts'
import type { ProductVersions, VersionRange } from '../../src/pages/cve/model/product-versions.ts'
import { EMPTY_CVE } from './empty-cve.ts'

const build = (sources: NonNullable<Cve['sources']>) => buildMatrix({ ...EMPTY_CVE, sources })

const SCORES: NonNullable<Cve['sources']> = {
  kev: { stated_by: [{ source: 'cisa-kev', date: '2026-08-01' }] },
  published: {
    stated_by: [{ source: 'nvd', value: '2026-08-01T00:00:00Z' }],
    others: [{ source: 'ghsa', value: '2026-08-02T00:00:00Z' }],
  },
  cvss_v3_1: {
    stated_by: [{ source: 'nvd', time: '2026-08-01T00:00:00Z', version: '3.1', score: 9.8, vector: 'CVSS:3.1/AV:N' }],
    others: [{ source: 'cna:fortinet', version: '3.1', score: 9.1, vector: 'CVSS:3.1/AV:L' }],
  },
  references: {
    stated_by: [
      { source: 'nvd', count: 3 },
      { source: 'ghsa', count: 1 },
    ],
  },
}

describe('matrix of sources', () => {
  it('has a column per source by its display name, and marks what is used and what differs', () => {
    const { rows, columns, differing } = build(SCORES)
    expect(columns.map(({ name }) => name)).toEqual(['NVD', 'GitHub advisory', 'Fortinet (CNA)', 'CISA KEV'])
    expect(differing).toBe(1)
    const [score] = rows
    expect(score).toMatchObject({ name: 'cvss_v3_1', isDiffering: true, rule: expect.stringMatching(/^NVD, then/) })
    expect(score?.cells.get('NVD')).toMatchObject({ kind: 'chosen', day: '2026-08-01' })
    expect(score?.cells.get('Fortinet (CNA)')).toMatchObject({
      kind: 'differs',
      texts: ['CVSS 3.1 9.1 CVSS:3.1/AV:L'],
    })
    expect(score?.cells.get('CISA KEV')).toBeUndefined()
  })

  it('does not call it a difference that each source published its record on its own day', () => {
    const row = build(SCORES).rows.find(({ name }) => name === 'published')
    expect(row).toMatchObject({ isDiffering: false })
    expect(row?.cells.get('GitHub advisory')?.kind).toBe('agrees')
  })

  it('shows the own day of each source on which its record changed, although no statement repeats it', () => {
    const { rows } = build({
      modified: {
        stated_by: [{ source: 'cve', time: '2025-02-14T00:00:00Z' }],
        others: [
          { source: 'nvd', time: '2024-07-25T00:00:00Z' },
          { source: 'euvd', time: '2022-03-15T00:00:00Z' },
        ],
      },
    })
    expect(rows[0]).toMatchObject({ note: 'each source has its own', isDiffering: false })
    expect([...(rows[0]?.cells.values() ?? [])].map(({ kind, texts, day }) => [kind, texts, day])).toEqual([
      ['chosen', ['2025-02-14'], undefined],
      ['agrees', ['2024-07-25'], undefined],
      ['agrees', ['2022-03-15'], undefined],
    ])
  })

  it('says "no difference" of a record that changed on the same day in each source', () => {
    const time = '2025-02-14T00:00:00Z'
    const { rows } = build({ modified: { stated_by: ['cve', 'nvd'].map((source) => ({ source, time })) } })
    expect(rows[0]?.note).toBe('no difference')
  })

  it('says what differs if only the counts are equal, and never "no difference" of different statements', () => {
    const { rows } = build({
      ...SCORES,
      cpe: { stated_by: [{ source: 'nvd', count: 2 }], others: [{ source: 'cna:fortinet', count: 2 }] },
      fix: { stated_by: [{ source: 'euvd', value: 'patchedSince 2026-07-20' }] },
      epss: { stated_by: [{ source: 'first', date: '2026-08-20' }] },
    })
    const find = (name: string) => rows.find((row) => row.name === name)
    expect(find('cpe')?.cells.get('Fortinet (CNA)')?.difference).toMatch(
      /^as many as in the record, but other products/,
    )
    expect(find('cvss_v3_1')?.cells.get('Fortinet (CNA)')?.difference).toBe('differs from the record')
    expect(find('references')?.note).toBe('joined; each item counts for one source')
    expect(find('published')?.note).toBe('each source has its own')
    expect(find('epss')?.note).toBeUndefined()
    expect([...(find('fix')?.cells.values() ?? [])][0]?.texts).toEqual(['a patch exists since 2026-07-20'])
  })

  it('never says that a source says nothing about a value of which its statements are not shown', () => {
    const { rows } = build({
      ...SCORES,
      products: { stated_by: [{ source: 'cve', count: 2 }] },
      cpe: { stated_by: [{ source: 'nvd', count: 393 }] },
      weaknesses: { stated_by: [{ source: 'cve', cwe_list: ['CWE-502'] }], omitted: 1 },
    })
    const absent = (name: string) => rows.find((row) => row.name === name)?.absent
    expect(['products', 'references', 'weaknesses'].map(absent)).toEqual(Array(3).fill('not compared'))
    expect(['cpe', 'kev'].map(absent)).toEqual(Array(2).fill('says nothing'))
  })

  it('says of a value joined from all sources that none was chosen', () => {
    const row = build(SCORES).rows.find(({ name }) => name === 'references')
    expect([...(row?.cells.values() ?? [])].map(({ kind }) => kind)).toEqual(['agrees', 'agrees'])
  })

  it('counts a disagreement that the service found although no other statement is listed', () => {
    const { differing, rows } = build({
      exploitation: { stated_by: [{ source: 'cisa-adp', value: 'none' }] },
      disagreements: [{ about: 'kev_ssvc', text: 'KEV lists it, but SSVC says none.' }],
    })
    expect(differing).toBe(1)
    expect(rows[0]?.disagreement).toBe('KEV lists it, but SSVC says none.')
  })
})

describe('products with equal ranges', () => {
  const range = (end: string): VersionRange => ({
    kind: 'range',
    end: { version: end, isIncluded: false },
    isAffected: true,
    limits: [],
    isInverted: false,
    isDerived: false,
    isUnmapped: false,
    isByCommits: false,
    isCommit: false,
    isInWords: false,
  })
  const product = (name: string, ends: readonly string[], more: Partial<ProductVersions> = {}): ProductVersions => ({
    key: name,
    vendor: 'halvorsen',
    product: name,
    isVulnerable: true,
    isAffectedByDefault: false,
    ranges: ends.map(range),
    fixes: [],
    ...more,
  })
  const names = (products: readonly ProductVersions[]) =>
    groupEqualRanges(products).map((group) => [group.product, ...group.others].map((each) => each.product))

  it('are one group in the order of the first, whatever the order of their ranges', () => {
    const products = [product('a', ['1', '2']), product('b', ['3']), product('c', ['2', '1'])]
    expect(names(products)).toEqual([['a', 'c'], ['b']])
  })

  it.each([
    ['other ranges', product('b', ['2'])],
    ['another kind', product('b', ['1'], { kind: 'hardware' })],
    ['no vulnerability of its own', product('b', ['1'], { isVulnerable: false })],
    ['another fix', product('b', ['1'], { fixes: [{ version: '1', isCommit: false, source: 'nvd' }] })],
    ['a package URL', product('b', ['1'], { packageUrl: 'pkg:npm/b' })],
  ])('are not joined with a product with %s', (_difference, other) => {
    expect(names([product('a', ['1']), other])).toEqual([['a'], ['b']])
  })

  it('are not joined if nothing is known of their versions', () => {
    expect(names([product('a', []), product('b', [])])).toEqual([['a'], ['b']])
  })
})
