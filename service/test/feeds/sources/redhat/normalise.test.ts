import { describe, expect, it } from 'vitest'
import { parseCanonicalCveId } from '../../../../src/domain/cve-id.ts'
import type { VendorRecord } from '../../../../src/domain/vendor-record.ts'
import { isRejected } from '../../../../src/feeds/feed.ts'
import { normaliseVex } from '../../../../src/feeds/sources/redhat/normalise.ts'
import { component, partOf, type Said, vendorTree, vex } from './fixtures.ts'

const NOW = new Date('2026-08-22T00:00:00Z')
const A = 'CVE-2024-0001'

function recordOf(said: Said): VendorRecord {
  const row = normaliseVex({ value: vex(A, said) }, NOW)
  if (isRejected(row)) throw new Error(row.reason)
  return JSON.parse(row.record)
}

const reasonFor = (value: unknown, expected = parseCanonicalCveId(A)) => {
  const row = normaliseVex({ value, ...(expected && { expected }) }, NOW)
  return isRejected(row) ? [row.rejected, row.reason] : undefined
}

describe('A document of Red Hat', () => {
  it('becomes a record in the form of all vendors', () => {
    expect(recordOf({})).toEqual({
      cve_id: A,
      advisories: [],
      title: 'kettle: boils over',
      description: 'The kettle boils over.',
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
          purl: 'pkg:rpm/redhat/kettle',
          introduced: null,
          fixed: null,
          last_affected: null,
        },
      ],
      references: [{ url: `https://access.redhat.com/security/cve/${A}`, tags: ['Vendor Advisory'] }],
      exploitation: null,
    })
  })

  it('is as old as its last release, and carries its highest score', () => {
    const scores = [4.1, 9.8, 5].map((baseScore, index) => ({
      cvss_v3: { baseScore, vectorString: `CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:N/I:N/A:${'NLH'[index]}` },
    }))
    const value = vex(A, { vulnerability: { scores: [...scores, ...scores, { products: [] }] } })
    expect(normaliseVex({ value }, NOW)).toMatchObject({ modified: new Date('2026-08-01T10:00:00Z'), score: 9.8 })
    expect(recordOf({ vulnerability: { scores: [...scores, ...scores] } }).scores).toHaveLength(3)
  })

  it('may say little', () => {
    const value = {
      document: { tracking: { id: A, current_release_date: '2026-08-01T10:00:00+00:00' } },
      vulnerabilities: [{ cve: A }],
    }
    const row = normaliseVex({ value }, NOW)
    expect(row).toMatchObject({ cveId: A, score: null })
    expect(JSON.parse('record' in row ? row.record : '')).toMatchObject({ severity: null, products: [], scores: [] })
  })

  it('names the advisories that fix it, once each, and links them as its own', () => {
    const fix = (number: string) => ({
      category: 'vendor_fix',
      details: 'Boil less.',
      url: `https://access.redhat.com/errata/${number}`,
    })
    const remediations = [
      fix('RHSA-2024:2011'),
      fix('RHSA-2023:0069'),
      fix('RHSA-2024:2011'),
      { category: 'workaround', details: 'None.' },
    ]
    const references = [
      { category: 'external', url: 'https://kettle.example/boils' },
      { category: 'external', url: 'javascript:alert(1)' },
      { category: 'external', url: 'https://kettle.example/boils' },
    ]
    expect(recordOf({ vulnerability: { remediations, references } })).toMatchObject({
      advisories: ['RHSA-2023:0069', 'RHSA-2024:2011'],
      references: [
        { url: 'https://kettle.example/boils', tags: [] },
        { url: 'https://access.redhat.com/errata/RHSA-2024:2011', tags: ['Vendor Advisory'] },
        { url: 'https://access.redhat.com/errata/RHSA-2023:0069', tags: ['Vendor Advisory'] },
      ],
    })
  })

  it('has its severity from the threats when the document names none', () => {
    expect(recordOf({ document: { aggregate_severity: undefined } }).severity).toBe('Moderate')
  })

  it.each([
    ['CISA: https://www.cisa.gov/known-exploited-vulnerabilities-catalog', 'active'],
    ['Nobody has tried.', null],
  ])('says whether it is exploited: %s', (details, expected) => {
    expect(recordOf({ vulnerability: { threats: [{ category: 'exploit_status', details }] } }).exploitation).toBe(
      expected,
    )
  })

  it('is cut where it is too long', () => {
    const references = Array.from({ length: 300 }, (_, index) => ({ url: `https://kettle.example/${index}` }))
    const record = recordOf({ text: `${'x'.repeat(19_999)}😀`, vulnerability: { references } })
    expect(record.references).toHaveLength(200)
    expect(recordOf({ text: `${'x'.repeat(19_999)}😀` }).description).toBe(`${'x'.repeat(19_999)}\uFFFD`)
  })
})

