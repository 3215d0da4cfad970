import { describe, expect, it } from 'vitest'
import { render } from '../../../src/catalog/render/render.ts'
import {
  chosen,
  claim,
  configurations,
  cpe,
  exploit,
  kev,
  match,
  notice,
  published,
  rating,
  reference,
  referenceData,
  resolved,
  sourceData,
  V31,
} from '../records.ts'

describe('CVE rendering: cpe', () => {
  it('omits the version limits of a CPE match that are not set', () => {
    const matches = [
      match('one'),
      match('two', { vulnerable: false, matchCriteriaId: 'ABC', versionStartIncluding: '1', versionEndExcluding: '2' }),
      match('three', { versionStartExcluding: '3', versionEndIncluding: '4' }),
    ]
    const { fragments, search } = published({ resolved: { cpe: cpe(matches) } })
    expect(fragments.cpe).toStrictEqual(matches)
    expect(search.cpeCount).toBe(3)
  })

  it('renders all 5,000 CPE matches in the CVE record and in the detail record', () => {
    const matches = Array.from({ length: 5000 }, (_, index) => match('thing', { versionEndExcluding: `${index}.0` }))
    const { fragments, search, details } = published({
      resolved: { cpe: cpe(matches), claims: [claim({ configurations: configurations(matches) })] },
    })
    expect(fragments.cpe).toHaveLength(5000)
    expect(search.cpeCount).toBe(5000)
    expect(fragments.enrichment).toMatchObject({ cpe_count: 5000 })
    expect(details['nvd']).toMatchObject({
      affected_products: { cpe_configurations: { length: 5000 }, total_cpe_count: 5000 },
    })
  })
})

describe('CVE rendering: references', () => {
  it('renders the source of each reference and omits empty tags', () => {
    const { fragments, search } = published({ resolved: { references: [reference('a', 'Patch'), reference('b')] } })
    expect(fragments.references).toStrictEqual([
      { url: 'https://example.org/a', source: 'maker', tags: ['Patch'] },
      { url: 'https://example.org/b', source: 'maker' },
    ])
    expect(search.hasReference).toBe(true)
    expect(published({}).search.hasReference).toBe(false)
  })
})

describe('CVE rendering: ACSC notices', () => {
  const older = notice('older', { published: new Date('2023-01-01T00:00:00Z'), priority: null })
  const newer = notice('newer', {
    published: new Date('2024-01-01T00:00:00Z'),
    updated: new Date('2024-02-01T03:04:05Z'),
    summary: 'In short.',
    affectedProducts: ['Thing'],
  })

  it('renders all notices for a single CVE, newest first, and omits empty optional members', () => {
    const { fragments, search } = published({ sourceData: { notices: [older, newer] } })
    expect(fragments.acsc).toStrictEqual([
      {
        id: 'newer',
        title: 'Notice newer',
        type: 'alert',
        priority: 'Critical',
        publishedDate: '2024-01-01T00:00:00Z',
        lastUpdated: '2024-02-01T03:04:05Z',
        url: 'https://example.org/newer',
        affectedProducts: ['Thing'],
        summary: 'In short.',
      },
      {
        id: 'older',
        title: 'Notice older',
        type: 'alert',
        priority: null,
        publishedDate: '2023-01-01T00:00:00Z',
        url: 'https://example.org/older',
      },
    ])
    expect(search.hasNotice).toBe(true)
  })

  it('renders notices in a shorter format in lists of CVEs', () => {
    expect(published({ sourceData: { notices: [newer] } }).fragments.acsc_notices).toStrictEqual([
      { id: 'newer', type: 'alert', title: 'Notice newer', priority: 'Critical', published: '2024-01-01T00:00:00Z' },
    ])
  })

  it('renders empty lists and has_notice: false for a CVE without notices', () => {
    const { fragments, search } = published({})
    expect([fragments.acsc, fragments.acsc_notices]).toEqual([[], []])
    expect(search.hasNotice).toBe(false)
  })

  it('orders notices with the same publication time by id', () => {
    const { fragments } = published({ sourceData: { notices: [notice('b'), notice('a')] } })
    expect(fragments.acsc_notices).toMatchObject([{ id: 'a' }, { id: 'b' }])
  })
})

