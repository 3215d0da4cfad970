import { describe, expect, it } from 'vitest'
import type { SourceData, SourceRecord } from '../../../src/catalog/model/source-data.ts'
import { render } from '../../../src/catalog/render/render.ts'
import { resolve } from '../../../src/catalog/resolve/resolve.ts'
import { expandSources } from '../../../src/contract/record/add-ons/sources.ts'
import { getFieldSchema } from '../../../src/contract/record/cve-fields.ts'
import {
  CISA,
  cisa,
  configurations,
  cve,
  kevEntry,
  match,
  notice,
  nvd,
  nvdRating,
  override,
  sourceData,
  ssvc,
  VECTORS,
  vendor,
} from '../builders.ts'
import { euKevEntry, exploit, referenceData } from '../records.ts'
import { expectValid } from '../schema-assertions.ts'

const NVD = { source: 'nvd', time: '2026-08-10T09:30:00Z' }
const CNA = { source: 'cna:apache', time: '2026-08-05T00:00:00Z' }
const GHSA = { source: 'ghsa', time: '2026-07-05T00:00:00Z' }

/** Renders the CVE as the publisher does and returns its sources as the API serves them. */
function readSources(records: readonly SourceRecord[], more: Partial<SourceData> = {}, techniques: string[] = []) {
  const given = sourceData(records, more)
  const resolved = resolve(given)
  if (resolved === undefined) throw new Error('the source data resolve to no record')
  const { fragments } = render(given, resolved, referenceData({ activeTechniques: new Set(techniques) }))
  const text = expandSources(fragments.sources, null)
  expectValid(getFieldSchema('sources', 'single'), text, 'sources')
  return JSON.parse(text)
}

