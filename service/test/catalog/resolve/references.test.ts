import { describe, expect, it } from 'vitest'
import { CISA, cve, nvd, override, resolved, vendor } from '../builders.ts'

describe('Resolver: references (decisions C23 and D13)', () => {
  it('merges equal links, keeps the first spelling of a link and sorts its tags from all sources', () => {
    const references = [{ url: 'http://Router.example/1', source: 'security@apache.org', tags: ['Vendor Advisory'] }]
    const same = {
      references: [{ url: 'https://router.example/1/', tags: ['patch', 'vendor-advisory', 'x_transferred'] }],
    }
    const others = [
      { url: 'https://router.example/1', tags: ['Exploit'] },
      { url: 'https://router.example/2', tags: [] },
    ]
    expect(
      resolved([vendor('ghsa', { references: others }), cve({ cna: same }), nvd({ references })]).references,
    ).toEqual([
      { url: 'http://Router.example/1', by: 'apache', tags: ['Exploit', 'Patch', 'Vendor Advisory'] },
      { url: 'https://router.example/2', by: 'ghsa', tags: [] },
    ])
  })

  it("attributes the page of an advisory, which the service links by the advisory's id, to the rules", () => {
    const url = 'https://github.com/advisories/GHSA-2222-3333-4444'
    const advisory = vendor('ghsa', { references: [{ url, tags: [], built: true }] })
    expect(resolved([nvd(), advisory])).toMatchObject({
      references: [{ url, by: 'rules', tags: [] }],
      parts: { references: [{ value: 1, by: 'rules', time: null }] },
    })
    const listed = override([], undefined, [{ url }])
    expect(resolved([nvd(), advisory, listed]).references).toEqual([{ url, by: 'anchore', tags: [] }])
  })

  it('contains the links in an override and attributes them to Anchore', () => {
    const own = 'https://advisories.example/1'
    const links = [
      { source: 'anchoreadp', url: own },
      { source: 'anchoreadp', url: 'https://router.example/1' },
    ]
    const references = [{ url: 'https://router.example/1', source: 'security@apache.org' }]
    expect(resolved([nvd({ references }), override([], undefined, links)]).references).toEqual([
      { url: 'https://router.example/1', by: 'apache', tags: [] },
      { url: own, by: 'anchore', tags: [] },
    ])
  })

  it('keeps links that differ in path, query or fragment', () => {
    const urls = [
      'https://t.example/a',
      'https://t.example/A',
      'https://t.example/a?1',
      'https://t.example/a#2',
      'ftp://t.example/a',
    ]
    const references = urls.map((url) => ({ url, source: 'security@apache.org' }))
    expect(resolved([nvd({ references })]).references.map(({ url }) => url)).toEqual(urls)
  })

  it('drops references that are not http, https or ftp links', () => {
    const urls = ['javascript:alert(1)', 'ZDI-CAN-1', 'file:///etc/passwd', 'https://t.example/a b', 'https://', '']
    const references = [...urls, 7, null].map((url) => ({ url, source: 'security@apache.org' }))
    expect(resolved([nvd({ references })]).references).toEqual([])
  })

  it.each([
    ['nvd@nist.gov', 'nvd'],
    [CISA, 'cisa-adp'],
    ['af854a3a-2127-422b-91ae-364da2661108', 'CVE'],
    ['Security@Apache.org', 'apache'],
    ['psirt@router.example', 'router.example'],
    ['01234567-89ab-4cde-8f01-23456789abcd', '01234567'],
    ['f23511db-6c3e-4e32-a477-6aa17d310630', 'TPLink'],
    ['2fdefc65-d750-4b8d-96ee-6e2c0c42dbfe', 'VULSec'],
    [undefined, 'unknown'],
  ])("converts a reference's source identifier %s to the organisation name %s", (source, by) => {
    expect(resolved([nvd({ references: [{ url: 'https://t.example/', source }] })]).references[0]?.by).toBe(by)
  })

  it("maps CVE List tags to NVD's names and drops unknown tags", () => {
    const tags = [
      'third-party-advisory',
      'issue-tracking',
      'release-notes',
      'mitigation',
      'exploit',
      'x_research',
      'nonsense',
    ]
    expect(resolved([cve({ cna: { references: [{ url: 'https://t.example/', tags }] } })]).references).toEqual([
      {
        url: 'https://t.example/',
        by: 'apache',
        tags: ['Exploit', 'Issue Tracking', 'Mitigation', 'Release Notes', 'Third Party Advisory'],
      },
    ])
  })
})
