import { describe, expect, it } from 'vitest'
import type { Claim } from '../../../src/catalog/model/claim.ts'
import type { Resolved } from '../../../src/catalog/model/resolved.ts'
import type { ReferenceData, SourceData } from '../../../src/catalog/model/source-data.ts'
import { cve, nvd, resolved, vendor } from '../builders.ts'
import {
  buildFix,
  chosen,
  claim,
  configurations,
  cpe,
  exploit,
  kev,
  match,
  published,
  rating,
  V2,
  V30,
  V31,
  V40,
} from '../records.ts'

const LOW = { score: chosen(rating(V30)) }

function renderDetails(resolved: Partial<Resolved>, sourceData: Partial<SourceData> = {}) {
  return published({ resolved: { claims: [claim()], ...resolved }, sourceData }).details
}

/** Renders the detail record with NVD's data for a CVE with a score of 9.8. */
function renderDetail(members: Partial<Claim>, referenceData: Partial<ReferenceData> = {}): unknown {
  const resolved = { score: chosen(rating(V31)), claims: [claim(members)] }
  return published({ resolved, referenceData }).details['nvd']
}

const many = (count: number) => Array.from({ length: count }, (_, index) => match(`thing_${index}`))

describe('Detail record: conditions', () => {
  it.each<[string, Partial<Resolved>, Partial<SourceData>]>([
    ['a CVSS score of 7.0', { score: chosen({ ...rating(V31), score: 7.0 }) }, {}],
    ['a KEV entry', LOW, { kev: kev() }],
    ['exploit evidence', LOW, { exploits: [exploit('poc')] }],
    ['50 CPE matches', { ...LOW, cpe: cpe(many(50)) }, {}],
    ['an EPSS score of 0.1', LOW, { epssScore: 0.1 }],
  ])('renders a detail record for a CVE with %s', (_what, resolved, sourceData) => {
    expect(Object.keys(renderDetails(resolved, sourceData))).toEqual(['nvd'])
  })

  it.each<[string, Partial<Resolved>, Partial<SourceData>]>([
    ['a CVSS score of 6.9', { score: chosen({ ...rating(V31), score: 6.9 }) }, {}],
    ['a removed KEV entry', LOW, { kev: kev({ removedAt: new Date() }) }],
    ['49 CPE matches', { ...LOW, cpe: cpe(many(49)) }, {}],
    ['an EPSS score of 0.09999', LOW, { epssScore: 0.09999 }],
    ['no score', {}, {}],
  ])('renders no detail record for a CVE with %s', (_what, resolved, sourceData) => {
    expect(renderDetails(resolved, sourceData)).toEqual({})
  })

  it('renders the GHSA detail record for every CVE, because only it contains the affected packages', () => {
    const affected = [
      {
        by: 'ghsa',
        vendor: 'npm',
        product: 'larkfield',
        cpes: [],
        packageUrl: 'pkg:npm/larkfield',
        ranges: [{ isAffected: true, version: '1.0', lessThan: '1.2', lessThanOrEqual: null }],
      },
    ]
    const claims = [claim({ source: 'nvd' }), claim({ source: 'ghsa', affected })]
    const details = renderDetails({ ...LOW, sources: ['ghsa', 'nvd'], claims })

    expect(Object.keys(details)).toEqual(['ghsa'])
    expect(details['ghsa']).toMatchObject({
      affected_products: {
        products: [{ package_url: 'pkg:npm/larkfield', versions: [{ version: '1.0', less_than: '1.2' }] }],
      },
    })
  })

  it('renders one detail record per source, from the data of that source', () => {
    const sources = ['cve', 'ghsa', 'nvd']
    const claims = [
      claim({ source: 'nvd', ratings: [rating(V31)] }),
      claim({ source: 'overrides', configurations: configurations([match('override')]) }),
      claim({ source: 'cve', ratings: [rating(V40, 'cna:maker')] }),
      claim({ source: 'ghsa', severityWord: 'MODERATE' }),
    ]
    const records = renderDetails({ score: chosen(rating(V31)), sources, claims })
    expect(Object.keys(records)).toEqual(sources)
    expect(records).toMatchObject({
      nvd: { vendor: 'nvd', metrics: { cvss_v31: { vectorString: V31 } }, affected_products: { total_cpe_count: 0 } },
      cve: { vendor: 'cve', metrics: { cvss_v31: null, cvss_v40: { vectorString: V40 } } },
      ghsa: { vendor: 'ghsa', metrics: { cvss_v31: null, severity: 'MEDIUM' } },
    })
  })
})

