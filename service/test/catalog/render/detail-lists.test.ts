import { describe, expect, it } from 'vitest'
import type { Claim } from '../../../src/catalog/model/claim.ts'
import { readAffected } from '../../../src/catalog/sources/fields/read-affected.ts'
import { affected, chosen, claim, configurations, match, published, rating, reference, V31 } from '../records.ts'

const SEVERE = { score: chosen(rating(V31)) }

/** Renders the detail record that contains NVD's data. */
function renderDetail(members: Partial<Claim>): unknown {
  return published({ resolved: { ...SEVERE, claims: [claim(members)] } }).details['nvd']
}

describe('Detail record: affected_products', () => {
  it('lists every CPE match once, with null for version limits that are not set', () => {
    const bounded = match('two', { vulnerable: false, versionStartIncluding: '1.0', versionEndExcluding: '2.0' })
    const listed = configurations([match('one', { matchCriteriaId: 'A' }), bounded])
    expect(
      renderDetail({ configurations: [...listed, ...configurations([match('one', { matchCriteriaId: 'B' })])] }),
    ).toMatchObject({
      affected_products: {
        cpe_configurations: [
          {
            vulnerable: true,
            cpe23Uri: 'cpe:2.3:a:maker:one:*:*:*:*:*:*:*:*',
            versionStartIncluding: null,
            versionEndExcluding: null,
            versionEndIncluding: null,
            versionStartExcluding: null,
          },
          {
            vulnerable: false,
            cpe23Uri: 'cpe:2.3:a:maker:two:*:*:*:*:*:*:*:*',
            versionStartIncluding: '1.0',
            versionEndExcluding: '2.0',
            versionEndIncluding: null,
            versionStartExcluding: null,
          },
        ],
        total_cpe_count: 2,
      },
    })
  })

  it("names the package that a product's versions belong to", () => {
    const [ofPackage, ofProduct] = [affected({ packageName: 'router-core' }), affected({})]
    const { affected_products: found } = renderDetail({ affected: [ofPackage, ofProduct] }) as {
      affected_products: { products: readonly object[] }
    }
    expect(found.products[0]).toMatchObject({ package_name: 'router-core' })
    expect(found.products[1]).not.toHaveProperty('package_name')
  })

  it('lists each product with the vendor and product names used by the source', () => {
    const product = affected({
      vendor: 'npm',
      product: 'thing',
      packageUrl: 'pkg:npm/thing',
      ranges: [{ isAffected: true, version: '1.0', lessThan: '2.0', lessThanOrEqual: null }],
    })
    expect(renderDetail({ affected: [product] })).toMatchObject({
      affected_products: {
        products: [
          {
            vendor: 'npm',
            product: 'thing',
            package_url: 'pkg:npm/thing',
            affected: true,
            affected_by_default: false,
            versions: [
              { affected: true, version: '1.0', less_than: '2.0', less_than_or_equal: null, is_commit: false },
            ],
          },
        ],
      },
    })
  })

  it('serves an end that is no version as a text of its own', () => {
    const url = 'https://www.example.com/releases'
    const range = { isAffected: true, version: '19.0', lessThan: url, lessThanOrEqual: null } as const
    expect(renderDetail({ affected: [affected({ ranges: [range] })] })).toMatchObject({
      affected_products: {
        products: [{ versions: [{ version: '19.0', less_than: null, less_than_or_equal: null, unknown_end: url }] }],
      },
    })
  })

  it('marks limits that the service derived from several versions in one text', () => {
    const range = {
      isAffected: true,
      version: '1.0',
      lessThan: '2.3.4',
      lessThanOrEqual: null,
      isDerived: true,
    } as const
    expect(renderDetail({ affected: [affected({ ranges: [range] })] })).toMatchObject({
      affected_products: { products: [{ versions: [{ less_than: '2.3.4', derived: true }] }] },
    })
  })

  it('renders is_commit and affected_by_default for a product', () => {
    const commit = { isAffected: false, version: 'abc', lessThan: null, lessThanOrEqual: null, isCommit: true } as const
    expect(renderDetail({ affected: [affected({ isAffectedByDefault: true, ranges: [commit] })] })).toMatchObject({
      affected_products: {
        products: [{ affected: true, affected_by_default: true, versions: [{ affected: false, is_commit: true }] }],
      },
    })
  })

  it('says that a product is not affected if the source lists no affected version of it', () => {
    const unaffected = { isAffected: false, version: '1.0', lessThan: null, lessThanOrEqual: null }
    const products = [
      affected({ isAffectedByDefault: false, isUnaffectedByDefault: true }),
      affected({ isAffectedByDefault: false, ranges: [unaffected] }),
      affected({ isAffectedByDefault: false, ranges: [unaffected, { ...unaffected, isAffected: true }] }),
      affected(),
    ]
    expect(renderDetail({ affected: products })).toMatchObject({
      affected_products: {
        products: [{ affected: false }, { affected: false }, { affected: true }, { affected: true }],
      },
    })
  })

  it('says that the status of a product is unknown instead of calling it unaffected (CVE-2024-2002)', () => {
    const entry = { vendor: 'ExampleSoft', product: 'Router' }
    const entries = [
      { ...entry, defaultStatus: 'unknown' },
      { ...entry, versions: [{ version: '1.0', status: 'unknown' }] },
      { ...entry, defaultStatus: 'unaffected' },
      { ...entry, defaultStatus: 'unknown', versions: [{ version: '1.0', status: 'unaffected' }] },
    ]
    const { affected_products: found } = renderDetail({
      affected: entries.flatMap((each) => readAffected(each, 'cna:maker') ?? []),
    }) as { affected_products: { products: readonly object[] } }
    const [unknown, listed, ...others] = found.products
    for (const each of [unknown, listed]) {
      expect(each).toMatchObject({ status_unknown: true })
      expect(each).not.toHaveProperty('affected')
    }
    expect(others).toHaveLength(2)
    for (const each of others) {
      expect(each).toMatchObject({ affected: false })
      expect(each).not.toHaveProperty('status_unknown')
    }
  })

  it('renders the provider of the CPE matches, with the prefix "derived:" for derived matches', () => {
    const range = { isAffected: true, version: '1.0', lessThan: '2.0', lessThanOrEqual: null }
    expect(renderDetail({ configurations: configurations([match('one')]) })).toMatchObject({
      affected_products: { cpe_source: 'nvd', total_cpe_count: 1 },
    })
    expect(renderDetail({ affected: [affected({ ranges: [range] })] })).toMatchObject({
      affected_products: {
        cpe_source: 'derived:cna:maker',
        cpe_configurations: [{ vulnerable: true, versionStartIncluding: '1.0', versionEndExcluding: '2.0' }],
      },
    })
    expect(renderDetail({})).toMatchObject({ affected_products: { cpe_source: null, cpe_configurations: [] } })
  })
})

