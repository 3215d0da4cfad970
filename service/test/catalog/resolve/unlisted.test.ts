import { describe, expect, it } from 'vitest'
import { resolve } from '../../../src/catalog/resolve/resolve.ts'
import { cve, nvd, record, resolved, sourceData, VECTORS, vendor } from '../builders.ts'
import { euKevEntry, exploit } from '../records.ts'

const ANNOTATION = {
  cve_id: 'CVE-2026-4711',
  cna: 'maker',
  description: 'Description in the override.',
  published: '2026-06-20T04:00:00',
  references: ['https://maker.example/advisory'],
}
const override = (annotation: object = ANNOTATION) =>
  record('overrides', { _annotation: annotation, cve: { configurations: [] } })

const osv = (members: object = {}) =>
  record('osv', {
    database: 'go',
    advisories: ['GO-2026-0001'],
    cve_ids: ['CVE-2026-4711'],
    title: 'Title of the advisory',
    description: 'Text of the advisory.',
    published: '2026-05-06T07:08:09Z',
    withdrawn: false,
    scores: [{ vector: VECTORS['9.8'], base_score: null }],
    weaknesses: ['CWE-444'],
    products: [],
    references: [],
    ...members,
  })

const debian = (isDescribed: boolean) => [
  { package: 'lark', release: 'sid', status: 'open', fixedVersion: null, isDescribed },
]

describe('Resolver: a CVE that neither NVD nor the CVE List has (decision E32)', () => {
  it('is led by the first source that describes it, with the status Received', () => {
    const merged = resolved([osv(), vendor('ghsa'), override()])
    expect(merged).toMatchObject({
      sourceTag: 'ghsa',
      status: { value: 'Received', by: 'rules' },
      description: { value: 'Description by ghsa.', by: 'ghsa' },
    })
  })

  it('has the earliest date that a source gives', () => {
    expect(resolved([vendor('ghsa'), override(), osv()]).published).toMatchObject({
      value: new Date('2026-05-06T07:08:09Z'),
      by: 'osv:go',
    })
  })

  it('takes text, date, CNA and links from the override by Anchore', () => {
    const merged = resolved([override()])
    expect(merged).toMatchObject({
      sourceTag: 'overrides',
      description: { value: 'Description in the override.', by: 'anchore' },
      published: { value: new Date('2026-06-20T04:00:00Z'), by: 'anchore' },
      references: [{ url: 'https://maker.example/advisory', by: 'anchore', tags: [] }],
    })
    expect(merged.claims[0]?.assigner).toBe('maker')
  })

  it('takes text, score and weakness from an OSV advisory about it alone', () => {
    expect(resolved([osv()])).toMatchObject({
      sourceTag: 'osv',
      description: { value: 'Text of the advisory.', by: 'osv:go' },
      score: { value: { score: 9.8 }, by: 'osv:go' },
      weaknesses: [{ id: 'CWE-444', by: ['osv:go'] }],
    })
  })

  it('takes only its own line from the text of an advisory about several CVEs', () => {
    const several = { cve_ids: ['CVE-2026-4711', 'CVE-2026-4712'] }
    const description =
      'Security Fix(es):\n\n  * lark: overflow in the parser (CVE-2026-4711)\n\n  * lark: leak (CVE-2026-4712)'
    expect(resolved([osv({ ...several, description })])).toMatchObject({
      description: { value: 'lark: overflow in the parser', by: 'osv:go' },
      score: null,
      weaknesses: [],
    })
    expect(resolved([osv(several)])).toMatchObject({ description: null, sourceTag: 'osv' })
  })

  it.each(['exploitdb', 'metasploit', 'nuclei'] as const)('has a record if only %s names it', (feed) => {
    const merged = resolved([], {
      exploits: [exploit(feed, { title: 'Lark 1.0 - Overflow', published: '2026-03-07' })],
    })
    expect(merged).toMatchObject({
      sourceTag: feed,
      description: { value: 'Lark 1.0 - Overflow', by: feed },
      published: { value: new Date('2026-03-07T00:00:00Z'), by: feed },
      modified: { value: new Date('2026-03-07T00:00:00Z'), by: 'rules', time: null },
      references: [],
      sources: [],
    })
  })

  it('is not dated by an exploit that is older than its id', () => {
    expect(resolved([], { exploits: [exploit('exploitdb', { published: '2025-12-31' })] }).published).toBeNull()
  })

  it('has a record without text and date if only Debian describes it', () => {
    expect(resolved([], { debian: debian(true) })).toMatchObject({
      sourceTag: 'debian',
      description: null,
      published: null,
      modified: { value: new Date(0), by: 'rules', time: null },
    })
  })

  it('has the date of the listing if only EU KEV lists it', () => {
    const day = new Date('2026-08-18T00:00:00Z')
    expect(resolved([], { euKev: euKevEntry() })).toMatchObject({
      sourceTag: 'eukev',
      description: null,
      published: { value: day, by: 'eu-kev' },
      // ENISA's date is no change of a record (decision E23).
      modified: { value: day, by: 'rules' },
    })
  })

  it.each([
    ['an EPSS score', [], { epssScore: 0.5 }],
    ['a repository', [], { exploits: [exploit('poc')] }],
    ['a reserved id in the tracker of Debian', [], { debian: debian(false) }],
    ['a withdrawn advisory', [vendor('ghsa', { withdrawn: true })], {}],
    ['an entry that ENISA removed', [], { euKev: euKevEntry({ removedAt: new Date('2026-08-20T00:00:00Z') }) }],
  ] as const)('has no record for %s alone', (_, records, more) => {
    expect(resolve(sourceData(records, more))).toBeUndefined()
  })
})

describe('Resolver: a CVE that NVD or the CVE List has (decision E32)', () => {
  it.each([
    ['NVD', nvd({ published: undefined, descriptions: [] })],
    ['the CVE List', cve({ metadata: { datePublished: undefined }, cna: { descriptions: [], providerMetadata: {} } })],
  ])('takes no text, date or score that OSV databases, Anchore and exploits repeat if %s has it', (_, listed) => {
    const exploits = [exploit('exploitdb', { published: '2026-03-07' })]
    expect(resolved([listed, osv(), override()], { exploits, debian: debian(true) })).toMatchObject({
      description: null,
      published: null,
      score: null,
      references: [],
    })
  })
})