describe('The products of a document', () => {
  const productsOf = (tree: unknown, status: Readonly<Record<string, readonly string[]>>) =>
    recordOf({ tree, vulnerability: { product_status: status } }).products.map(
      ({ product, status, purl, fixed }) => `${status}: ${purl ?? 'all'} of ${product}${fixed ? ` in ${fixed}` : ''}`,
    )
  const rpm = (id: string, arch: string) =>
    component(
      id,
      `pkg:rpm/redhat/${id.split('-')[0]}@1.2-3.el9?arch=${arch}${id.startsWith('epoch') ? '&epoch=2' : ''}`,
    )

  it('have a status each, the affected ones first', () => {
    const tree = vendorTree(
      ['a', 'b', 'c', 'd'].map((each) => component(each, `pkg:rpm/redhat/${each}?arch=src`)),
      ['a', 'b', 'c', 'd'].map((each) => partOf(each, 'rhel9')),
    )
    const status = {
      fixed: ['rhel9:a'],
      known_not_affected: ['rhel9:b'],
      under_investigation: ['rhel9:c'],
      known_affected: ['rhel9:d'],
    }
    expect(productsOf(tree, status)).toEqual([
      'affected: pkg:rpm/redhat/d of Red Hat Enterprise Linux 9',
      'under_investigation: pkg:rpm/redhat/c of Red Hat Enterprise Linux 9',
      'fixed: pkg:rpm/redhat/a of Red Hat Enterprise Linux 9',
      'not_affected: pkg:rpm/redhat/b of Red Hat Enterprise Linux 9',
    ])
  })

  it('are there once for all architectures, and builds of a source package are that package', () => {
    const ids = ['kettle-1.2.src', 'kettle-1.2.x86', 'kettle-1.2.arm', 'lid-1.2.x86', 'epoch-1.2.src', 'epoch-1.2.x86']
    const architecture = { category: 'architecture', name: 'any', branches: ids.map((id) => rpm(id, id.slice(-3))) }
    const tree = vendorTree(
      [architecture],
      ids.map((id) => partOf(id, 'rhel9')),
    )
    expect(productsOf(tree, { fixed: ids.map((id) => `rhel9:${id}`) })).toEqual([
      'fixed: pkg:rpm/redhat/kettle of Red Hat Enterprise Linux 9 in 1.2-3.el9',
      'fixed: pkg:rpm/redhat/epoch of Red Hat Enterprise Linux 9 in 2:1.2-3.el9',
    ])
    const withoutSource = ['rhel9:kettle-1.2.x86', 'rhel9:lid-1.2.x86']
    expect(productsOf(tree, { fixed: withoutSource })).toHaveLength(2)
  })

  it('may be a product as a whole, an image, a module, a name without a package, or an id that nobody explains', () => {
    const image = 'pkg:oci/kettle@sha256%3Aabc?arch=amd64&tag=v4.12'
    const module = 'pkg:rpmmod/redhat/kettle@9%3A1.2%2Bel9'
    const tree = vendorTree(
      [
        component('image', image),
        component('module', module),
        component('tea pot'),
        component('bad', 'pkg:rpm/redhat/bad@%ZZ'),
      ],
      ['image', 'module', 'tea pot', 'bad'].map((each) => partOf(each, 'rhel9')),
    )
    const ids = ['rhel9', 'rhel9:image', 'rhel9:module', 'rhel9:tea pot', 'rhel9:bad', 'Text-Only Kettle']
    expect(productsOf(tree, { fixed: ids })).toEqual([
      'fixed: all of Red Hat Enterprise Linux 9',
      'fixed: pkg:oci/kettle of Red Hat Enterprise Linux 9 in v4.12',
      'fixed: pkg:rpmmod/redhat/kettle of Red Hat Enterprise Linux 9 in 9:1.2+el9',
      'fixed: pkg:generic/redhat/tea%20pot of Red Hat Enterprise Linux 9',
      'fixed: pkg:rpm/redhat/bad of Red Hat Enterprise Linux 9 in %ZZ',
      'fixed: all of Text-Only Kettle',
    ])
  })

  it('may be parts of parts; those that are parts of themselves do no harm', () => {
    const tree = vendorTree(
      [component('pkg', 'pkg:rpm/redhat/pkg'), component('mod', 'pkg:rpmmod/redhat/mod')],
      [partOf('mod', 'rhel9'), partOf('pkg', 'rhel9:mod'), partOf('loop', 'loop', 'loop')],
    )
    expect(productsOf(tree, { known_affected: ['rhel9:mod:pkg', 'loop'] })).toEqual([
      'affected: pkg:rpm/redhat/pkg of Red Hat Enterprise Linux 9',
      'affected: all of loop',
    ])
  })

  it('are 500 at most, and those that are not affected go first', () => {
    const ids = (count: number, kind: string) => Array.from({ length: count }, (_, index) => `${kind}-${index}`)
    const products = productsOf(
      { branches: [{ branches: 7 }, null] },
      { known_not_affected: ids(400, 'no'), fixed: ids(300, 'yes') },
    )
    expect(products).toHaveLength(500)
    expect(products.filter((each) => each.startsWith('fixed'))).toHaveLength(300)
  })
})

