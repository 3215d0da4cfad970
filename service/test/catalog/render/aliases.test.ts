import { describe, expect, it } from 'vitest'
import { listAliases } from '../../../src/catalog/render/aliases.ts'
import { claim } from '../records.ts'

const GHSA = 'GHSA-jfh8-c2jp-5v3q'
const ofLinks = (...urls: string[]) =>
  listAliases({ claims: [], references: urls.map((url) => ({ url, by: 'nvd', tags: [] })) }).map(({ alias }) => alias)

describe('Aliases of a CVE', () => {
  it.each([
    ['https://github.com/maker/thing/security/advisories/GHSA-jfh8-c2jp-5v3q', GHSA],
    ['https://github.com/advisories/ghsa-JFH8-c2jp-5v3q', GHSA],
    ['https://access.redhat.com/errata/RHSA-2021:5127', 'RHSA-2021:5127'],
    ['https://access.redhat.com/errata/RHSA-2021%3A5127', 'RHSA-2021:5127'],
    ['http://rhn.redhat.com/errata/RHSA-2002-166.html', 'RHSA-2002:166'],
    ['https://www.zerodayinitiative.com/advisories/ZDI-23-1471/', 'ZDI-23-1471'],
    ['https://jvndb.jvn.jp/en/contents/2008/JVNDB-2008-000084.html', 'JVNDB-2008-000084'],
    ['https://rustsec.org/advisories/RUSTSEC-2021-0078.html', 'RUSTSEC-2021-0078'],
    ['https://pkg.go.dev/vuln/GO-2021-0113', 'GO-2021-0113'],
    ['http://support.microsoft.com/kb/929969', 'KB929969'],
    ['http://support.microsoft.com/?kbid=929969', 'KB929969'],
    ['https://support.microsoft.com/help/4012212', 'KB4012212'],
    ['https://support.microsoft.com/topic/april-13-2021-kb5001330-os-builds', 'KB5001330'],
  ])('include the id in the address %s', (url, alias) => {
    expect(ofLinks(url)).toEqual([alias])
  })

  it.each([
    'https://kb.vmware.example/kb/1006982',
    'https://notmicrosoft.com/kb/929969',
    'https://example.org/XGHSA-jfh8-c2jp-5v3q',
    'https://example.org/GHSA-jfh8-c2jp-5v3qq',
    'https://example.org/GHSA-aaaa-bbbb-cccc',
    'https://example.org/RHSA-2021',
    'https://example.org/advisory-1',
  ])('include nothing from the address %s', (url) => {
    expect(ofLinks(url)).toEqual([])
  })

  it('include the ids of advisories that feeds imported, and name the feed rather than a reference', () => {
    const claims = [
      claim({ source: 'ghsa', provider: 'ghsa', advisories: [GHSA] }),
      claim({ source: 'osv', provider: 'osv:go', advisories: ['GO-2021-0113', 'CVE-2021-38561'] }),
      claim({ source: 'msrc', provider: 'msrc', advisories: ['2024-Aug', 'KB5041580'] }),
    ]
    const references = [{ url: `https://github.com/advisories/${GHSA}`, by: 'nvd', tags: [] }]
    expect(listAliases({ claims, references })).toEqual([
      { alias: GHSA, source: 'ghsa' },
      { alias: 'GO-2021-0113', source: 'go' },
      { alias: 'KB5041580', source: 'msrc' },
    ])
  })

  it('number at most 500, with those from feeds before those from references', () => {
    const links = Array.from({ length: 600 }, (_, at) => `https://access.redhat.com/errata/RHSA-2021:${1000 + at}`)
    const claims = [claim({ source: 'ghsa', provider: 'ghsa', advisories: [GHSA] })]
    const aliases = listAliases({ claims, references: links.map((url) => ({ url, by: 'nvd', tags: [] })) })
    expect(aliases).toHaveLength(500)
    expect(aliases[0]).toEqual({ alias: GHSA, source: 'ghsa' })
  })
})
