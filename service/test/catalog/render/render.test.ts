import { describe, expect, it } from 'vitest'
import { render } from '../../../src/catalog/render/render.ts'
import {
  chosen,
  configurations,
  cpe,
  exploit,
  facts,
  kev,
  knowledge,
  match,
  notice,
  published,
  rating,
  reference,
  resolved,
  statement,
  V31,
} from '../records.ts'

describe('cpe', () => {
  it('has only those version keys that are set', () => {
    const matches = [
      match('one'),
      match('two', { vulnerable: false, matchCriteriaId: 'ABC', versionStartIncluding: '1', versionEndExcluding: '2' }),
      match('three', { versionStartExcluding: '3', versionEndIncluding: '4' }),
    ]
    const { fragments, columns } = published({ resolved: { cpe: cpe(matches) } })
    expect(fragments.cpe).toStrictEqual(matches)
    expect(columns.cpeCount).toBe(3)
  })

  it('has all of 5,000 matches, in the record and in its detail', () => {
    const matches = Array.from({ length: 5000 }, (_, index) => match('thing', { versionEndExcluding: `${index}.0` }))
    const { fragments, columns, details } = published({
      resolved: { cpe: cpe(matches), statements: [statement({ configurations: configurations(matches) })] },
    })
    expect(fragments.cpe).toHaveLength(5000)
    expect(columns.cpeCount).toBe(5000)
    expect(fragments.enrichment).toMatchObject({ cpe_count: 5000 })
    expect(details['nvd']).toMatchObject({
      affected_products: { cpe_configurations: { length: 5000 }, total_cpe_count: 5000 },
    })
  })
})

describe('references', () => {
  it('have a source, and tags only where there are any', () => {
    const { fragments, columns } = published({ resolved: { references: [reference('a', 'Patch'), reference('b')] } })
    expect(fragments.references).toStrictEqual([
      { url: 'https://example.org/a', source: 'maker', tags: ['Patch'] },
      { url: 'https://example.org/b', source: 'maker' },
    ])
    expect(columns.hasReference).toBe(true)
    expect(published({}).columns.hasReference).toBe(false)
  })
})

describe('ACSC notices', () => {
  const older = notice('older', { published: new Date('2023-01-01T00:00:00Z'), priority: null })
  const newer = notice('newer', {
    published: new Date('2024-01-01T00:00:00Z'),
    updated: new Date('2024-02-01T03:04:05Z'),
    summary: 'In short.',
    affectedProducts: ['Thing'],
  })

  it('are all there in single answers, newest first, without what is optional and not said', () => {
    const { fragments, columns } = published({ facts: { notices: [older, newer] } })
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
    expect(columns.hasNotice).toBe(true)
  })

  it('are short in lists', () => {
    expect(published({ facts: { notices: [newer] } }).fragments.acsc_notices).toStrictEqual([
      { id: 'newer', type: 'alert', title: 'Notice newer', priority: 'Critical', published: '2024-01-01T00:00:00Z' },
    ])
  })

  it('are [] in both forms where there are none: no data counts as false', () => {
    const { fragments, columns } = published({})
    expect([fragments.acsc, fragments.acsc_notices]).toEqual([[], []])
    expect(columns.hasNotice).toBe(false)
  })

  it('of the same instant are in the order of their ids', () => {
    const { fragments } = published({ facts: { notices: [notice('b'), notice('a')] } })
    expect(fragments.acsc_notices).toMatchObject([{ id: 'a' }, { id: 'b' }])
  })
})

describe('Values', () => {
  it('are times in whole seconds, with Z', () => {
    const { fragments } = published({
      resolved: { published: chosen(new Date('2024-03-05T10:20:30.999Z')), modified: chosen(new Date('2024-03-06Z')) },
    })
    expect(fragments.published).toBe('2024-03-05T10:20:30Z')
    expect(fragments.modified).toBe('2024-03-06T00:00:00Z')
  })

  it('are the words of the source that leads', () => {
    const { fragments, columns } = published({ resolved: { sourceTag: 'cve', status: chosen('Deferred') } })
    expect(fragments).toMatchObject({ source_tag: 'cve', status: 'Deferred' })
    expect(columns).toMatchObject({ status: 'Deferred', sources: ['nvd'], text: 'A flaw that we made up.' })
  })

  it('are text that every client and the database can hold: no NUL, no halves of characters', () => {
    const hostile = 'a\0b\ud800c\udfffd 😀 \\u0000'
    const { fragments, columns } = published({
      resolved: { description: chosen(hostile), references: [{ ...reference('a'), by: hostile }] },
    })
    const sound = 'ab\ufffdc\ufffdd 😀 \\u0000'
    expect(fragments.description).toBe(sound)
    expect(columns.text).toBe(sound)
    expect(fragments.references).toMatchObject([{ source: sound }])
  })

  it('split the corpus: no data counts as false', () => {
    expect(published({}).columns).toMatchObject({
      hasExploit: false,
      inKev: false,
      hasPatch: false,
      attackVector: null,
    })
    const { columns } = published({ facts: { kev: kev(), exploits: [exploit('poc')] } })
    expect(columns).toMatchObject({ hasExploit: true, inKev: true })
  })

  it('have techniques as an array', () => {
    const { fragments } = published({
      facts: { mappings: [{ techniqueId: 'T1190' }] },
      knowledge: { activeTechniques: new Set(['T1190']) },
    })
    expect(fragments.techniques).toEqual(['T1190'])
  })
})

describe('A KEV id without a CVE record', () => {
  it('is a stub record: pending, status Received, published and description null', () => {
    const { fragments, columns, details } = published({
      resolved: {
        sourceTag: 'kev',
        published: null,
        description: null,
        status: chosen('Received', 'kev'),
        sources: [],
      },
      facts: { kev: kev() },
    })
    expect(fragments).toEqual({
      source_tag: 'kev',
      published: null,
      modified: '2024-03-05T10:20:30Z',
      description: null,
      severity: null,
      status: 'Received',
      enrichment_status: 'pending',
      cvss: { v3_1: null },
      cpe: [],
      references: [],
      acsc: [],
      acsc_notices: [],
      techniques: [],
      enrichment: null,
    })
    expect(columns).toMatchObject({ published: null, inKev: true, isEnriched: false, text: '' })
    expect(details).toEqual({})
  })
})

describe('Rendering', () => {
  it('gives the same text for the same conclusions', () => {
    const given = () =>
      render(
        facts({ kev: kev(), exploits: [exploit('poc'), exploit('nuclei')] }),
        resolved({ score: chosen(rating(V31)), statements: [statement({ ratings: [rating(V31)] })] }),
        knowledge(),
      )
    expect(given()).toEqual(given())
  })
})
