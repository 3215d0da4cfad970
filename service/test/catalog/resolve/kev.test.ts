import { describe, expect, it } from 'vitest'
import { MAX_LINEAR_GROWTH, measureGrowth } from '../../support/growth.ts'
import { cve, kevEntry, nvd, resolved } from '../builders.ts'

const NVD_PAGE = 'https://nvd.nist.gov/vuln/detail/CVE-2026-4711'

function readLinks(notes: string): readonly string[] {
  return resolved([], { kev: kevEntry({ notes }) }).references.map(({ url }) => url)
}

describe('Resolver: a CVE that only KEV lists (decision D18)', () => {
  it('takes its description, references, publication date and weaknesses from KEV', () => {
    const kev = kevEntry({ notes: `https://router.example/1 ; ${NVD_PAGE}`, cwes: ['CWE-787', 'CWE-20'] })
    expect(resolved([], { kev })).toMatchObject({
      sourceTag: 'kev',
      published: { value: new Date('2026-08-02T00:00:00Z'), by: 'cisa-kev' },
      modified: { value: new Date('2026-08-02T00:00:00Z'), by: 'cisa-kev' },
      status: { value: 'Received', by: 'rules', runnersUp: [] },
      description: { value: 'A malformed packet restarts the router.', by: 'cisa-kev' },
      references: [{ url: 'https://router.example/1', by: 'cisa-kev', tags: [] }],
      weaknesses: [
        { id: 'CWE-20', by: ['cisa-kev'] },
        { id: 'CWE-787', by: ['cisa-kev'] },
      ],
      sources: [],
    })
  })

  it('has no description if the text in the KEV entry is blank', () => {
    expect(resolved([], { kev: kevEntry({ shortDescription: ' ' }) }).description).toBeNull()
  })
})

describe('Resolver: links in the notes of a KEV entry (decision D18)', () => {
  it('reads links between semicolons and in sentences', () => {
    expect(readLinks('https://a.example/x ;  https://b.example/y; See https://c.example/z.')).toEqual([
      'https://a.example/x',
      'https://b.example/y',
      'https://c.example/z',
    ])
  })

  it('removes quotation marks, commas and a closing parenthesis after a link', () => {
    expect(readLinks('(https://a.example/x), https://b.example/y", and https://c.example/z-(1)')).toEqual([
      'https://a.example/x',
      'https://b.example/y',
      'https://c.example/z-(1)',
    ])
  })

  it("omits the CVE's own NVD page and keeps the NVD page of another CVE", () => {
    const other = 'https://nvd.nist.gov/vuln/detail/CVE-2026-47112'
    expect(readLinks(`${NVD_PAGE}" ; ${NVD_PAGE.replace('CVE', 'cve')} ; ${other}`)).toEqual([other])
  })

  it.each([
    'https://www.cisa.gov/news-events/directives/bod-26-04-prioritizing-security-updates-based-risk',
    'https://www.cisa.gov/news-events/directives/ed-21-03-mitigate-pulse-connect-secure-product-vulnerabilities)',
    'https://cisa.gov/emergency-directive-21-02',
    'https://cyber.dhs.gov/ed/21-03/',
  ])('omits the directive %s', (url) => {
    expect(readLinks(`BOD: ${url} ; https://www.cisa.gov/news-events/alerts/2025/07/20/router`)).toEqual([
      'https://www.cisa.gov/news-events/alerts/2025/07/20/router',
    ])
  })

  it('reads notes with up to 200,000 parentheses in linear time', () => {
    const read = (count: number) =>
      readLinks(`https://a.example/${')'.repeat(count)} ${'https://'.repeat(Math.ceil(count / 10))}`)
    expect(measureGrowth(200_000, read)).toBeLessThan(MAX_LINEAR_GROWTH)
  })
})

describe('Resolver: KEV alongside other sources (decision C17)', () => {
  const kev = kevEntry({ notes: 'https://router.example/1 ; https://router.example/2', cwes: ['CWE-20'] })

  it("adds KEV's weaknesses to those from other sources", () => {
    const weaknesses = [{ source: 'nvd@nist.gov', type: 'Primary', description: [{ lang: 'en', value: 'CWE-787' }] }]
    expect(resolved([nvd({ weaknesses })], { kev }).weaknesses).toEqual([
      { id: 'CWE-20', by: ['cisa-kev'] },
      { id: 'CWE-787', by: ['nvd'] },
    ])
  })

  it("adds KEV's links after the references from other sources", () => {
    const references = [{ url: 'https://router.example/1', source: 'nvd@nist.gov', tags: ['Patch'] }]
    expect(resolved([nvd({ references })], { kev }).references).toEqual([
      { url: 'https://router.example/1', by: 'nvd', tags: ['Patch'] },
      { url: 'https://router.example/2', by: 'cisa-kev', tags: [] },
    ])
  })

  it("keeps KEV's text as a value that was not chosen", () => {
    const { description } = resolved([nvd(), cve()], { kev })
    expect(description).toMatchObject({ by: 'nvd', runnersUp: [{ by: 'cna:apache' }, { by: 'cisa-kev' }] })
  })

  it('takes no publication date from KEV, even if NVD gives none (decision D18)', () => {
    const { published } = resolved([nvd(), cve()], { kev })
    expect(published?.runnersUp.map(({ by }) => by)).toEqual(['cna:apache'])
    expect(resolved([nvd({ published: null })], { kev }).published).toBeNull()
  })

  it('ignores an entry that CISA removed', () => {
    const removed = { ...kev, removedAt: new Date('2026-08-09T00:00:00Z') }
    const { weaknesses, references, description } = resolved([nvd({ descriptions: [] })], { kev: removed })
    expect([weaknesses, references, description]).toEqual([[], [], null])
  })
})