describe('Detail record: tags (decision E8)', () => {
  it("contains the source's tags, and no tags member if the source has none", () => {
    expect(renderDetail({ tags: [{ name: 'disputed', by: 'nvd' }] })).toMatchObject({ tags: ['disputed'] })
    expect(renderDetail({})).not.toHaveProperty('tags')
  })
})

describe('Detail record: title', () => {
  it("is the source's own, and absent if the source has none", () => {
    expect(renderDetail({ title: 'Overflow in the web server' })).toMatchObject({ title: 'Overflow in the web server' })
    expect(renderDetail({})).not.toHaveProperty('title')
    const [stated] = resolved([cve({ cna: { title: ' Overflow in the web server ' } })]).claims
    expect(stated?.title).toBe('Overflow in the web server')
  })
})

describe('Detail record: platforms', () => {
  it('are those to which the source limits the versions', () => {
    const entry = (platforms: readonly string[]) => ({ vendor: 'ExampleSoft', product: 'Router', platforms })
    const record = cve({ cna: { affected: [entry(['ARM64-based Systems']), entry(['n/a'])] } })
    const products = renderDetail({ ...resolved([record]).claims[0], source: 'nvd' })
    expect(products).toMatchObject({ affected_products: { products: [{ platforms: ['ARM64-based Systems'] }, {}] } })
    expect(JSON.stringify(products)).not.toContain('n/a')
  })
})

describe("Detail record: a vendor's statuses of products", () => {
  const product = (name: string, status: string, more: object = {}) => ({
    vendor: 'Red Hat',
    product: name,
    status,
    cpe: null,
    purl: 'pkg:rpm/redhat/lark',
    introduced: null,
    fixed: null,
    last_affected: null,
    ...more,
  })
  const products = [
    product('RHEL 9', 'affected', { state: 'will_not_fix' }),
    product('RHEL 8', 'under_investigation', { state: 'under_investigation' }),
    product('RHEL 7', 'not_affected'),
    product('RHEL 6', 'not_affected', { purl: null }),
  ]

  it('are served as the vendor states them, without making an unaffected product affected', () => {
    const record = resolved([vendor('redhat', { products })])
    expect(record.affected.map((each) => each.product)).toEqual(['RHEL 9'])
    const detail = renderDetails({ ...record, score: chosen(rating(V31)) })['redhat']
    expect(detail).toMatchObject({
      affected_products: {
        products: [
          { product: 'RHEL 9', affected: true, distribution_state: 'will_not_fix' },
          { product: 'RHEL 8', status_unknown: true, distribution_state: 'under_investigation', versions: [] },
          { product: 'RHEL 7', affected: false, versions: [{ affected: false, version: null }] },
          { product: 'RHEL 6', affected: false, package_url: null },
        ],
      },
    })
  })

  it('are left out of a rejected CVE', () => {
    const record = resolved([nvd({ vulnStatus: 'Rejected' }), vendor('redhat', { products })])
    expect(renderDetails({ ...record, score: chosen(rating(V31)) })['redhat']).toMatchObject({
      affected_products: { products: [] },
    })
  })
})

