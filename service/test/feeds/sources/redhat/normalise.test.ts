import { describe, expect, it } from 'vitest'
import { parseCanonicalCveId } from '../../../../src/domain/cve-id.ts'
import type { VendorRecord } from '../../../../src/domain/source/vendor-record.ts'
import { isRejected } from '../../../../src/feeds/feed.ts'
import { normaliseVex } from '../../../../src/feeds/sources/redhat/normalise.ts'
import { component, containedIn, type VexOptions, vendorTree, vex } from './fixtures.ts'

const NOW = new Date('2026-08-22T00:00:00Z')
const A = 'CVE-2024-0001'

function normaliseRecord(options: VexOptions): VendorRecord {
  const row = normaliseVex({ value: vex(A, options) }, NOW)
  if (isRejected(row)) throw new Error(row.reason)
  return JSON.parse(row.record)
}

const rejectionReason = (value: unknown, expected = parseCanonicalCveId(A)) => {
  const row = normaliseVex({ value, ...(expected && { expected }) }, NOW)
  return isRejected(row) ? [row.rejected, row.reason] : undefined
}

describe('Red Hat feed: normalising a document', () => {
  it('converts a document to a vendor record', () => {
    expect(normaliseRecord({})).toEqual({
      cve_id: A,
      advisories: [],
      title: 'tallyd: memory exhaustion',
      description: 'A crafted request exhausts the memory of tallyd.',
      published: '2024-02-01T00:00:00Z',
      modified: '2026-08-01T10:00:00Z',
      withdrawn: false,
      severity: 'Moderate',
      scores: [{ vector: 'CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:N/I:N/A:H', base_score: 6.5 }],
      weaknesses: ['CWE-400'],
      products: [
        {
          vendor: 'Red Hat',
          product: 'Red Hat Enterprise Linux 9',
          status: 'affected',
          cpe: 'cpe:/o:redhat:enterprise_linux:9',
          purl: 'pkg:rpm/redhat/tallyd',
          introduced: null,
          fixed: null,
          last_affected: null,
        },
      ],
      references: [{ url: `https://access.redhat.com/security/cve/${A}`, tags: [] }],
      exploitation: null,
    })
  })

  it('takes no date from a document whose vulnerability has none', () => {
    expect(normaliseRecord({ vulnerability: { release_date: undefined } }).published).toBeNull()
  })

  it('uses the current release date and the highest score', () => {
    const scores = [4.1, 9.8, 5].map((baseScore, index) => ({
      cvss_v3: { baseScore, vectorString: `CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:N/I:N/A:${'NLH'[index]}` },
    }))
    const value = vex(A, { vulnerability: { scores: [...scores, ...scores, { products: [] }] } })
    expect(normaliseVex({ value }, NOW)).toMatchObject({ modified: new Date('2026-08-01T10:00:00Z'), score: 9.8 })
    expect(normaliseRecord({ vulnerability: { scores: [...scores, ...scores] } }).scores).toHaveLength(3)
  })

  it('accepts a document with only an id and a date', () => {
    const value = {
      document: { tracking: { id: A, current_release_date: '2026-08-01T10:00:00+00:00' } },
      vulnerabilities: [{ cve: A }],
    }
    const row = normaliseVex({ value }, NOW)
    expect(row).toMatchObject({ cveId: A, score: null })
    expect(JSON.parse('record' in row ? row.record : '')).toMatchObject({ severity: null, products: [], scores: [] })
  })

  it('lists each fixing advisory once, and gives its link no tag, as Red Hat does', () => {
    const fix = (number: string) => ({
      category: 'vendor_fix',
      details: 'Update the package.',
      url: `https://access.redhat.com/errata/${number}`,
    })
    const remediations = [
      fix('RHSA-2024:2011'),
      fix('RHSA-2023:0069'),
      fix('RHSA-2024:2011'),
      { category: 'workaround', details: 'None.' },
    ]
    const references = [
      { category: 'external', url: 'https://tallyd.example/advisories/1' },
      { category: 'external', url: 'javascript:alert(1)' },
      { category: 'external', url: 'https://tallyd.example/advisories/1' },
    ]
    expect(normaliseRecord({ vulnerability: { remediations, references } })).toMatchObject({
      advisories: ['RHSA-2023:0069', 'RHSA-2024:2011'],
      references: [
        { url: 'https://tallyd.example/advisories/1', tags: [] },
        { url: 'https://access.redhat.com/errata/RHSA-2024:2011', tags: [] },
        { url: 'https://access.redhat.com/errata/RHSA-2023:0069', tags: [] },
      ],
    })
  })

  it('takes the severity from the threats when the document has none', () => {
    expect(normaliseRecord({ document: { aggregate_severity: undefined } }).severity).toBe('Moderate')
  })

  it.each([
    ['CISA: https://www.cisa.gov/known-exploited-vulnerabilities-catalog', 'active'],
    ['No known exploitation.', null],
  ])('maps the exploit status "%s" to %s', (details, expected) => {
    expect(
      normaliseRecord({ vulnerability: { threats: [{ category: 'exploit_status', details }] } }).exploitation,
    ).toBe(expected)
  })

  it('keeps the first 200 references', () => {
    const references = Array.from({ length: 300 }, (_, index) => ({ url: `https://tallyd.example/${index}` }))
    expect(normaliseRecord({ vulnerability: { references } }).references).toHaveLength(200)
  })
})

