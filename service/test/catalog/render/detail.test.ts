import { describe, expect, it } from 'vitest'
import type { Statement } from '../../../src/catalog/model/claim.ts'
import type { Resolved } from '../../../src/catalog/model/resolved.ts'
import type { Facts, Knowledge } from '../../../src/catalog/model/source-data.ts'
import {
  chosen,
  configurations,
  cpe,
  exploit,
  kev,
  match,
  published,
  rating,
  statement,
  V2,
  V30,
  V31,
  V40,
} from '../records.ts'

const LOW = { score: chosen(rating(V30)) }

function details(resolved: Partial<Resolved>, facts: Partial<Facts> = {}) {
  return published({ resolved: { statements: [statement()], ...resolved }, facts }).details
}

/** The record of NVD, of a CVE that qualifies. */
function detail(said: Partial<Statement>, knowledge: Partial<Knowledge> = {}): unknown {
  const resolved = { score: chosen(rating(V31)), statements: [statement(said)] }
  return published({ resolved, knowledge }).details['nvd']
}

const many = (count: number) => Array.from({ length: count }, (_, index) => match(`thing_${index}`))

describe('Detailed data exists', () => {
  it.each<[string, Partial<Resolved>, Partial<Facts>]>([
    ['CVSS >= 7.0', { score: chosen({ ...rating(V31), score: 7.0 }) }, {}],
    ['an entry of KEV', LOW, { kev: kev() }],
    ['exploit evidence', LOW, { exploits: [exploit('poc')] }],
    ['50 CPE matches', { ...LOW, cpe: cpe(many(50)) }, {}],
    ['EPSS of 0.1', LOW, { epssScore: 0.1 }],
  ])('for CVEs with %s', (_what, resolved, facts) => {
    expect(Object.keys(details(resolved, facts))).toEqual(['nvd'])
  })

  it.each<[string, Partial<Resolved>, Partial<Facts>]>([
    ['CVSS of 6.9', { score: chosen({ ...rating(V31), score: 6.9 }) }, {}],
    ['an entry that KEV has removed', LOW, { kev: kev({ removedAt: new Date() }) }],
    ['49 CPE matches', { ...LOW, cpe: cpe(many(49)) }, {}],
    ['EPSS of 0.09999', LOW, { epssScore: 0.09999 }],
    ['nothing', {}, {}],
  ])('not for CVEs with %s', (_what, resolved, facts) => {
    expect(details(resolved, facts)).toEqual({})
  })

  it('for each source that holds a record, and is what that source says', () => {
    const sources = ['cve', 'ghsa', 'nvd']
    const statements = [
      statement({ source: 'nvd', ratings: [rating(V31)] }),
      statement({ source: 'overrides', configurations: configurations([match('override')]) }),
      statement({ source: 'cve', ratings: [rating(V40, 'cna:maker')] }),
      statement({ source: 'ghsa', severityWord: 'MODERATE' }),
    ]
    const records = details({ score: chosen(rating(V31)), sources, statements })
    expect(Object.keys(records)).toEqual(sources)
    expect(records).toMatchObject({
      nvd: { vendor: 'nvd', metrics: { cvss_v31: { vectorString: V31 } }, affected_products: { total_cpe_count: 0 } },
      cve: { vendor: 'cve', metrics: { cvss_v31: null, cvss_v40: { vectorString: V40 } } },
      ghsa: { vendor: 'ghsa', metrics: { cvss_v31: null, severity: 'MEDIUM' } },
    })
  })
})

describe('metrics of a detail record', () => {
  it('have the scores of every version, with their parts', () => {
    expect(detail({ ratings: [rating(V31), rating(V40), rating(V2)] })).toMatchObject({
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

  it('have 3.0 in cvss_v31 where there is no 3.1', () => {
    expect(detail({ ratings: [rating(V30)] })).toMatchObject({ metrics: { cvss_v31: { version: '3.0' } } })
    expect(detail({ ratings: [rating(V30), rating(V31, 'cisa-adp')] })).toMatchObject({
      metrics: { cvss_v31: { version: '3.1' } },
    })
  })

  it('prefer NVD to the CNA and the CNA to CISA within a version', () => {
    const other = 'CVSS:3.1/AV:L/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H'
    const ratings = [rating(V31, 'cisa-adp'), rating(other, 'cna:maker')]
    expect(detail({ ratings })).toMatchObject({ metrics: { cvss_v31: { vectorString: other } } })
    expect(detail({ ratings: [...ratings, rating(V31)] })).toMatchObject({
      metrics: { cvss_v31: { vectorString: V31 } },
    })
  })

  it('have null for cvss_v31 when v4-only, and leave out what is optional', () => {
    const record = detail({ ratings: [rating(V40)] })
    expect(record).toMatchObject({ metrics: { cvss_v31: null } })
    expect(record).not.toHaveProperty('metrics.cvss_v2')
    expect(detail({})).not.toHaveProperty('metrics.cvss_v40')
  })

  it.each([
    ['Important', 'HIGH'],
    ['Moderate', 'MEDIUM'],
    ['LOW', 'LOW'],
    ['whatever', null],
    [null, null],
  ])('without a score take the severity from the word of the source: %s', (severityWord, severity) => {
    expect(detail({ severityWord })).toMatchObject({ metrics: { severity } })
  })

  it('say how far exploitation has come, by all sources together', () => {
    expect(details({}, { exploits: [exploit('nuclei')] })).toMatchObject({
      nvd: { metrics: { exploitability: { score: 0.7, evidence: [expect.stringContaining('Nuclei')] } } },
    })
  })
})

describe('technical_details', () => {
  it('have the words of version 3 first, and authentication of version 2', () => {
    expect(detail({ ratings: [rating(V40), rating(V2), rating(V31)] })).toMatchObject({
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

  it('have the words of version 4 where there is no version 3', () => {
    expect(detail({ ratings: [rating(V2), rating(V40)] })).toMatchObject({
      technical_details: { attack_vector: 'ADJACENT', user_interaction: 'PASSIVE', scope: null },
    })
  })

  it('have the words of version 2 where there is no other, and null for what it does not know', () => {
    expect(detail({ ratings: [rating(V2)] })).toMatchObject({
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

  it('are null without any score', () => {
    expect(detail({})).toMatchObject({ technical_details: { attack_vector: null, authentication: null } })
  })

  it('name weaknesses as the catalogue of them does, in the order of their numbers', () => {
    const weaknesses = ['CWE-400', 'CWE-79', 'CWE-400'].map((id) => ({ id, by: 'nvd' }))
    const known = { weaknesses: new Map([['CWE-79', { name: 'A name', description: 'A description.' }]]) }
    expect(detail({ weaknesses }, known)).toMatchObject({
      technical_details: {
        cwe: [
          { id: 'CWE-79', name: 'A name', description: 'A description.' },
          { id: 'CWE-400', name: null, description: null },
        ],
      },
    })
  })
})