describe('Detail record: fixes', () => {
  it("renders the fixes from all sources in every source's detail record", () => {
    const time = '2026-08-02T00:00:00Z'
    const rivals = [{ version: '2.3', by: 'nvd', time, member: 'versionEndExcluding' as const }]
    const name = { vendor: 'npm', product: 'thing', packageUrl: 'pkg:npm/thing' }
    const fix = buildFix({ ...name, branch: '2', version: '2.4', by: 'ghsa', time: null, rivals })
    const claims = [claim({ source: 'nvd' }), claim({ source: 'cve' })]
    const records = renderDetails({ score: chosen(rating(V31)), sources: ['cve', 'nvd'], claims, fixes: [fix] })
    const rendered = {
      vendor: 'npm',
      product: 'thing',
      package_url: 'pkg:npm/thing',
      branch: '2',
      version: '2.4',
      is_commit: false,
      source: 'ghsa',
      time: null,
      rivals: [{ version: '2.3', source: 'nvd', time }],
    }
    expect(records).toMatchObject({ nvd: { fixes: [rendered] }, cve: { fixes: [rendered] } })
    expect(records).not.toMatchObject({ nvd: { fixes: [{ downstream: true }] } })
  })

  it('renders the sources that list a doubted version as affected as rivals with a mark', () => {
    const contradictedBy = [{ version: '2.5', by: 'cisa-adp', time: null }]
    const fix = buildFix({ version: '2.4', by: 'nvd', isDoubted: true, contradictedBy })
    const { nvd } = renderDetails({ score: chosen(rating(V31)), claims: [claim()], fixes: [fix] })
    expect(nvd).toMatchObject({
      fixes: [{ doubted: true, rivals: [{ version: '2.5', source: 'cisa-adp', time: null, affected: true }] }],
    })
  })

  it('marks a version that was read from a text', () => {
    const fixes = [buildFix({ isDerived: true }), buildFix({ version: '2.5' })]
    const { nvd } = renderDetails({ score: chosen(rating(V31)), claims: [claim()], fixes })
    expect(nvd).toMatchObject({ fixes: [{ derived: true }, {}] })
    expect(nvd).not.toMatchObject({ fixes: [{}, { derived: true }] })
  })

  it("marks the fixed versions of a distribution's packages", () => {
    const fixes = [buildFix({ rank: 'redistributed' })]
    const records = renderDetails({ score: chosen(rating(V31)), claims: [claim()], fixes })
    expect(records).toMatchObject({ nvd: { fixes: [{ downstream: true }] } })
  })

  it('says how many fixes are omitted, if any are', () => {
    const fixes = [buildFix()]
    const records = renderDetails({ score: chosen(rating(V31)), claims: [claim()], fixes, omittedFixes: 12 })
    expect(records['nvd']).toHaveProperty('fixes_omitted', 12)
    expect(renderDetails({ score: chosen(rating(V31)), claims: [claim()], fixes })['nvd']).not.toHaveProperty(
      'fixes_omitted',
    )
  })

  it('omits fixes if no structured data names a fixed version', () => {
    const records = renderDetails({ score: chosen(rating(V31)), claims: [claim()] })
    expect(records['nvd']).not.toHaveProperty('fixes')
  })
})

