import { describe, expect, it } from 'vitest'
import { resolve } from '../../../src/catalog/resolve/resolve.ts'
import {
  configurations,
  cve,
  kevEntry,
  match,
  notice,
  nvd,
  nvdRating,
  override,
  record,
  resolved,
  sourceData,
  VECTORS,
  vendor,
} from '../builders.ts'

const REJECTED = {
  metadata: { state: 'REJECTED' },
  cna: { descriptions: [], rejectedReasons: [{ lang: 'en', value: 'Not a vulnerability.' }] },
}

describe('Resolver: leading source (decision C13)', () => {
  it('takes NVD as the leading source, or else the CVE List', () => {
    expect(resolved([cve(), nvd()]).sourceTag).toBe('nvd')
    expect(resolved([cve()]).sourceTag).toBe('cve')
  })

  it('resolves no CVE from a removed KEV entry, notices or EPSS alone', () => {
    expect(resolve(sourceData([], { kev: kevEntry({ removedAt: new Date('2026-08-09T00:00:00Z') }) }))).toBeUndefined()
    expect(resolve(sourceData([], { notices: [notice('2026-08-01T00:00:00Z')], epssScore: 0.9 }))).toBeUndefined()
  })

  it('ignores records that are not a JSON object', () => {
    expect(resolve(sourceData([record('nvd', '{"id": "CVE-2026-'), record('cve', '[]')]))).toBeUndefined()
  })
})