describe('Detail record: references', () => {
  it.each([
    [['Exploit'], 'exploits'],
    [['Vendor Advisory'], 'vendor_advisories'],
    [['Patch'], 'mitigations'],
    [['Mitigation'], 'mitigations'],
    [['Release Notes'], 'mitigations'],
    [['Third Party Advisory'], 'technical_articles'],
    [[], 'technical_articles'],
    [['Patch', 'Vendor Advisory', 'Exploit'], 'exploits'],
    [['Patch', 'Vendor Advisory'], 'vendor_advisories'],
  ])('lists a reference with the tags %j only in the list %s', (tags, bucket) => {
    const empty = { vendor_advisories: [], exploits: [], mitigations: [], technical_articles: [] }
    expect(renderDetail({ references: [reference('a', ...tags)] })).toMatchObject({
      references: {
        ...empty,
        [bucket]: [{ url: 'https://example.org/a', tags, source: 'maker' }],
        total_reference_count: 1,
      },
    })
  })

  it('lists a repeated reference once with all its tags', () => {
    const references = [reference('a', 'Patch'), reference('b'), reference('a', 'Exploit', 'Patch')]
    expect(renderDetail({ references })).toMatchObject({
      references: { exploits: [{ url: 'https://example.org/a' }], mitigations: [], total_reference_count: 2 },
    })
  })
})

describe('Detail record: a source with several advisories', () => {
  it('renders one detail record for several advisories, with the values of the first advisory first', () => {
    const claims = [
      claim({ source: 'ghsa', references: [reference('new')], severityWord: 'HIGH' }),
      claim({ source: 'ghsa', references: [reference('old')], severityWord: 'LOW' }),
    ]
    expect(published({ resolved: { ...SEVERE, sources: ['ghsa'], claims } }).details).toMatchObject({
      ghsa: {
        metrics: { severity: 'HIGH' },
        references: { technical_articles: [{ url: 'https://example.org/new' }, { url: 'https://example.org/old' }] },
      },
    })
  })
})
