import { describe, expect, it } from 'vitest'
import { resolve } from '../../../src/catalog/resolve/resolve.ts'
import {
  configurations,
  cve,
  facts,
  kevEntry,
  match,
  notice,
  nvd,
  nvdRating,
  override,
  record,
  resolved,
  VECTORS,
  vendor,
} from '../builders.ts'

const REJECTED = {
  metadata: { state: 'REJECTED' },
  cna: { descriptions: [], rejectedReasons: [{ lang: 'en', value: 'It is no teapot.' }] },
}

describe('What is published at all (C13, D18)', () => {
  it('is led by NVD, else by the CVE List', () => {
    expect(resolved([cve(), nvd()]).sourceTag).toBe('nvd')
    expect(resolved([cve()]).sourceTag).toBe('cve')
  })

  it('is a stub where KEV alone has it: Received, neither published nor described', () => {
    const stub = resolved([], { kev: kevEntry() })
    expect(stub).toMatchObject({ sourceTag: 'kev', published: null, description: null, sources: [] })
    expect(stub.status).toEqual({ value: 'Received', by: 'kev', runnersUp: [] })
    expect(stub.modified.value).toEqual(new Date('2026-08-02T00:00:00Z'))
  })

  it('is nothing where KEV has taken it back, or only others speak of it', () => {
    expect(resolve(facts([], { kev: kevEntry({ removedAt: new Date('2026-08-09T00:00:00Z') }) }))).toBeUndefined()
    expect(resolve(facts([vendor('ghsa'), override(configurations(match('teapot')))]))).toBeUndefined()
    expect(resolve(facts([], { notices: [notice('2026-08-01T00:00:00Z')], epssScore: 0.9 }))).toBeUndefined()
  })

  it('holds no record whose text is no JSON', () => {
    expect(resolve(facts([record('nvd', '{"id": "CVE-2026-'), record('cve', '[]')]))).toBeUndefined()
  })
})

describe('Status (C12)', () => {
  it("is NVD's word, in NVD's spelling", () => {
    expect(resolved([nvd({ vulnStatus: 'awaiting analysis' }), cve()]).status.value).toBe('Awaiting Analysis')
  })

  it('is Received where only the CVE List knows it, or NVD uses a new word', () => {
    expect(resolved([cve()]).status).toMatchObject({ value: 'Received', by: 'cna:apache' })
    expect(resolved([nvd({ vulnStatus: 'Simmering' })]).status.value).toBe('Received')
  })

  it('is Rejected where NVD says so, or the CVE List alone', () => {
    expect(resolved([nvd({ vulnStatus: 'Rejected' }), cve()]).status.value).toBe('Rejected')
    expect(resolved([cve(REJECTED)]).status.value).toBe('Rejected')
  })

  it('is Rejected as soon as the CVE List rejects it, unless NVD has changed its record since', () => {
    const held = nvd({}, '2026-08-10T00:00:00Z')
    expect(resolved([held, cve(REJECTED, '2026-08-11T00:00:00Z')]).status).toMatchObject({
      value: 'Rejected',
      by: 'cna:apache',
    })
    expect(resolved([held, cve(REJECTED, '2026-08-09T00:00:00Z')]).status).toMatchObject({
      value: 'Analyzed',
      by: 'nvd',
    })
  })

  it('is not Rejected any more as soon as the CVE List has taken that back since', () => {
    const held = nvd({ vulnStatus: 'Rejected' }, '2026-08-10T00:00:00Z')
    expect(resolved([held, cve({}, '2026-08-11T00:00:00Z')]).status).toMatchObject({
      value: 'Received',
      by: 'cna:apache',
      runnersUp: [{ value: 'Rejected', by: 'nvd' }],
    })
    expect(resolved([held, cve({}, '2026-08-10T00:00:00Z')]).status).toMatchObject({ value: 'Rejected', by: 'nvd' })
  })

  it('as Rejected takes nothing from what others still say', () => {
    const metrics = { cvssMetricV31: [nvdRating('nvd@nist.gov', VECTORS['9.8'], 9.8, 'Primary')] }
    const held = nvd({ metrics, configurations: configurations(match('teapot')) }, '2026-08-10T00:00:00Z')
    expect(resolved([held, cve(REJECTED, '2026-08-11T00:00:00Z')])).toMatchObject({
      status: { value: 'Rejected', by: 'cna:apache' },
      score: { by: 'nvd' },
      cpe: { by: 'nvd' },
    })
  })
})

describe('Description', () => {
  it("is NVD's, then the CNA's, then GHSA's, MSRC's and Red Hat's", () => {
    const vendors = [vendor('redhat'), vendor('msrc'), vendor('ghsa')]
    const { description } = resolved([...vendors, cve(), nvd()])
    expect(description?.value).toBe('The teapot, as NVD sees it.')
    expect(description?.runnersUp.map(({ by }) => by)).toEqual(['cna:apache', 'ghsa', 'msrc', 'redhat'])
    expect(resolved([nvd({ descriptions: [{ lang: 'en', value: ' ' }] }), cve()]).description?.by).toBe('cna:apache')
  })

  it('is of the newest record where a source holds several', () => {
    const older = vendor('ghsa', { description: 'A first advisory.' }, '2026-07-05T00:00:00Z')
    const newer = vendor('ghsa', { description: 'Better advice.' }, '2026-07-06T00:00:00Z')
    const { description } = resolved([older, newer], { kev: kevEntry() })
    expect([description?.value, description?.runnersUp[0]?.value]).toEqual(['Better advice.', 'A first advisory.'])
  })

  it('tells why it was rejected, where it was', () => {
    expect(resolved([cve(REJECTED)]).description).toMatchObject({ value: 'It is no teapot.', by: 'cna:apache' })
    expect(resolved([nvd(), cve(REJECTED, '2026-08-11T00:00:00Z')]).description?.value).toBe('It is no teapot.')
    expect(resolved([nvd({ vulnStatus: 'Rejected' }), cve()]).description?.by).toBe('nvd')
  })
})