describe('Resolver: status (decision C12)', () => {
  it("takes NVD's status in NVD's spelling", () => {
    expect(resolved([nvd({ vulnStatus: 'awaiting analysis' }), cve()]).status.value).toBe('Awaiting Analysis')
  })

  it('falls back to Received if there is no NVD record or no NVD status', () => {
    const derived = { value: 'Received', by: 'rules', time: null, runnersUp: [] }
    expect(resolved([cve()]).status).toEqual(derived)
    expect(resolved([nvd({ vulnStatus: ' ' })]).status).toEqual(derived)
    expect(resolved([], { kev: kevEntry() }).status).toEqual(derived)
  })

  it('keeps an NVD status unknown to the service unchanged (decision C12)', () => {
    expect(resolved([nvd({ vulnStatus: 'Triaged' })]).status.value).toBe('Triaged')
  })

  it('takes Rejected from NVD, or from the CVE List if there is no NVD record', () => {
    expect(resolved([nvd({ vulnStatus: 'Rejected' }), cve()]).status.value).toBe('Rejected')
    expect(resolved([cve(REJECTED)]).status.value).toBe('Rejected')
  })

  it('takes Rejected from the CVE List if the CVE List record is newer than the NVD record', () => {
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

  it("ignores NVD's status Rejected if a newer CVE List record is not rejected", () => {
    const held = nvd({ vulnStatus: 'Rejected' }, '2026-08-10T00:00:00Z')
    expect(resolved([held, cve({}, '2026-08-11T00:00:00Z')]).status).toMatchObject({
      value: 'Received',
      by: 'rules',
      runnersUp: [{ value: 'Rejected', by: 'nvd' }],
    })
    expect(resolved([held, cve({}, '2026-08-10T00:00:00Z')]).status).toMatchObject({ value: 'Rejected', by: 'nvd' })
  })

  it('ignores the status Rejected in a record that is older than the KEV entry (decision E9)', () => {
    const kev = kevEntry({ dateAdded: '2026-08-11' })
    const { status, description } = resolved([nvd({ vulnStatus: 'Rejected' }, '2026-08-10T00:00:00Z')], { kev })
    expect(status).toMatchObject({ value: 'Received', by: 'rules', runnersUp: [{ value: 'Rejected', by: 'nvd' }] })
    expect(description).toMatchObject({ by: 'cisa-kev', runnersUp: [{ by: 'nvd' }] })
    const newer = nvd({ vulnStatus: 'Rejected' }, '2026-08-12T00:00:00Z')
    expect(resolved([newer], { kev }).status).toMatchObject({ value: 'Rejected', by: 'nvd' })
  })
})

describe('Resolver: a rejected CVE (decision E9)', () => {
  const weaknesses = [{ source: 'nvd@nist.gov', type: 'Primary', description: [{ lang: 'en', value: 'CWE-20' }] }]
  const references = [{ url: 'https://router.example/1', source: 'nvd@nist.gov', tags: ['Patch'] }]
  const metrics = { cvssMetricV31: [nvdRating('nvd@nist.gov', VECTORS['9.8'], 9.8, 'Primary')] }
  const cpeMatch = match('router', { versionEndExcluding: '2.4' })
  const held = nvd({ metrics, weaknesses, references, configurations: configurations(cpeMatch) })
  const rejected = cve(REJECTED, '2026-08-11T00:00:00Z')

  it('has no score, weakness, product, exploitation or fix, and keeps its references', () => {
    expect(resolved([held, rejected], { kev: kevEntry({ cwes: ['CWE-20'] }) })).toMatchObject({
      status: { value: 'Rejected', by: 'cna:apache' },
      score: null,
      v3: null,
      weaknesses: [],
      cpe: { matches: [], by: null },
      affected: [],
      exploitation: null,
      ssvc: null,
      fix: null,
      references: [{ url: 'https://router.example/1' }],
    })
  })

  it('keeps all values if the rejection is older than the other records', () => {
    const older = cve(REJECTED, '2026-08-09T00:00:00Z')
    expect(resolved([held, older])).toMatchObject({ score: { by: 'nvd' }, cpe: { by: 'nvd' }, fix: { by: 'nvd' } })
  })
})

describe('Resolver: description', () => {
  it('prefers the description from NVD, then the CNA, GHSA, MSRC and Red Hat', () => {
    const vendors = [vendor('redhat'), vendor('msrc'), vendor('ghsa')]
    const { description } = resolved([...vendors, cve(), nvd()])
    expect(description?.value).toBe('Description by NVD.')
    expect(description?.runnersUp.map(({ by }) => by)).toEqual(['cna:apache', 'ghsa', 'msrc', 'redhat'])
    expect(resolved([nvd({ descriptions: [{ lang: 'en', value: ' ' }] }), cve()]).description?.by).toBe('cna:apache')
  })

  it('takes the description from the newest record of a source with several records', () => {
    const older = vendor('ghsa', { description: 'A first advisory.' }, '2026-07-05T00:00:00Z')
    const newer = vendor('ghsa', { description: 'A second advisory.' }, '2026-07-06T00:00:00Z')
    const { description } = resolved([nvd({ descriptions: [] }), older, newer])
    expect([description?.value, description?.runnersUp[0]?.value]).toEqual(['A second advisory.', 'A first advisory.'])
  })

  it("removes formatting from every source's description", () => {
    const value = '<p>A flaw in A &amp; B.</p>'
    expect(resolved([nvd({ descriptions: [{ lang: 'en', value }] })]).description?.value).toBe('A flaw in A & B.')
    expect(resolved([cve({ cna: { descriptions: [{ lang: 'en', value }] } })]).description?.value).toBe(
      'A flaw in A & B.',
    )
    const kev = kevEntry({ shortDescription: value })
    expect(resolved([], { kev }).description?.value).toBe('A flaw in A & B.')
    const { description } = resolved([nvd({ descriptions: [] }), vendor('ghsa', { description: value })])
    expect(description?.value).toBe('A flaw in A & B.')
  })

  it("prefers the CVE List's text if NVD's text has lost characters", () => {
    const damaged = nvd({ descriptions: [{ lang: 'en', value: 'M\ufffd\ufffdller routers restart.' }] })
    expect(resolved([damaged, cve()]).description).toMatchObject({ by: 'cna:apache', runnersUp: [{ by: 'nvd' }] })
    expect(resolved([damaged], { kev: kevEntry() }).description?.by).toBe('nvd')
  })

  it("prefers the CVE List's text to restored characters in NVD's text", () => {
    const [lost, kept] = ['the \ufffd\ufffd\ufffdReferer\ufffd\ufffd\ufffd header', 'the \u2018Referer\u2019 header']
    const damaged = nvd({ descriptions: [{ lang: 'en', value: lost }] })
    const whole = cve({ cna: { descriptions: [{ lang: 'en', value: kept }] } })
    expect(resolved([damaged, whole]).description).toMatchObject({ value: kept, by: 'cna:apache' })
    const damagedToo = cve({ cna: { descriptions: [{ lang: 'en', value: lost }] } })
    expect(resolved([damaged, damagedToo]).description).toMatchObject({ value: 'the "Referer" header', by: 'nvd' })
  })

  it('uses the reason for the rejection as the description of a rejected CVE', () => {
    expect(resolved([cve(REJECTED)]).description).toMatchObject({ value: 'Not a vulnerability.', by: 'cna:apache' })
    expect(resolved([nvd(), cve(REJECTED, '2026-08-11T00:00:00Z')]).description?.value).toBe('Not a vulnerability.')
    expect(resolved([nvd({ vulnStatus: 'Rejected' }), cve()]).description?.by).toBe('nvd')
  })
})

describe('Resolver: dates (decisions C1, C11 and C22)', () => {
  it('takes the publication time from NVD, or else from the CVE List, in whole seconds', () => {
    expect(resolved([nvd(), cve()]).published?.value).toEqual(new Date('2026-07-01T10:15:20Z'))
    expect(resolved([cve()]).published).toMatchObject({ value: new Date('2026-06-30T08:00:00Z'), by: 'cna:apache' })
  })

  it('falls back to the date of the CNA container for a CVE List record without datePublished', () => {
    const undated = cve({ metadata: { datePublished: undefined, dateReserved: '2020-01-01T00:00:00Z' } })
    expect(resolved([undated]).published?.value).toEqual(new Date('2026-07-02T00:00:00Z'))
  })

  it('ignores a publication date in the year 0', () => {
    const never = nvd({ published: '0000-01-01T00:00:00.000' })
    expect(resolved([never]).published).toBeNull()
    expect(resolved([never, cve()]).published?.by).toBe('cna:apache')
    expect(resolved([nvd({ published: '0001-01-01T00:00:00+05:00' })]).published).toBeNull()
    expect(resolved([nvd({ published: '0001-01-01' })]).published?.value).toEqual(new Date('0001-01-01T00:00:00Z'))
  })

  it('limits the publication time to the time of the last change', () => {
    const ahead = cve({ metadata: { datePublished: '2031-01-01T00:00:00Z' } }, '2026-08-05T00:00:00Z')
    expect(resolved([ahead]).published?.value).toEqual(new Date('2026-08-05T00:00:00Z'))
  })

  it('sets the field modified to the newest change among all source records, including overrides and vendor records', () => {
    expect(resolved([nvd({}, '2026-08-10T09:30:00Z'), cve()]).modified).toMatchObject({ by: 'nvd' })
    const later = override(configurations(match('router')), '2026-08-12T00:00:00Z')
    expect(resolved([nvd(), cve(), later]).modified).toMatchObject({ value: later.modified, by: 'anchore' })
    const latest = vendor('redhat', {}, '2026-08-13T00:00:00Z')
    expect(resolved([nvd(), latest, later]).modified).toMatchObject({ value: latest.modified, by: 'redhat' })
  })

  it('counts KEV additions and removals and ACSC notices as changes', () => {
    const at = (day: string) => ({ value: new Date(`${day}T00:00:00Z`) })
    expect(resolved([nvd()], { kev: kevEntry({ dateAdded: '2026-08-20' }) }).modified).toMatchObject(at('2026-08-20'))
    const removedAt = new Date('2026-08-21T00:00:00Z')
    expect(resolved([nvd()], { kev: kevEntry({ removedAt }) }).modified).toMatchObject(at('2026-08-21'))
    expect(resolved([nvd()], { notices: [notice('2026-08-22T00:00:00Z')] }).modified).toMatchObject(at('2026-08-22'))
    const renewed = notice('2026-07-01T00:00:00Z', '2026-08-23T00:00:00Z')
    expect(resolved([nvd()], { notices: [renewed] }).modified).toMatchObject({ ...at('2026-08-23'), by: 'acsc' })
  })

  it('does not count EPSS scores, exploit items and undated records as changes', () => {
    const evidence = {
      feed: 'poc',
      id: 'a/b',
      kind: 'repository',
      title: 'a/b',
      url: 'https://a.example',
      published: '2026-11-01',
      rank: null,
      firstSeen: null,
    } as const
    const undated = override(configurations(match('router')), '1970-01-01T00:00:00Z')
    const { modified } = resolved([nvd(), undated], { exploits: [evidence], epssScore: 0.97 })
    expect(modified).toMatchObject({ value: new Date('2026-08-10T09:30:00Z'), by: 'nvd', runnersUp: [] })
  })
})

describe('Resolver: tags (decision E8)', () => {
  it('merges the tags from NVD and the CNA, and omits tags that only a CNA defines', () => {
    const cveTags = [{ sourceIdentifier: 'security@apache.org', tags: ['unsupported-when-assigned'] }]
    const tags = ['Disputed', 'x_open-source', 'unsupported-when-assigned']
    expect(resolved([nvd({ cveTags }), cve({ cna: { tags } })]).tags).toEqual(['disputed', 'unsupported-when-assigned'])
  })

  it('reads the markers at the beginning of a description as tags', () => {
    const described = (value: string) => [{ lang: 'en', value }]
    const tagsOf = (value: string) => resolved([nvd({ descriptions: described(value) })]).tags
    expect(tagsOf('** DISPUTED ** The router restarts.')).toEqual(['disputed'])
    expect(tagsOf('** UNSUPPORTED WHEN ASSIGNED **\nThe router restarts.')).toEqual(['unsupported-when-assigned'])
    expect(tagsOf('** UNSUPPPORTED WHEN ASSIGNED ** **DISPUTED** The router restarts.')).toEqual([
      'disputed',
      'unsupported-when-assigned',
    ])
    expect(tagsOf('The router restarts. ** DISPUTED ** by nobody.')).toEqual([])
    const byCna = cve({ cna: { descriptions: described('** DISPUTED ** The router restarts.') } })
    expect(resolved([nvd(), byCna]).tags).toEqual(['disputed'])
  })

  it('has no tags if no source gives one', () => {
    expect(resolved([nvd({ cveTags: [] }), cve()], { kev: kevEntry() }).tags).toEqual([])
  })
})

describe('Resolver: weaknesses (decision C17)', () => {
  it('merges the weaknesses from all sources in numeric order, each with all its providers', () => {
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

describe('Resolver: sources (decisions A12 and C17)', () => {
  it('lists the sources with a record, without Anchore and without withdrawn advisories', () => {
    const all = [vendor('redhat'), nvd(), override([]), vendor('ghsa'), cve(), vendor('msrc')]
    expect(resolved(all).sources).toEqual(['cve', 'ghsa', 'msrc', 'nvd', 'redhat'])
    expect(resolved([nvd(), vendor('ghsa', { withdrawn: true })]).sources).toEqual(['nvd'])
  })
})
