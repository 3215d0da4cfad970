import { describe, expect, it } from 'vitest'
import { type AffectedRow, compareRows } from '../../../../src/catalog/reports/audit/round-trip/check-affected.ts'
import { compareDetailScores } from '../../../../src/catalog/reports/audit/round-trip/check-ratings.ts'
import { readDocument } from '../../../../src/catalog/reports/audit/round-trip/document.ts'
import type { RawCve, RawRecord } from '../../../../src/catalog/reports/audit/round-trip/raw-cve.ts'
import { readStatements } from '../../../../src/catalog/reports/audit/round-trip/read-statements.ts'

const ROW: AffectedRow = {
  kind: 'cpe',
  vendor: 'examplesoft',
  product: 'lark',
  target: '',
  source: 'derived:cna:example',
  isAffected: true,
  isVague: false,
  low: null,
  isLowIncluded: true,
  high: null,
  isHighIncluded: false,
  versions: null,
  fixed: null,
}

function toRaw(source: string, content: object): RawCve {
  const record = { source, content, text: '', modified: new Date(0) } as RawRecord
  return { records: [record], debian: [], kev: null, euKev: null, exploits: [] }
}

const byCna = (entry: object) =>
  toRaw('cve', {
    containers: {
      cna: {
        providerMetadata: { shortName: 'example' },
        affected: [{ vendor: 'ExampleSoft', product: 'Lark', ...entry }],
      },
    },
  })

/** `row`: members of the served row that differ from an affected row without versions. */
function compare(raw: RawCve, row: Partial<AffectedRow>) {
  return compareRows([{ ...ROW, ...row }], readStatements(raw))[0]?.kind
}

const compareVersions = (version: object, row: Partial<AffectedRow>) =>
  compare(byCna({ versions: [{ status: 'affected', ...version }] }), row)

const from = (low: string, high: string): Partial<AffectedRow> => ({ low, high })
const NAMED = { source: 'cna:example' }