describe('Dates (C1, C11, C22)', () => {
  it("takes NVD's date of publication where it leads, else the CVE List's, in whole seconds", () => {
    expect(resolved([nvd(), cve()]).published?.value).toEqual(new Date('2026-07-01T10:15:20Z'))
    expect(resolved([cve()]).published).toMatchObject({ value: new Date('2026-06-30T08:00:00Z'), by: 'cna:apache' })
  })

  it('takes the date of what the CNA wrote where the CVE List does not say when it published', () => {
    const undated = cve({ metadata: { datePublished: undefined, dateReserved: '2020-01-01T00:00:00Z' } })
    expect(resolved([undated]).published?.value).toEqual(new Date('2026-07-02T00:00:00Z'))
  })

  it('is not published in a year that there was not', () => {
    const never = nvd({ published: '0000-01-01T00:00:00.000' })
    expect(resolved([never]).published).toBeNull()
    expect(resolved([never, cve()]).published?.by).toBe('cna:apache')
    expect(resolved([nvd({ published: '0001-01-01T00:00:00+05:00' })]).published).toBeNull()
    expect(resolved([nvd({ published: '0001-01-01' })]).published?.value).toEqual(new Date('0001-01-01T00:00:00Z'))
  })

  it('is published no later than it was modified: dates in the future are cut', () => {
    const ahead = cve({ metadata: { datePublished: '2031-01-01T00:00:00Z' } }, '2026-08-05T00:00:00Z')
    expect(resolved([ahead]).published?.value).toEqual(new Date('2026-08-05T00:00:00Z'))
  })

  it('is modified when the newest of its sources was, overrides and vendors among them', () => {
    expect(resolved([nvd({}, '2026-08-10T09:30:00Z'), cve()]).modified).toMatchObject({ by: 'nvd' })
    const later = override(configurations(match('teapot')), '2026-08-12T00:00:00Z')
    expect(resolved([nvd(), cve(), later]).modified).toMatchObject({ value: later.modified, by: 'anchore' })
    const latest = vendor('redhat', {}, '2026-08-13T00:00:00Z')
    expect(resolved([nvd(), latest, later]).modified).toMatchObject({ value: latest.modified, by: 'redhat' })
  })

  it('is modified when KEV took it up or back, and when a notice came out or was renewed', () => {
    const at = (day: string) => ({ value: new Date(`${day}T00:00:00Z`) })
    expect(resolved([nvd()], { kev: kevEntry({ dateAdded: '2026-08-20' }) }).modified).toMatchObject(at('2026-08-20'))
    const removedAt = new Date('2026-08-21T00:00:00Z')
    expect(resolved([nvd()], { kev: kevEntry({ removedAt }) }).modified).toMatchObject(at('2026-08-21'))
    expect(resolved([nvd()], { notices: [notice('2026-08-22T00:00:00Z')] }).modified).toMatchObject(at('2026-08-22'))
    const renewed = notice('2026-07-01T00:00:00Z', '2026-08-23T00:00:00Z')
    expect(resolved([nvd()], { notices: [renewed] }).modified).toMatchObject({ ...at('2026-08-23'), by: 'acsc' })
  })

  it('is not modified by EPSS, by evidence of exploits, or by a record without a date', () => {
    const evidence = {
      feed: 'poc',
      id: 'a/b',
      kind: 'repository',
      title: 'a/b',
      url: 'https://a.example',
      published: '2026-11-01',
      rank: null,
    } as const
    const undated = override(configurations(match('teapot')), '1970-01-01T00:00:00Z')
    const { modified } = resolved([nvd(), undated], { exploits: [evidence], epssScore: 0.97 })
    expect(modified).toMatchObject({ value: new Date('2026-08-10T09:30:00Z'), by: 'nvd', runnersUp: [] })
  })
})

describe('Weaknesses (C17)', () => {
  it('are the union of all, by number, without NVD-CWE-noinfo and -Other, each with all who named it', () => {
    const weaknesses = [
      {
        source: 'nvd@nist.gov',
        type: 'Primary',
        description: [
          { lang: 'en', value: 'NVD-CWE-noinfo' },
          { lang: 'en', value: 'CWE-1021' },
        ],
      },
      { source: 'security@apache.org', type: 'Secondary', description: [{ lang: 'en', value: 'CWE-79' }] },
    ]
    const problemTypes = [
      {
        descriptions: [
          { cweId: 'CWE-79' },
          { description: 'CWE-20 Improper Input Validation' },
          { description: 'prose about CWE-5' },
        ],
      },
    ]
    const records = [nvd({ weaknesses }), cve({ cna: { problemTypes } }), vendor('ghsa', { weaknesses: ['CWE-79'] })]
    expect(resolved(records).weaknesses).toEqual([
      { id: 'CWE-20', by: ['cna:apache'] },
      { id: 'CWE-79', by: ['cna:apache', 'ghsa'] },
      { id: 'CWE-1021', by: ['nvd'] },
    ])
  })
})

describe('Sources (A12, C17)', () => {
  it('are those that hold a record, sorted; Anchore is none, and a withdrawn advisory says nothing', () => {
    const all = [vendor('redhat'), nvd(), override([]), vendor('ghsa'), cve(), vendor('msrc')]
    expect(resolved(all).sources).toEqual(['cve', 'ghsa', 'msrc', 'nvd', 'redhat'])
    expect(resolved([nvd(), vendor('ghsa', { withdrawn: true })]).sources).toEqual(['nvd'])
  })
})