describe('What cannot be used is rejected with its reason', () => {
  const [one] = vex(A).vulnerabilities
  it.each<[string, unknown, string]>([
    ['no document', [], 'the record must be object'],
    ['no vulnerability', { ...vex(A), vulnerabilities: [] }, '/vulnerabilities must not have fewer than 1 items'],
    [
      'an advisory, which speaks of several',
      { ...vex(A), vulnerabilities: [one, one] },
      'it speaks of 2 vulnerabilities, a VEX file of one',
    ],
    ['no id', vex('RHSA-2024:6163'), 'not a CVE id'],
    ['another id than the file has', vex('CVE-2024-0002'), 'it speaks of CVE-2024-0002, and is called otherwise'],
    ['no date', vex(A, { at: 'yesterday' }), 'document.tracking.current_release_date is no date'],
    [
      'a score beyond ten',
      vex(A, { vulnerability: { scores: [{ cvss_v3: { vectorString: 'x', baseScore: 11 } }] } }),
      '/vulnerabilities/0/scores/0/cvss_v3/baseScore must be <= 10',
    ],
    [
      'a list that is none',
      vex(A, { vulnerability: { product_status: { fixed: 'all' } } }),
      '/vulnerabilities/0/product_status/fixed must be array',
    ],
  ])('%s', (_, value, reason) => {
    expect(reasonFor(value)).toEqual([A, expect.stringContaining(reason)])
  })

  it('a document without a file is called as it calls itself', () => {
    const value = { document: { tracking: { id: A } } }
    const row = normaliseVex({ value }, NOW)
    expect(row).toMatchObject({ rejected: A })
    expect(normaliseVex({ value: 7 }, NOW)).toMatchObject({ rejected: 'a document without an id' })
    const other = { ...vex(A), document: { ...vex(A).document, tracking: vex('CVE-2024-0002').document.tracking } }
    expect(normaliseVex({ value: other }, NOW)).toMatchObject({ reason: `it speaks of ${A}, and is called otherwise` })
  })
})
