import { describe, expect, it } from 'vitest'
import { OSV_SOURCES } from '../../../../src/domain/source/osv-sources.ts'
import { isRejected } from '../../../../src/feeds/feed.ts'
import { normaliseOsv } from '../../../../src/feeds/sources/osv/normalise.ts'
import { osvAdvisory } from './fixtures.ts'

const NOW = new Date('2026-08-22T00:00:00Z')

function findDatabase(name: string) {
  const database = Object.values(OSV_SOURCES).find((each) => each.database === name)
  if (!database) throw new Error(`there is no OSV database ${name}`)
  return database
}

function normalise(name: string, raw: unknown) {
  const row = normaliseOsv(findDatabase(name), raw, NOW)
  if (isRejected(row)) throw new Error(row.reason)
  return { ...row, record: JSON.parse(row.record) }
}

const go = osvAdvisory('GO-2024-0001')
const hashOf = (raw: unknown) => normalise('go', raw).contentHash.toString('hex')

describe('OSV feeds: normalising an advisory', () => {
  it('converts an advisory to a record with packages, purls, ranges, references and aliases', () => {
    expect(normalise('go', go)).toMatchObject({
      id: 'GO-2024-0001',
      cveIds: ['CVE-2024-0001'],
      modified: new Date('2026-08-01T10:00:00Z'),
      isFuture: false,
      record: {
        database: 'go',
        cve_ids: ['CVE-2024-0001'],
        aliases: ['GHSA-2222-3333-4444'],
        advisories: ['GO-2024-0001'],
        title: 'Request smuggling in larkfield/http',
        withdrawn: false,
        products: [
          {
            vendor: 'Go',
            product: 'example.org/larkfield/http',
            purl: 'pkg:golang/example.org/larkfield/http',
            introduced: '1.0.0',
            fixed: '1.2.0',
            last_affected: null,
          },
        ],
        references: [
          { url: 'https://pkg.go.dev/vuln/GO-2024-0001', tags: [], built: true },
          { url: 'https://example.org/larkfield/commit/1', tags: ['Patch'] },
        ],
      },
    })
  })

  it('keeps an advisory without a CVE', () => {
    expect(normalise('go', { ...go, aliases: null })).toMatchObject({ cveIds: [], record: { cve_ids: [] } })
  })

  it('reads module streams of an AlmaLinux erratum from its title, for packages that are built in a module', () => {
    const affected = ['2-1.module_el8.9.0+7+ab', '3-1.el8'].map((fixed) => ({
      package: { ecosystem: 'AlmaLinux:8', name: 'lark' },
      ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }, { fixed }] }],
    }))
    const read = (summary: string) => {
      const raw = osvAdvisory('ALSA-2024:0001', { summary, affected })
      return normalise('almalinux', raw).record.products.map(({ streams }: { streams?: unknown }) => streams)
    }
    expect(read('Important: birds:2 and birds-devel:2 security update')).toEqual([
      ['birds:2', 'birds-devel:2'],
      undefined,
    ])
    expect(read('ALSA-2024:0001: birds:rhel8 security update (Important)')).toEqual([['birds:rhel8'], undefined])
    expect(read('birds bug fix update')).toEqual([[], undefined])
  })

  it('reads AlmaLinux CVEs from `related` and those of the other databases from `aliases`', () => {
    const related = ['CVE-2024-0003', 'CVE-2024-0002', 'CVE-2024-0002', 'RHSA-2024:1']
    const alma = osvAdvisory('ALSA-2024:10073', { aliases: undefined, related })
    expect(normalise('almalinux', alma).cveIds).toEqual(['CVE-2024-0002', 'CVE-2024-0003'])
    expect(normalise('go', { ...go, related }).cveIds).toEqual(['CVE-2024-0001'])
  })

  it('omits reports that name no CVE if the advisory is about several CVEs', () => {
    const references = [
      { type: 'ADVISORY', url: 'https://errata.example/ALSA-2024-10073' },
      { type: 'REPORT', url: 'https://bugs.example/17' },
      { type: 'REPORT', url: 'https://example.org/security/cve/CVE-2024-0003' },
    ]
    const urls = (related: readonly string[]) =>
      normalise('almalinux', osvAdvisory('ALSA-2024:10073', { related, references }))
        .record.references.slice(1)
        .map(({ url }: { url: string }) => url)
    expect(urls(['CVE-2024-0002', 'CVE-2024-0003'])).toEqual([
      'https://errata.example/ALSA-2024-10073',
      'https://example.org/security/cve/CVE-2024-0003',
    ])
    expect(urls(['CVE-2024-0003'])).toHaveLength(3)
  })

  it.each([
    ['go', 'GO-2024-0001'],
    ['rustsec', 'RUSTSEC-2024-0001'],
    ['pypa', 'PYSEC-2024-1'],
  ])('marks a withdrawn advisory from %s as withdrawn', (name, id) => {
    expect(normalise(name, osvAdvisory(id, { withdrawn: '2026-08-01T10:00:00Z' })).record).toMatchObject({
      withdrawn: true,
    })
  })

  it('reads the CVEs from the member that the database uses', () => {
    const raw = osvAdvisory('ALSA-2024:1', { aliases: [], related: ['CVE-2024-0002'], upstream: ['CVE-2024-0003'] })
    const alma = OSV_SOURCES['osv-almalinux']
    expect(normaliseOsv(alma, raw, NOW)).toMatchObject({ cveIds: ['CVE-2024-0002'] })
    expect(normaliseOsv({ ...alma, cveIdsIn: 'upstream' }, raw, NOW)).toMatchObject({ cveIds: ['CVE-2024-0003'] })
  })

  const inRelease = (ecosystem: string, fixed?: string) => ({
    package: { ecosystem, name: 'lark' },
    ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }, ...(fixed === undefined ? [] : [{ fixed }])] }],
  })
  const ubuntu = (id: string, upstream: readonly string[], affected: readonly object[]) =>
    normalise('ubuntu', osvAdvisory(id, { upstream, affected }))
  const listFixes = ({ record }: ReturnType<typeof ubuntu>) =>
    record.products.map(({ vendor, fixed }: { vendor: string; fixed: string | null }) => [vendor, fixed])

  it("reads an Ubuntu notice's CVEs from the ids of Ubuntu's records, and its packages from those records alone", () => {
    const affected = [inRelease('Ubuntu:24.04:LTS', '2.0')]
    const notice = ubuntu('USN-9001-1', ['UBUNTU-CVE-2024-0002', 'CVE-2024-0001'], affected)
    expect(notice).toMatchObject({ cveIds: ['CVE-2024-0001', 'CVE-2024-0002'], record: { products: [] } })
    expect(ubuntu('UBUNTU-CVE-2024-0001', ['CVE-2024-0001'], affected).record.products).toHaveLength(1)
    expect(ubuntu('USN-9002-1', [], affected).record.products).toHaveLength(1)
  })

  it('omits the entry without a fix of an Ubuntu release whose fix is in Ubuntu Pro', () => {
    const [open, pro] = [inRelease('Ubuntu:22.04:LTS'), inRelease('Ubuntu:Pro:22.04:LTS', '1.0~esm1')]
    const other = inRelease('Ubuntu:24.04:LTS')
    const read = (...affected: readonly object[]) =>
      listFixes(ubuntu('UBUNTU-CVE-2024-1001', ['CVE-2024-0001'], affected))
    expect(read(open, pro, other)).toEqual([
      ['Ubuntu:Pro:22.04:LTS', '1.0~esm1'],
      ['Ubuntu:24.04:LTS', null],
    ])
    expect(read(open)).toEqual([['Ubuntu:22.04:LTS', null]])
  })

  it('reads only ids, dates and links of a Debian advisory, because the tracker judges its packages', () => {
    const raw = osvAdvisory('DSA-9001-1', {
      aliases: undefined,
      upstream: ['CVE-2024-0001', 'DEBIAN-CVE-2024-0001', 'DEBIAN-CVE-2024-0002'],
      severity: [{ type: 'CVSS_V3', score: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:L/A:N' }],
      affected: [inRelease('Debian:12', '2.0-1+deb12u1')],
      database_specific: { severity: 'high', cwe_ids: ['CWE-79'] },
    })
    expect(normalise('debian', raw)).toMatchObject({ id: 'DSA-9001-1', cveIds: ['CVE-2024-0001', 'CVE-2024-0002'] })
    expect(normalise('debian', raw).record).toEqual({
      database: 'debian',
      cve_ids: ['CVE-2024-0001', 'CVE-2024-0002'],
      aliases: [],
      advisories: ['DSA-9001-1'],
      title: null,
      description: null,
      withdrawn: false,
      severity: null,
      scores: [],
      weaknesses: [],
      products: [],
      references: [
        { url: 'https://security-tracker.debian.org/tracker/DSA-9001-1', tags: [], built: true },
        { url: 'https://example.org/larkfield/commit/1', tags: ['Patch'] },
      ],
      published: '2024-05-06T07:08:09Z',
      modified: '2026-08-01T10:00:00Z',
      exploitation: null,
    })
    expect(normalise('debian', { ...raw, id: 'DLA-9001-2', upstream: null })).toMatchObject({ cveIds: [] })
  })

  it('keeps an open range of a package that has others with an end', () => {
    const ranges = [{ type: 'SEMVER', events: [{ introduced: '1.0' }, { fixed: '1.2' }, { introduced: '2.0' }] }]
    const affected = [{ package: { ecosystem: 'crates.io', name: 'lark' }, ranges }]
    expect(normalise('rustsec', osvAdvisory('RUSTSEC-2024-0001', { affected })).record.products).toHaveLength(2)
  })

  it('reads a lower bound of 0.0.0-0, as RustSec writes it, as no lower bound', () => {
    const affected = [
      {
        package: { ecosystem: 'crates.io', name: 'larkfield' },
        ranges: [{ type: 'SEMVER', events: [{ introduced: '0.0.0-0' }, { fixed: '0.9.0' }] }],
      },
    ]
    expect(normalise('rustsec', osvAdvisory('RUSTSEC-2024-0001', { affected })).record.products).toMatchObject([
      { purl: 'pkg:cargo/larkfield', introduced: null, fixed: '0.9.0' },
    ])
  })

  it('reads the scores that Bitnami gives with its packages', () => {
    const severity = [{ type: 'CVSS_V3', score: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:L/A:N' }]
    const affected = [{ package: { ecosystem: 'Bitnami', name: 'larkfield' }, severity }]
    expect(normalise('bitnami', osvAdvisory('BIT-larkfield-2024-0001', { affected })).record.scores).toEqual([
      { vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:L/A:N', base_score: null },
    ])
  })

  it('ignores additional members, such as the path of a converted YAML file', () => {
    const raw = osvAdvisory('PYSEC-2024-1', { path: 'vulns/larkfield/PYSEC-2024-1.yaml' })
    expect(normalise('pypa', raw).record).not.toHaveProperty('path')
  })

  it("reads a date-time with a space, as in PyPA's converted YAML files", () => {
    const raw = osvAdvisory('PYSEC-2024-1', { modified: '2023-07-24 14:58:05.562874+00:00' })
    expect(normalise('pypa', raw).modified).toEqual(new Date('2023-07-24T14:58:05Z'))
  })

  it('treats the year 1, which the Go database writes, as no date', () => {
    const undated = { ...go, modified: '0001-01-01T00:00:00Z', published: '0001-01-01T00:00:00Z' }
    expect(normalise('go', undated)).toMatchObject({ modified: new Date(0), record: { published: null } })
  })

  it('replaces a future modification date with the current time and flags the row', () => {
    expect(normalise('go', { ...go, modified: '2027-01-01T00:00:00Z' })).toMatchObject({
      modified: NOW,
      isFuture: true,
    })
  })

  it('changes the hash with the content, but not with the modification date alone', () => {
    expect(hashOf({ ...go, modified: '2026-08-02T10:00:00Z' })).toBe(hashOf(go))
    for (const changed of [{ summary: 'Changed' }, { aliases: [] }, { withdrawn: '2026-08-01T10:00:00Z' }])
      expect(hashOf({ ...go, ...changed })).not.toBe(hashOf(go))
  })

  it.each([
    ['an id from another database', { ...go, id: 'GHSA-2222-3333-4444' }, 'not an id of the Go Vulnerability Database'],
    [
      'an invalid modification date',
      { ...go, modified: 'May' },
      'the modification date is not a valid date-time: "May"',
    ],
    [
      'an invalid publication date',
      { ...go, published: 'May' },
      'the publication date is not a valid date-time: "May"',
    ],
    [
      'more than 20,000 products',
      {
        ...go,
        affected: [{ package: { ecosystem: 'Go', name: 'a' }, versions: Array.from({ length: 20_001 }, String) }],
      },
      'more than 20000 products',
    ],
    ['a member of the wrong type', { ...go, affected: {} }, '/affected must be array'],
    ['no id', 7, 'the record must be object'],
  ])('rejects an advisory with %s', (_what, raw, reason) => {
    expect(normaliseOsv(findDatabase('go'), raw, NOW)).toMatchObject({ reason: expect.stringContaining(reason) })
  })
})