describe('CVE rendering: values', () => {
  it('renders times in UTC, in whole seconds and with the suffix Z', () => {
    const { fragments } = published({
      resolved: { published: chosen(new Date('2024-03-05T10:20:30.999Z')), modified: chosen(new Date('2024-03-06Z')) },
    })
    expect(fragments.published).toBe('2024-03-05T10:20:30Z')
    expect(fragments.modified).toBe('2024-03-06T00:00:00Z')
  })

  it('renders the leading source, the status and the text indexed for search', () => {
    const { fragments, search } = published({ resolved: { sourceTag: 'cve', status: chosen('Deferred') } })
    expect(fragments).toMatchObject({ source_tag: 'cve', status: 'Deferred' })
    expect(search).toMatchObject({ status: 'Deferred', sources: ['nvd'], text: 'A flaw in Example Router.' })
  })

  it('removes NUL and replaces lone surrogates in upstream text', () => {
    const hostile = 'a\0b\ud800c\udfffd 😀 \\u0000'
    const { fragments, search } = published({
      resolved: { description: chosen(hostile), references: [{ ...reference('a'), by: hostile }] },
    })
    const cleaned = 'ab\ufffdc\ufffdd 😀 \\u0000'
    expect(fragments.description).toBe(cleaned)
    expect(search.text).toBe(cleaned)
    expect(fragments.references).toMatchObject([{ source: cleaned }])
  })

  it('sets boolean search columns to false for a CVE without data', () => {
    expect(published({}).search).toMatchObject({
      hasExploit: false,
      inKev: false,
      hasPatch: false,
      attackVector: null,
    })
    const { search } = published({ sourceData: { kev: kev(), exploits: [exploit('poc')] } })
    expect(search).toMatchObject({ hasExploit: true, inKev: true })
  })

  it('renders the ATT&CK techniques as an array, and whether they are curated', () => {
    const { fragments } = published({
      sourceData: { mappings: [{ techniqueId: 'T1190' }] },
      referenceData: { activeTechniques: new Set(['T1190']) },
    })
    expect(fragments).toMatchObject({ techniques: ['T1190'], technique_mapping: 'curated' })
  })
})

describe('CVE rendering: a CVE that only KEV lists', () => {
  it('renders the status Received and neither a description nor a publication time', () => {
    const { fragments, search, details } = published({
      resolved: {
        sourceTag: 'kev',
        published: null,
        description: null,
        status: { ...chosen('Received', 'cisa-kev'), time: '2024-03-06' },
        sources: [],
        claims: [claim({ source: 'kev', provider: 'cisa-kev', modified: new Date('2024-03-06T00:00:00Z') })],
      },
      sourceData: { kev: kev() },
    })
    expect(fragments).toEqual(
      expect.objectContaining({
        source_tag: 'kev',
        published: null,
        modified: '2024-03-05T10:20:30Z',
        description: null,
        severity: null,
        status: 'Received',
        tags: [],
        enrichment_status: 'pending',
        cvss: { v3_1: null },
        cpe: [],
        references: [],
        acsc: [],
        acsc_notices: [],
        techniques: [],
        technique_mapping: null,
        enrichment: null,
        configurations: null,
        sources: {
          origins: [
            ['cisa-kev', '2024-03-06'],
            ['nvd', '2024-03-05T10:20:30Z'],
          ],
          values: {
            source_tag: { from: [0] },
            modified: { from: [1] },
            status: { from: [0] },
            kev: { from: [0] },
          },
        },
        decision_facts: { kev: ['2024-03-06', '2024-03-27', false] },
        exploits: {
          maturity: 'active',
          verified: true,
          first_public: '2024-03-06',
          kev_added: '2024-03-06',
          counts: { kev: 1 },
          evidence: [
            {
              kind: 'kev',
              source: 'CISA',
              date: '2024-03-06',
              date_is: 'addition',
              says: 'known exploited',
              maturity: 'active',
            },
          ],
          kev_catalogs: [
            {
              name: 'cisa',
              vendor: 'Example Networks',
              product: 'Example Router',
              since: '2024-03-06',
              removed_at: null,
              first: true,
            },
          ],
        },
        more_evidence: [],
      }),
    )
    expect(search).toMatchObject({ published: null, inKev: true, isEnriched: false, text: '' })
    expect(details).toEqual({})
  })
})

describe('CVE rendering: repeated rendering', () => {
  it('renders the same JSON text each time for the same resolved CVE', () => {
    const renderOnce = () =>
      render(
        sourceData({ kev: kev(), exploits: [exploit('poc'), exploit('nuclei')] }),
        resolved({ score: chosen(rating(V31)), claims: [claim({ ratings: [rating(V31)] })] }),
        referenceData(),
      )
    expect(renderOnce()).toEqual(renderOnce())
  })
})
