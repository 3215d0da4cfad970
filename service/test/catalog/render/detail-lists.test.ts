import { describe, expect, it } from 'vitest'
import type { Statement } from '../../../src/catalog/model/claim.ts'
import { affected, chosen, configurations, match, published, rating, reference, statement, V31 } from '../records.ts'

const SEVERE = { score: chosen(rating(V31)) }

/** The record of NVD. */
function detail(said: Partial<Statement>): unknown {
  return published({ resolved: { ...SEVERE, statements: [statement(said)] } }).details['nvd']
}

describe('affected_products', () => {
  it('have every match once, with null for versions that are not set', () => {
    const bounded = match('two', { vulnerable: false, versionStartIncluding: '1.0', versionEndExcluding: '2.0' })
    const said = configurations([match('one', { matchCriteriaId: 'A' }), bounded])
    expect(
      detail({ configurations: [...said, ...configurations([match('one', { matchCriteriaId: 'B' })])] }),
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

  it('have the products in the words of the source', () => {
    const said = affected({
      vendor: 'npm',
      product: 'thing',
      packageUrl: 'pkg:npm/thing',
      ranges: [{ isAffected: true, version: '1.0', lessThan: '2.0', lessThanOrEqual: null }],
    })
    expect(detail({ affected: [said] })).toMatchObject({
      affected_products: {
        products: [
          {
            vendor: 'npm',
            product: 'thing',
            package_url: 'pkg:npm/thing',
            affected_by_default: false,
            versions: [
              { affected: true, version: '1.0', less_than: '2.0', less_than_or_equal: null, is_commit: false },
            ],
          },
        ],
      },
    })
  })

  it('say which versions are commits, and that all others are affected where they are', () => {
    const commit = { isAffected: false, version: 'abc', lessThan: null, lessThanOrEqual: null, isCommit: true } as const
    expect(detail({ affected: [affected({ isAffectedByDefault: true, ranges: [commit] })] })).toMatchObject({
      affected_products: {
        products: [{ affected_by_default: true, versions: [{ affected: false, is_commit: true }] }],
      },
    })
  })

  it('say whose CPE matches they are, and that we made them where we did', () => {
    const range = { isAffected: true, version: '1.0', lessThan: '2.0', lessThanOrEqual: null }
    expect(detail({ configurations: configurations([match('one')]) })).toMatchObject({
      affected_products: { cpe_source: 'nvd', total_cpe_count: 1 },
    })
    expect(detail({ affected: [affected({ ranges: [range] })] })).toMatchObject({
      affected_products: {
        cpe_source: 'derived:cna:maker',
        cpe_configurations: [{ vulnerable: true, versionStartIncluding: '1.0', versionEndExcluding: '2.0' }],
      },
    })
    expect(detail({})).toMatchObject({ affected_products: { cpe_source: null, cpe_configurations: [] } })
  })
})

describe('references of a detail record', () => {
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
  ])('tagged %j are in %s, and in no other list', (tags, bucket) => {
    const empty = { vendor_advisories: [], exploits: [], mitigations: [], technical_articles: [] }
    expect(detail({ references: [reference('a', ...tags)] })).toMatchObject({
      references: {
        ...empty,
        [bucket]: [{ url: 'https://example.org/a', tags, source: 'maker' }],
        total_reference_count: 1,
      },
    })
  })

  it('are there once, with the tags of all that name them', () => {
    const references = [reference('a', 'Patch'), reference('b'), reference('a', 'Exploit', 'Patch')]
    expect(detail({ references })).toMatchObject({
      references: { exploits: [{ url: 'https://example.org/a' }], mitigations: [], total_reference_count: 2 },
    })
  })
})

describe('A source with several advisories for one CVE', () => {
  it('has one record of all of them, in which the first speaks first', () => {
    const statements = [
      statement({ source: 'ghsa', references: [reference('new')], severityWord: 'HIGH' }),
      statement({ source: 'ghsa', references: [reference('old')], severityWord: 'LOW' }),
    ]
    expect(published({ resolved: { ...SEVERE, sources: ['ghsa'], statements } }).details).toMatchObject({
      ghsa: {
        metrics: { severity: 'HIGH' },
        references: { technical_articles: [{ url: 'https://example.org/new' }, { url: 'https://example.org/old' }] },
      },
    })
  })
})