describe('Red Hat feed: products of a document', () => {
  const parseProducts = (tree: unknown, status: Readonly<Record<string, readonly string[]>>) =>
    normaliseRecord({ tree, vulnerability: { product_status: status } }).products.map(
      ({ product, status, purl, fixed }) => `${status}: ${purl ?? 'all'} of ${product}${fixed ? ` in ${fixed}` : ''}`,
    )
  const rpm = (id: string, arch: string) =>
    component(
      id,
      `pkg:rpm/redhat/${id.split('-')[0]}@1.2-3.el9?arch=${arch}${id.startsWith('epoch') ? '&epoch=2' : ''}`,
    )

  it('lists products by status, affected products first', () => {
    const tree = vendorTree(
      ['a', 'b', 'c', 'd'].map((each) => component(each, `pkg:rpm/redhat/${each}?arch=src`)),
      ['a', 'b', 'c', 'd'].map((each) => containedIn(each, 'rhel9')),
    )
    const status = {
      fixed: ['rhel9:a'],
      known_not_affected: ['rhel9:b'],
      under_investigation: ['rhel9:c'],
      known_affected: ['rhel9:d'],
    }
    expect(parseProducts(tree, status)).toEqual([
      'affected: pkg:rpm/redhat/d of Red Hat Enterprise Linux 9',
      'under_investigation: pkg:rpm/redhat/c of Red Hat Enterprise Linux 9',
      'fixed: pkg:rpm/redhat/a of Red Hat Enterprise Linux 9',
      'not_affected: pkg:rpm/redhat/b of Red Hat Enterprise Linux 9',
    ])
  })

  it('lists a package once for all architectures and drops the binaries of a listed source package', () => {
    const ids = [
      'tallyd-1.2.src',
      'tallyd-1.2.x86',
      'tallyd-1.2.arm',
      'tallylibs-1.2.x86',
      'epoch-1.2.src',
      'epoch-1.2.x86',
    ]
    const architecture = { category: 'architecture', name: 'any', branches: ids.map((id) => rpm(id, id.slice(-3))) }
    const tree = vendorTree(
      [architecture],
      ids.map((id) => containedIn(id, 'rhel9')),
    )
    expect(parseProducts(tree, { fixed: ids.map((id) => `rhel9:${id}`) })).toEqual([
      'fixed: pkg:rpm/redhat/tallyd of Red Hat Enterprise Linux 9 in 1.2-3.el9',
      'fixed: pkg:rpm/redhat/epoch of Red Hat Enterprise Linux 9 in 2:1.2-3.el9',
    ])
    const withoutSource = ['rhel9:tallyd-1.2.x86', 'rhel9:tallylibs-1.2.x86']
    expect(parseProducts(tree, { fixed: withoutSource })).toHaveLength(2)
  })

  it('supports whole products, images, modules, components without a package URL and undefined ids', () => {
    const image = 'pkg:oci/tallyd@sha256%3Aabc?arch=amd64&tag=v4.12'
    const module = 'pkg:rpmmod/redhat/tallyd@9%3A1.2%2Bel9'
    const tree = vendorTree(
      [
        component('image', image),
        component('module', module),
        component('log viewer'),
        component('bad', 'pkg:rpm/redhat/bad@%ZZ'),
      ],
      ['image', 'module', 'log viewer', 'bad'].map((each) => containedIn(each, 'rhel9')),
    )
    const ids = ['rhel9', 'rhel9:image', 'rhel9:module', 'rhel9:log viewer', 'rhel9:bad', 'Text-Only Tallyd']
    expect(parseProducts(tree, { fixed: ids })).toEqual([
      'fixed: all of Red Hat Enterprise Linux 9',
      'fixed: pkg:oci/tallyd of Red Hat Enterprise Linux 9 in v4.12',
      'fixed: pkg:rpmmod/redhat/tallyd of Red Hat Enterprise Linux 9 in 9:1.2+el9',
      'fixed: pkg:generic/redhat/log%20viewer of Red Hat Enterprise Linux 9',
      'fixed: pkg:rpm/redhat/bad of Red Hat Enterprise Linux 9 in %ZZ',
      'fixed: all of Text-Only Tallyd',
    ])
  })

  it('keeps the stream of a package in a module, and says what Red Hat does about a package without a fix', () => {
    const tree = vendorTree(
      [
        component('tallyd-2.src', 'pkg:rpm/redhat/tallyd@2-1.module%2Bel9.1%2B7%2Bab?arch=src'),
        component('tally:2:905:ab', 'pkg:rpmmod/redhat/tally@2:905:ab'),
        ...['a', 'b', 'c', 'd'].map((each) => component(each, `pkg:rpm/redhat/${each}?arch=src`)),
      ],
      [
        containedIn('tally:2:905:ab', 'rhel9'),
        containedIn('tallyd-2.src', 'rhel9:tally:2:905:ab'),
        ...['a', 'b', 'c', 'd'].map((each) => containedIn(each, 'rhel9')),
      ],
    )
    const status = {
      known_affected: ['rhel9:a', 'rhel9:b', 'rhel9:c'],
      under_investigation: ['rhel9:d'],
      fixed: ['rhel9:tally:2:905:ab:tallyd-2.src'],
    }
    const remediations = [
      { category: 'no_fix_planned', details: 'Out of support scope', product_ids: ['rhel9:a'] },
      { category: 'none_available', details: 'Fix deferred', product_ids: ['rhel9:b'] },
      { category: 'workaround', details: 'Do not start it.', product_ids: ['rhel9:c'] },
    ]
    const { products } = normaliseRecord({ tree, vulnerability: { product_status: status, remediations } })
    expect(products.map(({ purl, state, streams }) => [purl?.slice(15), state, streams])).toEqual([
      ['a', 'out_of_support', undefined],
      ['b', 'fix_deferred', undefined],
      ['c', undefined, undefined],
      ['d', 'under_investigation', undefined],
      ['tallyd', undefined, ['tally:2']],
    ])
  })

  it('keeps remediations with their products, those of a built package with its source package', () => {
    const ids = ['tallyd-1.2.src', 'tallyd-1.2.x86', 'other.src']
    const tree = vendorTree(
      [{ category: 'architecture', name: 'any', branches: ids.map((id) => rpm(id, id.slice(-3))) }],
      ids.map((id) => containedIn(id, 'rhel9')),
    )
    const remediations = [
      {
        category: 'vendor_fix',
        details: ' Update. ',
        url: 'https://access.redhat.com/errata/RHSA-2024:2011',
        product_ids: ['rhel9:tallyd-1.2.src', 'rhel9:tallyd-1.2.x86'],
      },
      { category: 'workaround', details: 'Stop it.', product_ids: ['rhel9:other.src'] },
      { category: 'mitigation', details: 'For a product without a status.', product_ids: ['rhel9:unknown'] },
      { category: 'no_fix_planned', details: 'For all.', url: 'mailto:a@tallyd.example' },
      { category: 'unheard_of', details: 'Dance.', product_ids: ['rhel9:other.src'] },
    ]
    const { products, remediations: kept } = normaliseRecord({
      tree,
      vulnerability: {
        product_status: {
          fixed: ['rhel9:tallyd-1.2.src', 'rhel9:tallyd-1.2.x86'],
          known_affected: ['rhel9:other.src'],
        },
        remediations,
      },
    })
    const nameOf = (position: number) => products[position]?.purl
    expect(kept?.map(({ kind, text, url, products: named }) => [kind, text, url, named.map(nameOf)])).toEqual([
      ['fix', 'Update.', 'https://access.redhat.com/errata/RHSA-2024:2011', ['pkg:rpm/redhat/tallyd']],
      ['workaround', 'Stop it.', null, [expect.stringContaining('pkg:rpm/redhat/')]],
      ['none_planned', 'For all.', null, []],
    ])
  })

  it('resolves nested relationships and tolerates a relationship to itself', () => {
    const tree = vendorTree(
      [component('pkg', 'pkg:rpm/redhat/pkg'), component('mod', 'pkg:rpmmod/redhat/mod')],
      [containedIn('mod', 'rhel9'), containedIn('pkg', 'rhel9:mod'), containedIn('loop', 'loop', 'loop')],
    )
    expect(parseProducts(tree, { known_affected: ['rhel9:mod:pkg', 'loop'] })).toEqual([
      'affected: pkg:rpm/redhat/pkg of Red Hat Enterprise Linux 9',
      'affected: all of loop',
    ])
  })

  it('keeps at most 500 products and drops unaffected products first', () => {
    const ids = (count: number, kind: string) => Array.from({ length: count }, (_, index) => `${kind}-${index}`)
    const products = parseProducts(
      { branches: [{ branches: 7 }, null] },
      { known_not_affected: ids(400, 'no'), fixed: ids(300, 'yes') },
    )
    expect(products).toHaveLength(500)
    expect(products.filter((each) => each.startsWith('fixed'))).toHaveLength(300)
  })
})