describe('Round trip: a served row', () => {
  it.each([
    ['10-00-*', { version: '10-00', lessThanOrEqual: '10-00-*' }, from('10-00', '10-01')],
    ['21.1*-EVO', { version: '21.1-EVO', lessThan: '21.1*-EVO' }, from('21.1-EVO', '21.2-EVO')],
    ['16.09.xxxx', { version: 'Lark 16.09.xxxx: All versions.' }, from('16.09', '16.10')],
    ['NSX-T 3.2.x', { version: 'NSX 4.1.x, NSX-T 3.2.x' }, from('NSX-T 3.2', 'NSX-T 3.3')],
    ['All versions of 3.2 series', { version: 'All versions of 3.2 series' }, from('3.2', '3.3')],
  ])('agrees with the series %s, and differs if it ends later', (_, version, row) => {
    expect(compareVersions(version, row)).toBe('series')
    expect(compareVersions(version, { ...row, high: '99' })).toMatch(/^(?:mixed-ends|end)$/)
  })

  it('differs if it names the end of a series as a fix, although its range agrees', () => {
    expect(compareVersions({ version: '5.x' }, { low: '5', high: '6', fixed: '6' })).toBe('fix')
    expect(compareVersions({ version: '5.0', lessThan: '6' }, { low: '5.0', high: '6', fixed: '6' })).toBeUndefined()
  })

  it('agrees with a series that only a CPE name has, and differs from another series', () => {
    const versions = [{ status: 'affected', version: '7.2.0', lessThan: 'publication' }]
    const raw = byCna({ cpes: ['cpe:2.3:a:examplesoft:lark:7.2\\.\\*:*:*:*:*:*:*:*'], versions })
    expect(compare(raw, { ...NAMED, low: '7.2', high: '7.3' })).toBe('series')
    expect(compare(raw, { ...NAMED, low: '7.4', high: '7.5' })).not.toBe('series')
  })

  it.each([
    ['Android 12, 13', '13.0', '14.0'],
    ['Lark for HP-UX V1.1.0 to V1.4.0', 'HP-UX 1.4.0', 'HP-UX 1.5.0'],
  ])('agrees with a version in %s', (version, stated, other) => {
    expect(compareVersions({ version }, { versions: [stated] })).toBe('words')
    expect(compareVersions({ version }, { versions: [other] })).toBe('version')
  })

  it('agrees with an escaped plus sign', () => {
    const version = { version: '1.24.0', lessThan: '1.24.17\\+/rke2r1' }
    expect(compareVersions(version, from('1.24.0', '1.24.17+rke2r1'))).toBeUndefined()
    expect(compareVersions(version, from('1.24.0', '1.24.17+rke2r2'))).toBe('end')
  })

  it.each([
    ['<', '4.5', false, '4.5'],
    ['prior', '4.5', true, null],
  ])('agrees with an end in `version`, and the comparison %s in its member', (member, high, isHighIncluded, fixed) => {
    const version = { version: '4.5', [isHighIncluded ? 'lessThanOrEqual' : 'lessThan']: member }
    expect(compareVersions(version, { high, isHighIncluded, fixed })).toBeUndefined()
    expect(compareVersions(version, { high, isHighIncluded, fixed: '4.6' })).toBe('fix')
  })

  it.each([
    ['8.6', '8.6.0', 'start-is-end'],
    ['a218cafe4d3be005ab0c61130f90db4d21afb5db', '8.0', 'commit-start'],
    ['8.5', '8.6.0', 'start-dropped'],
  ])('may leave out the start %s before %s only with a reason', (version, lessThan, kind) => {
    expect(compareVersions({ version, lessThan }, { high: lessThan, fixed: lessThan })).toBe(kind)
  })

  it.each([
    ['1.16', '1.18.5', 'branch-start'],
    ['11.1.3', '11.1.3-h13', 'branch-start'],
    ['1.17', '1.18.5', 'start'],
  ])('may start a range at the branch %s before %s after several changes', (low, high, kind) => {
    const changes = ['1.15.15', '1.18.5', '11.1.2-h16', '11.1.3-h13'].map((at) => ({ at, status: 'unaffected' }))
    const version = { version: '1.9.0', lessThan: '12.0', changes }
    expect(compareVersions(version, from(low, high))).toBe(kind)
  })

  it('may start a range at the release of an end in a list', () => {
    const version = { version: '22.3', lessThan: '22.3R2-S2, 22.3R3-S1' }
    expect(compareVersions(version, from('22.3R3', '22.3R3-S1'))).toBe('branch-start')
    expect(compareVersions(version, from('22.2', '22.3R3-S1'))).not.toBe('branch-start')
  })

  it('agrees with a release in the CPE name of a product that is unaffected by default', () => {
    const raw = byCna({ cpes: ['cpe:/a:examplesoft:lark:3.11'], defaultStatus: 'unaffected' })
    expect(compare(raw, { ...NAMED, isAffected: false, versions: ['3.11'] })).toBeUndefined()
    expect(compare(raw, { ...NAMED, isAffected: false, versions: ['3.12'] })).toBe('version')
  })

  it('names the package of a module under the package, not under the module', () => {
    const product = { purl: 'pkg:rpmmod/redhat/nodejs:10/npm', vendor: 'Red Hat', product: '', status: 'not_affected' }
    const raw = toRaw('redhat', { products: [{ ...product, cpe: 'cpe:/o:redhat:enterprise_linux:8' }] })
    const row: Partial<AffectedRow> = { kind: 'purl', vendor: 'rpm/redhat', source: 'redhat', isAffected: false }
    const onRelease = { ...row, target: 'enterprise_linux:8' }
    expect(compare(raw, { ...onRelease, product: 'npm' })).toBeUndefined()
    expect(compare(raw, { ...onRelease, product: 'nodejs' })).toBe('product')
  })

  it('names a package of a registry that the CNA names by its page', () => {
    const raw = byCna({
      collectionURL: 'https://wordpress.org/plugins',
      packageName: 'https://wordpress.org/plugins/lark/',
      versions: [{ status: 'affected', version: '1.0' }],
    })
    const row: Partial<AffectedRow> = { ...NAMED, kind: 'purl', vendor: 'wordpress/plugin', versions: ['1.0'] }
    expect(compare(raw, { ...row, product: 'lark' })).toBeUndefined()
    expect(compare(raw, { ...row, product: 'https://wordpress.org/plugins/lark/' })).toBe('product')
  })
})

describe('Round trip: a CVSS 4.0 score in a detail record', () => {
  const vectorString = 'CVSS:4.0/AV:N/AC:L/AT:N/PR:L/UI:A/VC:N/VI:N/VA:N/SC:N/SI:N/SA:N'
  const detail = { source: 'nvd', record: { metrics: { cvss_v40: { vectorString, baseScore: 0 } } } }
  const stated = [{ record: 'nvd', provider: 'cna:example', vector: vectorString, score: 5.4 }]
  const show = (score: number) => {
    const values = { cvss_v4_0: { others: [[0, { vector: vectorString, score: 0, stated_score: score }]] } }
    return readDocument({ sources: JSON.stringify({ origins: [['cna:example', null]], values }) })
  }

  it('may differ from the stated score only if the record shows the stated score beside it', () => {
    expect(compareDetailScores(detail, show(5.4), stated)).toEqual(['stated-score'])
    expect(compareDetailScores(detail, show(5.5), stated)).toEqual(['score'])
  })
})
