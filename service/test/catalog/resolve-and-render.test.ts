// From the records of the sources to what is published: resolving and rendering together.
import { describe, expect, it } from 'vitest'
import type { Facts, RecordFact } from '../../src/catalog/model/source-data.ts'
import { render } from '../../src/catalog/render/render.ts'
import { cisa, configurations, cve, facts, kevEntry, match, nvd, resolved, ssvc, VECTORS, vendor } from './builders.ts'
import { knowledge } from './records.ts'
import { expectPromised } from './schema-assertions.ts'

function concluded(records: readonly RecordFact[], more: Partial<Facts> = {}) {
  const given = render(facts(records, more), resolved(records, more), knowledge())
  expectPromised(given)
  return given
}

const enrichment = (records: readonly RecordFact[], more: Partial<Facts> = {}): unknown =>
  JSON.parse(concluded(records, more).fragments.enrichment)

const scored = {
  metrics: {
    cvssMetricV31: [
      { source: 'nvd@nist.gov', type: 'Primary', cvssData: { vectorString: VECTORS['9.8'], baseScore: 9.8 } },
    ],
  },
}
const link = { url: 'https://example.org/fix', source: 'security@apache.org' }

describe('patch_available', () => {
  it.each<[string, RecordFact]>([
    ['a reference tagged Patch', nvd({ ...scored, references: [{ ...link, tags: ['Patch'] }] })],
    [
      'a CPE versionEndExcluding',
      nvd({ configurations: configurations(match('teapot', { versionEndExcluding: '2' })) }),
    ],
    [
      'a CNA lessThan',
      cve({
        cna: {
          affected: [{ vendor: 'a', product: 'b', versions: [{ version: '0', lessThan: '2', status: 'affected' }] }],
        },
      }),
    ],
  ])('is true for %s', (_what, record) => {
    expect(enrichment([record])).toMatchObject({ patch_available: true })
    expect(concluded([record]).columns.hasPatch).toBe(true)
  })

  it('is true for a version that GHSA says is fixed', () => {
    const products = [
      {
        vendor: 'npm',
        product: 'teapot',
        status: 'affected',
        cpe: null,
        purl: null,
        introduced: '1',
        fixed: '2',
        last_affected: null,
      },
    ]
    expect(enrichment([nvd(), vendor('ghsa', { products })])).toMatchObject({ patch_available: true })
  })

  it('is false for other references', () => {
    expect(enrichment([nvd({ ...scored, references: [link] })])).toMatchObject({ patch_available: false })
  })
})

describe('A CVE of several sources', () => {
  const records = [
    nvd(scored),
    cve({
      cna: { problemTypes: [{ descriptions: [{ lang: 'en', cweId: 'CWE-79' }] }] },
      adp: [cisa({ metrics: [ssvc('active')] })],
    }),
    vendor('ghsa', { scores: [{ vector: VECTORS['7.5'], base_score: 7.5 }] }),
  ]

  it('has the conclusions of all of them', () => {
    expect(enrichment(records)).toMatchObject({
      cvss_source: 'nvd',
      cvss_vector: VECTORS['9.8'],
      cwe_list: ['CWE-79'],
      exploit_flag: true,
      vendor_tags: ['cve', 'ghsa', 'nvd'],
    })
  })

  it('has a detail record of each, with what that one says', () => {
    const { details } = concluded(records)
    const parsed: unknown = Object.fromEntries(details.map(({ source, record }) => [source, JSON.parse(record)]))
    expect(parsed).toMatchObject({
      nvd: {
        metrics: { cvss_v31: { baseScore: 9.8 }, exploitability: { score: 0.9 } },
        technical_details: { cwe: [] },
      },
      cve: { metrics: { cvss_v31: null }, technical_details: { cwe: [{ id: 'CWE-79' }] } },
      ghsa: { metrics: { cvss_v31: { baseScore: 7.5 } } },
    })
  })

  it('is published the same in whatever order the records come', () => {
    expect(concluded(records.toReversed())).toEqual(concluded(records))
  })
})

describe('A CVE that is known to KEV alone', () => {
  it('is a stub, whatever weaknesses CISA names', () => {
    const { fragments, columns, details } = concluded([], { kev: kevEntry() })
    expect(fragments).toMatchObject({
      source_tag: '"kev"',
      status: '"Received"',
      enrichment_status: '"pending"',
      published: 'null',
      description: 'null',
      enrichment: 'null',
    })
    expect(columns).toMatchObject({ inKev: true, sources: [] })
    expect(details).toEqual([])
  })
})