describe('Red Hat feed: rejected documents', () => {
  const [one] = vex(A).vulnerabilities
  it.each<[string, unknown, string]>([
    ['an array instead of a JSON object', [], 'the record must be object'],
    ['no vulnerability', { ...vex(A), vulnerabilities: [] }, '/vulnerabilities must not have fewer than 1 items'],
    [
      'two vulnerabilities',
      { ...vex(A), vulnerabilities: [one, one] },
      'it has 2 vulnerabilities; a VEX document has exactly one',
    ],
    ['an id that is not a CVE id', vex('RHSA-2024:6163'), 'not a CVE id'],
    [
      'an id that differs from the file name',
      vex('CVE-2024-0002'),
      'its CVE id CVE-2024-0002 differs from the id in its name',
    ],
    ['an invalid date', vex(A, { at: 'yesterday' }), 'document.tracking.current_release_date is not a valid date-time'],
    [
      'a score above 10',
      vex(A, { vulnerability: { scores: [{ cvss_v3: { vectorString: 'x', baseScore: 11 } }] } }),
      '/vulnerabilities/0/scores/0/cvss_v3/baseScore must be <= 10',
    ],
    [
      'a string instead of a list',
      vex(A, { vulnerability: { product_status: { fixed: 'all' } } }),
      '/vulnerabilities/0/product_status/fixed must be array',
    ],
  ])('rejects a document with %s', (_, value, reason) => {
    expect(rejectionReason(value)).toEqual([A, expect.stringContaining(reason)])
  })

  it('identifies a rejected document without a file name by the id in the document', () => {
    const value = { document: { tracking: { id: A } } }
    const row = normaliseVex({ value }, NOW)
    expect(row).toMatchObject({ rejected: A })
    expect(normaliseVex({ value: 7 }, NOW)).toMatchObject({ rejected: 'a document without an id' })
    const other = { ...vex(A), document: { ...vex(A).document, tracking: vex('CVE-2024-0002').document.tracking } }
    expect(normaliseVex({ value: other }, NOW)).toMatchObject({
      reason: `its CVE id ${A} differs from the id in its name`,
    })
  })
})