describe('Detail record: metrics', () => {
  it('renders the scores of every CVSS version, with subscores for CVSS 3.x', () => {
    expect(renderDetail({ ratings: [rating(V31), rating(V40), rating(V2)] })).toMatchObject({
      metrics: {
        cvss_v31: {
          version: '3.1',
          vectorString: V31,
          baseScore: 9.8,
          baseSeverity: 'CRITICAL',
          exploitabilityScore: 3.9,
          impactScore: 5.9,
        },
        cvss_v40: { version: '4.0', vectorString: V40, attackRequirements: 'PRESENT' },
        cvss_v2: { version: '2.0', vectorString: V2, baseScore: 6 },
        severity: 'CRITICAL',
      },
    })
  })

  it('marks subscores that the source does not state: only NVD has subscores', () => {
    const ratings = [rating(V31)]
    const sources = ['cve', 'nvd']
    const claims = [claim({ source: 'nvd', ratings }), claim({ source: 'cve', ratings })]
    const records = renderDetails({ score: chosen(rating(V31)), sources, claims })
    expect(records['cve']).toHaveProperty('metrics.cvss_v31.subscores_derived', true)
    expect(records['nvd']).not.toHaveProperty('metrics.cvss_v31.subscores_derived')
  })

  it('gives the score that a source states beside the one that its vector has', () => {
    const ratings = [{ ...rating(V31), statedScore: 9.2 }, rating(V40), { ...rating(V2), statedScore: null }]
    expect(renderDetail({ ratings })).toMatchObject({
      metrics: { cvss_v31: { baseScore: 9.8 }, stated_scores: [{ version: '3.1', stated_score: 9.2 }] },
    })
    expect(renderDetail({ ratings: [rating(V31)] })).not.toHaveProperty('metrics.stated_scores')
  })

  it("gives the source's word for the severity, even if its vector has another one", () => {
    expect(renderDetail({ ratings: [rating(V31)], severityWord: 'LOW' })).toMatchObject({
      metrics: { severity: 'CRITICAL', severity_word: 'LOW' },
    })
    expect(renderDetail({})).not.toHaveProperty('metrics.severity_word')
  })

  it('renders CVSS 2.0 severity terms for a source with only a CVSS 2.0 rating (decision E2)', () => {
    const ratings = [rating('AV:N/AC:L/Au:N/C:C/I:C/A:C')]
    expect(renderDetail({ ratings })).toMatchObject({ metrics: { severity: 'HIGH' } })
  })

  it('renders the CVSS 3.0 rating in cvss_v31 if there is no CVSS 3.1 rating', () => {
    expect(renderDetail({ ratings: [rating(V30)] })).toMatchObject({ metrics: { cvss_v31: { version: '3.0' } } })
    expect(renderDetail({ ratings: [rating(V30), rating(V31, 'cisa-adp')] })).toMatchObject({
      metrics: { cvss_v31: { version: '3.1' } },
    })
  })

  it('prefers ratings from NVD, then the CNA, then CISA within a CVSS version', () => {
    const other = 'CVSS:3.1/AV:L/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H'
    const ratings = [rating(V31, 'cisa-adp'), rating(other, 'cna:maker')]
    expect(renderDetail({ ratings })).toMatchObject({ metrics: { cvss_v31: { vectorString: other } } })
    expect(renderDetail({ ratings: [...ratings, rating(V31)] })).toMatchObject({
      metrics: { cvss_v31: { vectorString: V31 } },
    })
  })

  it('renders cvss_v31: null and omits optional members if there is no rating', () => {
    const record = renderDetail({ ratings: [rating(V40)] })
    expect(record).toMatchObject({ metrics: { cvss_v31: null } })
    expect(record).not.toHaveProperty('metrics.cvss_v2')
    expect(renderDetail({})).not.toHaveProperty('metrics.cvss_v40')
  })

  it.each([
    ['Important', 'HIGH'],
    ['Moderate', 'MEDIUM'],
    ['LOW', 'LOW'],
    ['whatever', null],
    [null, null],
  ])("maps the source's severity name %s to %s for a record without a score", (severityWord, severity) => {
    expect(renderDetail({ severityWord })).toMatchObject({ metrics: { severity } })
  })

  it('renders the exploitability that follows from the evidence of all sources', () => {
    expect(renderDetails({}, { exploits: [exploit('nuclei')] })).toMatchObject({
      nvd: { metrics: { exploitability: { score: 0.7, evidence: [expect.stringContaining('Nuclei')] } } },
    })
  })
})

describe('Detail record: technical_details', () => {
  it('renders the metrics of the CVSS 3.x rating, and the authentication metric of the CVSS 2.0 rating', () => {
    expect(renderDetail({ ratings: [rating(V40), rating(V2), rating(V31)] })).toMatchObject({
      technical_details: {
        attack_vector: 'NETWORK',
        attack_complexity: 'LOW',
        privileges_required: 'NONE',
        user_interaction: 'NONE',
        scope: 'UNCHANGED',
        authentication: 'SINGLE',
      },
    })
  })

  it('renders the metrics of the CVSS 4.0 rating if there is no CVSS 3.x rating', () => {
    expect(renderDetail({ ratings: [rating(V2), rating(V40)] })).toMatchObject({
      technical_details: { attack_vector: 'ADJACENT', user_interaction: 'PASSIVE', scope: null },
    })
  })

  it('renders the metrics of a CVSS 2.0 rating if it is the only one, and null for metrics that CVSS 2.0 lacks', () => {
    expect(renderDetail({ ratings: [rating(V2)] })).toMatchObject({
      technical_details: {
        attack_vector: 'NETWORK',
        attack_complexity: 'MEDIUM',
        privileges_required: null,
        user_interaction: null,
        scope: null,
        authentication: 'SINGLE',
      },
    })
  })

  it('renders null for all metrics if there is no rating', () => {
    expect(renderDetail({})).toMatchObject({ technical_details: { attack_vector: null, authentication: null } })
  })

  it('renders the names of the CWE weaknesses in the numeric order of their ids', () => {
    const weaknesses = ['CWE-400', 'CWE-79', 'CWE-400'].map((id) => ({ id, by: 'nvd' }))
    const known = { weaknesses: new Map([['CWE-79', { name: 'A name', description: 'A description.' }]]) }
    expect(renderDetail({ weaknesses }, known)).toMatchObject({
      technical_details: {
        cwe: [
          { id: 'CWE-79', name: 'A name', description: 'A description.' },
          { id: 'CWE-400', name: null, description: null },
        ],
      },
    })
  })
})
