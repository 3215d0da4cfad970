// Tests the whole way from source records to the published CVE: merging the records and rendering the result as JSON.
import { describe, expect, it } from 'vitest'
import type { SourceData, SourceRecord } from '../../src/catalog/model/source-data.ts'
import { render } from '../../src/catalog/render/render.ts'
import {
  cisa,
  configurations,
  cve,
  kevEntry,
  match,
  nvd,
  resolved,
  sourceData,
  ssvc,
  VECTORS,
  vendor,
} from './builders.ts'
import { referenceData } from './records.ts'
import { expectValidCve } from './schema-assertions.ts'

function resolveAndRender(records: readonly SourceRecord[], more: Partial<SourceData> = {}) {
  const given = render(sourceData(records, more), resolved(records, more), referenceData())
  expectValidCve(given)
  return given
}

const enrichment = (records: readonly SourceRecord[], more: Partial<SourceData> = {}): unknown =>
  JSON.parse(resolveAndRender(records, more).fragments.enrichment)

const scored = {
  metrics: {
    cvssMetricV31: [
      { source: 'nvd@nist.gov', type: 'Primary', cvssData: { vectorString: VECTORS['9.8'], baseScore: 9.8 } },
    ],
  },
}
const link = { url: 'https://example.org/fix', source: 'security@apache.org' }

describe('Resolve and render: patch_available', () => {
  it.each<[string, SourceRecord]>([
    ['a reference tagged Patch', nvd({ ...scored, references: [{ ...link, tags: ['Patch'] }] })],
    [
      'a CPE match with versionEndExcluding',
      nvd({ configurations: configurations(match('router', { versionEndExcluding: '2' })) }),
    ],
    [
      'a version range of a CNA with lessThan',
      cve({
        cna: {
          affected: [{ vendor: 'a', product: 'b', versions: [{ version: '0', lessThan: '2', status: 'affected' }] }],
        },
      }),
    ],
  ])('sets patch_available for %s', (_name, record) => {
    expect(enrichment([record])).toMatchObject({ patch_available: true })
    expect(resolveAndRender([record]).search.hasPatch).toBe(true)
  })

  it('sets patch_available for a version that GHSA lists as fixed', () => {
    const products = [
      {
        vendor: 'npm',
        product: 'router',
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

  it('does not set patch_available for a reference without the tag Patch', () => {
    expect(enrichment([nvd({ ...scored, references: [link] })])).toMatchObject({ patch_available: false })
  })
})

describe('Resolve and render: CVE with records of several sources', () => {
  const records = [
    nvd(scored),
    cve({
      cna: { problemTypes: [{ descriptions: [{ lang: 'en', cweId: 'CWE-79' }] }] },
      adp: [cisa({ metrics: [ssvc('active')] })],
    }),
    vendor('ghsa', { scores: [{ vector: VECTORS['7.5'], base_score: 7.5 }] }),
  ]

  it('merges the values of all sources into the enrichment', () => {
    expect(enrichment(records)).toMatchObject({
      cvss_source: 'nvd',
      cvss_vector: VECTORS['9.8'],
      cwe_list: ['CWE-79'],
      exploit_flag: true,
      vendor_tags: ['cve', 'ghsa', 'nvd'],
    })
  })

  it('renders one detail record per source from the data of that source', () => {
    const { details } = resolveAndRender(records)
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

  it('renders the same CVE for every order of the source records', () => {
    expect(resolveAndRender(records.toReversed())).toEqual(resolveAndRender(records))
  })
})

describe('Resolve and render: CVE that only KEV lists', () => {
  it('renders the status Received, the text and date of KEV, and no detail record (decision D18)', () => {
    const { fragments, search, details } = resolveAndRender([], { kev: kevEntry() })
    expect(fragments).toMatchObject({
      source_tag: '"kev"',
      status: '"Received"',
      enrichment_status: '"pending"',
      published: '"2026-08-02T00:00:00Z"',
      description: '"A malformed packet restarts the router."',
      enrichment: 'null',
    })
    expect(search).toMatchObject({ inKev: true, sources: [] })
    expect(details).toEqual([])
  })

  it('counts the CVE as enriched if KEV names a weakness (decision C14)', () => {
    const { fragments } = resolveAndRender([], { kev: kevEntry({ cwes: ['CWE-20'] }) })
    expect(fragments.enrichment_status).toBe('"enriched"')
    expect(JSON.parse(fragments.enrichment)).toMatchObject({ cwe_list: ['CWE-20'], exploit_flag: false })
  })
})