describe('Sources of a CVE (decision E15)', () => {
  it('name the source and time of each value, and give other texts in full', () => {
    const sources = readSources([nvd(), cve()])
    expect(sources.description).toEqual({ stated_by: [NVD], others: [{ ...CNA, value: 'Description by the CNA.' }] })
    expect(sources.published).toEqual({
      stated_by: [{ ...NVD, value: '2026-07-01T10:15:20Z' }],
      others: [{ ...CNA, value: '2026-06-30T08:00:00Z' }],
    })
    expect(sources.status).toEqual({ stated_by: [NVD] })
    expect(sources.modified).toEqual({ stated_by: [NVD], others: [{ source: 'cve', time: CNA.time }] })
    expect(sources.source_tag).toEqual({ stated_by: [{ ...NVD, value: 'nvd' }], others: [{ ...CNA, value: 'cve' }] })
  })

  it('mark a status that no source states as derived by rules', () => {
    const derived = { source: 'rules', derived: true }
    expect(readSources([cve()]).status).toEqual({ stated_by: [derived] })
    expect(readSources([], { kev: kevEntry() }).status).toEqual({ stated_by: [derived] })
    const rejected = nvd({ vulnStatus: 'Rejected' }, '2026-08-01T00:00:00Z')
    expect(readSources([rejected, cve()]).status).toEqual({
      stated_by: [{ ...derived, value: 'Received' }],
      others: [{ source: 'nvd', time: '2026-08-01T00:00:00Z', value: 'Rejected' }],
    })
  })

  it('list a source with an identical text as agreeing, without repeating the text', () => {
    const same = cve({ cna: { descriptions: [{ lang: 'en', value: 'Description by NVD.' }] } })
    expect(readSources([nvd(), same]).description).toEqual({ stated_by: [NVD, CNA] })
  })

  it('list sources that were changed at the same time as agreeing', () => {
    const sameTime = override([], '2026-08-10T09:30:00Z')
    expect(readSources([nvd(), sameTime, cve()]).modified).toEqual({
      stated_by: [{ ...NVD, source: 'anchore' }, NVD],
      others: [{ source: 'cve', time: CNA.time }],
    })
  })

  it('list a statement once, however many advisories of its source repeat it', () => {
    const advisories = ['GHSA-1', 'GHSA-2', 'GHSA-3'].map((id) => vendor('ghsa', { advisories: [id] }))
    const older = vendor('ghsa', { advisories: ['GHSA-4'] }, '2026-07-04T00:00:00Z')
    const sources = readSources([nvd(), ...advisories, older])
    expect(sources.source_tag.others).toEqual([{ ...GHSA, value: 'ghsa' }])
    expect(sources.published.others).toEqual([{ ...GHSA, value: '2026-07-04T00:00:00Z' }])
    expect(sources.severity_word.stated_by).toEqual([{ ...GHSA, value: 'HIGH' }])
    expect(sources.modified.others).toEqual([GHSA, { ...GHSA, time: '2026-07-04T00:00:00Z' }])
  })

  it('name the CVSS version of the score, and every other score with its vector', () => {
    const rated = nvd({
      metrics: {
        cvssMetricV31: [nvdRating('nvd@nist.gov', VECTORS['9.8'], 9.6, 'Primary')],
        cvssMetricV2: [nvdRating('nvd@nist.gov', VECTORS['2.0 10.0'], 10, 'Primary')],
      },
    })
    const byCna = cve({ cna: { metrics: [{ cvssV3_1: { vectorString: VECTORS['7.5'], baseScore: 7.5 } }] } })
    const sources = readSources([rated, byCna])
    expect(sources.severity).toEqual({ stated_by: [{ ...NVD, version: '3.1', stated_score: 9.6 }] })
    expect(sources.cvss_v3_1).toEqual({
      stated_by: [{ ...NVD, version: '3.1', score: 9.8, vector: VECTORS['9.8'], stated_score: 9.6 }],
      others: [{ ...CNA, version: '3.1', score: 7.5, vector: VECTORS['7.5'] }],
    })
    expect(sources.cvss_v2_0).toEqual({
      stated_by: [{ ...NVD, version: '2.0', score: 10, vector: VECTORS['2.0 10.0'] }],
    })
    expect(sources).not.toHaveProperty('cvss_v4_0')
  })

  it('list a score with equal base metrics as agreeing, and give its vector if that has further metrics', () => {
    const rated = nvd({ metrics: { cvssMetricV31: [nvdRating('nvd@nist.gov', VECTORS['7.5'], 7.5, 'Primary')] } })
    const temporal = `${VECTORS['7.5']}/E:P/RL:O/RC:C`
    const byCna = cve({ cna: { metrics: [{ cvssV3_1: { vectorString: temporal, baseScore: 7.5 } }] } })
    const sources = readSources([rated, byCna])
    expect(sources.cvss_v3_1).toEqual({ stated_by: [NVD, { ...CNA, vector: temporal }] })
    expect(sources).not.toHaveProperty('disagreements')
  })

  it('say in words about what the sources disagree', () => {
    const rated = nvd({ metrics: { cvssMetricV31: [nvdRating('nvd@nist.gov', VECTORS['9.8'], 9.8, 'Primary')] } })
    const byCna = cve({ cna: { metrics: [{ cvssV3_1: { vectorString: VECTORS['7.5'], baseScore: 7.5 } }] } })
    expect(readSources([rated, byCna]).disagreements).toEqual([
      {
        about: 'cvss_v3_1',
        subject: 'score',
        text: 'The sources give different severity levels by CVSS 3.x: NVD 9.8 (critical); Apache 7.5 (high).',
      },
    ])
  })

  it('show a severity in words only for a CVE without a score', () => {
    const advisory = vendor('ghsa', { severity: 'MODERATE' })
    expect(readSources([nvd(), advisory]).severity_word).toEqual({ stated_by: [{ ...GHSA, value: 'MODERATE' }] })
    const rated = nvd({ metrics: { cvssMetricV31: [nvdRating('nvd@nist.gov', VECTORS['9.8'], 9.8, 'Primary')] } })
    expect(readSources([rated, advisory])).not.toHaveProperty('severity_word')
  })

  it('show the severity of a Nuclei template, but no rank of another exploit, for a CVE without a score', () => {
    const exploits = [exploit('nuclei', { rank: 'critical' }), exploit('metasploit', { rank: 'excellent' })]
    expect(readSources([nvd()], { exploits }).severity_word).toEqual({
      stated_by: [{ source: 'nuclei', value: 'critical' }],
    })
    const rejected = nvd({ vulnStatus: 'Rejected' })
    expect(readSources([rejected], { exploits })).not.toHaveProperty('severity_word')
    const rated = nvd({ metrics: { cvssMetricV31: [nvdRating('nvd@nist.gov', VECTORS['9.8'], 9.8, 'Primary')] } })
    expect(readSources([rated], { exploits })).not.toHaveProperty('severity_word')
  })

  it('give a CNA rating that NVD repeats the time of the CVE List record', () => {
    const repeated = nvd({ metrics: { cvssMetricV31: [nvdRating('security@apache.org', VECTORS['7.5'], 7.5)] } })
    const own = cve({ cna: { metrics: [{ cvssV3_1: { vectorString: VECTORS['7.5'], baseScore: 7.5 } }] } })
    expect(readSources([repeated, own]).cvss_v3_1).toEqual({ stated_by: [CNA] })
  })

  it('give CISA values that appear only in NVD the time of the NVD record', () => {
    const copied = nvd({
      metrics: { cvssMetricV31: [nvdRating(CISA, VECTORS['9.8'], 9.8)] },
      weaknesses: [{ source: CISA, description: [{ lang: 'en', value: 'CWE-94' }] }],
    })
    const newer = cve({ adp: [cisa({ metrics: [ssvc('poc')] })] }, '2026-09-01T00:00:00Z')
    const copy = { ...NVD, source: 'cisa-adp' }
    const sources = readSources([copied, newer])
    expect(sources.severity).toEqual({ stated_by: [{ ...copy, version: '3.1' }] })
    expect(sources.cvss_v3_1).toEqual({ stated_by: [copy] })
    expect(sources.weaknesses).toEqual({ stated_by: [{ ...copy, cwe_list: ['CWE-94'] }] })
  })

  it('list a replaced CNA rating below the new one, with the time of the NVD record', () => {
    const copied = nvd({ metrics: { cvssMetricV31: [nvdRating('security@apache.org', VECTORS['9.8'], 9.8)] } })
    const metrics = [{ cvssV3_1: { vectorString: VECTORS['7.5'], baseScore: 7.5 } }]
    const newer = cve({ cna: { metrics } }, '2026-09-01T00:00:00Z')
    expect(readSources([copied, newer]).cvss_v3_1).toEqual({
      stated_by: [
        { source: 'cna:apache', time: '2026-09-01T00:00:00Z', version: '3.1', score: 7.5, vector: VECTORS['7.5'] },
      ],
      others: [{ ...NVD, source: 'cna:apache', version: '3.1', score: 9.8, vector: VECTORS['9.8'] }],
    })
  })

  it("list each source's weaknesses, in order of precedence", () => {
    const weaknesses = [
      { source: 'nvd@nist.gov', description: [{ lang: 'en', value: 'CWE-79' }] },
      {
        source: 'security@apache.org',
        description: [
          { lang: 'en', value: 'CWE-79' },
          { lang: 'en', value: 'CWE-80' },
        ],
      },
    ]
    expect(readSources([nvd({ weaknesses }), cve()]).weaknesses).toEqual({
      stated_by: [
        { ...NVD, cwe_list: ['CWE-79'] },
        { ...NVD, source: 'cna:apache', cwe_list: ['CWE-79', 'CWE-80'] },
      ],
    })
  })

  it("list each source's tags", () => {
    const descriptions = [{ lang: 'en', value: '** DISPUTED ** Description by NVD.' }]
    const cveTags = [{ sourceIdentifier: 'security@apache.org', tags: ['unsupported-when-assigned'] }]
    const tagged = cve({ cna: { tags: ['disputed', 'unsupported-when-assigned'] } })
    expect(readSources([nvd({ descriptions, cveTags }), tagged]).tags).toEqual({
      stated_by: [
        { ...CNA, tags: ['disputed', 'unsupported-when-assigned'] },
        { ...NVD, tags: ['disputed'] },
      ],
    })
    expect(readSources([nvd({ cveTags })]).tags).toEqual({
      stated_by: [{ ...NVD, source: 'cna:apache', tags: ['unsupported-when-assigned'] }],
    })
    expect(readSources([nvd(), cve()])).not.toHaveProperty('tags')
  })

  it('count the CPE matches from other sources and mark derived matches', () => {
    const anchore = override(configurations(match('router'), match('switch')))
    expect(readSources([nvd({ configurations: configurations(match('router')) }), anchore]).cpe).toEqual({
      stated_by: [{ ...NVD, count: 1 }],
      others: [{ source: 'anchore', time: '2026-07-20T00:00:00Z', count: 2 }],
    })
    const versions = [{ version: '1', status: 'affected' }]
    const byName = cve({ cna: { affected: [{ vendor: 'ExampleSoft', product: 'Router', versions }] } })
    const sources = readSources([byName])
    expect(sources.cpe).toEqual({ stated_by: [{ ...CNA, derived: true }] })
    expect(sources.products).toEqual({ stated_by: [{ ...CNA, count: 1 }] })
    const both = readSources([nvd({ configurations: configurations(match('router')) }), byName])
    expect(both.cpe).toEqual({ stated_by: [{ ...NVD, count: 1 }], others: [{ ...CNA, count: 1, derived: true }] })
  })

  it("count each organisation's references", () => {
    const linked = cve({ cna: { references: [{ url: 'https://a.example' }, { url: 'https://b.example' }] } })
    expect(readSources([linked]).references).toEqual({ stated_by: [{ source: 'apache', time: CNA.time, count: 2 }] })
  })

  it('give references the time of the record that contains them, although another source has the same name', () => {
    const linked = cve({
      cna: { providerMetadata: { shortName: 'redhat' }, references: [{ url: 'https://a.example' }] },
    })
    expect(readSources([linked, vendor('redhat')]).references).toEqual({
      stated_by: [{ source: 'redhat', time: CNA.time, count: 1 }],
    })
  })

  it('give an undated assessment the time of its record', () => {
    const content = { options: [{ Exploitation: 'poc' }] }
    const assessed = cve({ adp: [cisa({ metrics: [{ other: { type: 'ssvc', content } }] })] })
    expect(readSources([assessed]).exploitation).toEqual({
      stated_by: [{ source: 'cisa-adp', time: CNA.time, value: 'poc' }],
    })
  })

  it('show the SSVC exploitation with the date of the assessment', () => {
    const assessed = cve({ adp: [cisa({ metrics: [ssvc('poc')] })] })
    expect(readSources([assessed]).exploitation).toEqual({
      stated_by: [{ source: 'cisa-adp', date: '2026-07-03', value: 'poc' }],
    })
  })

  it('show which source names a fix', () => {
    const fixed = nvd({ configurations: configurations(match('router', { versionEndExcluding: '2.1' })) })
    expect(readSources([fixed]).fix).toEqual({
      stated_by: [{ ...NVD, value: 'versionEndExcluding 2.1', product: 'router' }],
    })
    const references = [{ url: 'https://example.org/fix', tags: ['patch'] }]
    const linked = cve({ adp: [{ providerMetadata: { shortName: 'CVE' }, references }] })
    expect(readSources([linked]).fix).toEqual({
      stated_by: [{ source: 'CVE', time: CNA.time, value: 'Patch https://example.org/fix' }],
    })
    const euKev = euKevEntry({ dateListed: '2026-08-18', patchedSince: '2026-08-01' })
    expect(readSources([nvd()], { euKev }).fix).toEqual({
      stated_by: [{ source: 'eu-kev', date: '2026-08-18', value: 'patchedSince 2026-08-01' }],
    })
  })

  it("give a CNA's fix, products and references that NVD repeats the time of the CVE List record", () => {
    const range = { version: '0', lessThan: '2.4', status: 'affected', versionType: 'custom' }
    const affected = [{ vendor: 'ExampleSoft', product: 'Router', versions: [range] }]
    const copied = nvd({
      affected: [{ source: 'security@apache.org', affectedData: affected }],
      references: [{ url: 'https://a.example', source: 'security@apache.org' }],
    })
    const own = cve({ cna: { affected, references: [{ url: 'https://a.example' }] } })
    const fix = { value: 'lessThan 2.4', product: 'Router' }
    expect(readSources([copied]).fix).toEqual({ stated_by: [{ ...NVD, source: 'cna:apache', ...fix }] })
    const sources = readSources([copied, own])
    expect(sources.fix).toEqual({ stated_by: [{ ...CNA, ...fix }] })
    expect(sources.products).toEqual({ stated_by: [{ ...CNA, count: 1 }] })
    expect(sources.cpe).toEqual({ stated_by: [{ ...CNA, derived: true }] })
    expect(sources.references).toEqual({ stated_by: [{ ...CNA, source: 'apache', count: 1 }] })
  })

  it('show KEV, notices, exploits and curated techniques with their dates', () => {
    const item = { id: '1', title: 'a/b', url: 'https://a.example', rank: null, firstSeen: null }
    const sources = readSources(
      [nvd()],
      {
        kev: kevEntry(),
        notices: [notice('2026-08-01T00:00:00Z')],
        exploits: [
          { ...item, feed: 'poc', published: '2026-08-03' },
          { ...item, feed: 'poc', published: '2026-08-04', id: '2' },
          { ...item, feed: 'nuclei', published: null },
        ],
        mappings: [{ techniqueId: 'T1190' }],
      },
      ['T1190'],
    )
    expect(sources.kev).toEqual({ stated_by: [{ source: 'cisa-kev', date: '2026-08-02' }] })
    expect(sources.acsc).toEqual({ stated_by: [{ source: 'acsc', time: '2026-08-01T00:00:00Z', count: 1 }] })
    expect(sources.exploits).toEqual({
      stated_by: [
        { source: 'nuclei', count: 1 },
        { source: 'poc', date: '2026-08-04', count: 2 },
      ],
    })
    expect(sources.attack).toEqual({ stated_by: [{ source: 'attack-mapping', count: 1 }] })
  })

  it('show a removed KEV entry as another statement, because the record has none', () => {
    const kev = kevEntry({ removedAt: new Date('2026-08-09T00:00:00Z') })
    expect(readSources([nvd()], { kev }).kev).toEqual({
      stated_by: [],
      others: [{ source: 'cisa-kev', date: '2026-08-02', removed_at: '2026-08-09T00:00:00Z' }],
    })
  })

  it('start with KEV for a CVE that only KEV lists', () => {
    const sources = readSources([], { kev: kevEntry() })
    expect(sources.source_tag).toEqual({ stated_by: [{ source: 'cisa-kev', date: '2026-08-02' }] })
    expect(sources.description).toEqual({ stated_by: [{ source: 'cisa-kev', date: '2026-08-02' }] })
  })

  it('give each of several advisories from one source its own time', () => {
    const older = vendor('ghsa', { description: 'An older text.' }, '2026-06-01T00:00:00Z')
    expect(readSources([nvd(), vendor('ghsa'), older]).description.others).toEqual([
      { ...GHSA, value: 'Description by ghsa.' },
      { source: 'ghsa', time: '2026-06-01T00:00:00Z', value: 'An older text.' },
    ])
  })

  it('list equal texts in several advisories from one source once, with the time of the newest advisory', () => {
    const same = vendor('ghsa', {}, '2026-06-01T00:00:00Z')
    expect(readSources([nvd(), vendor('ghsa'), same]).description.others).toEqual([
      { ...GHSA, value: 'Description by ghsa.' },
    ])
  })

  it('limit the statements about a value to 20 and count the remaining ones', () => {
    const advisories = Array.from({ length: 25 }, (_, at) => vendor('ghsa', { description: `Text ${at}.` }))
    const { description } = readSources([nvd(), ...advisories])
    expect([description.others.length, description.omitted]).toEqual([20, 5])
  })
})
