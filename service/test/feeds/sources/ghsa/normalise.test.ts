import { describe, expect, it } from 'vitest'
import { isRejected } from '../../../../src/feeds/feed.ts'
import { normaliseAdvisory } from '../../../../src/feeds/sources/ghsa/normalise.ts'
import { advisory, cveId, ghsaId } from './fixtures.ts'

const NOW = new Date('2026-08-22T00:00:00Z')
const { osv, api } = advisory(1)

function normalise(raw: unknown) {
  const row = normaliseAdvisory(raw, NOW)
  if (isRejected(row)) throw new Error(row.reason)
  return row
}

const toRecord = (raw: unknown) => JSON.parse(normalise(raw).record)
const toHash = (raw: unknown) => normalise(raw).contentHash.toString('hex')

describe('GHSA feed: normalising an advisory', () => {
  it('converts an OSV advisory to a vendor record', () => {
    expect(toRecord(osv)).toEqual({
      cve_id: cveId(1),
      advisories: [ghsaId(1)],
      title: 'HTTP response splitting in redirects',
      description: 'A line break in the redirect target is written to the response header.',
      published: '2024-05-06T07:08:09Z',
      modified: '2026-08-01T10:00:00Z',
      withdrawn: false,
      severity: 'MODERATE',
      scores: [{ vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:L/A:N', base_score: null }],
      weaknesses: ['CWE-113', 'CWE-74'],
      products: [
        {
          vendor: 'PyPI',
          product: 'larkfield-http',
          status: 'affected',
          cpe: null,
          purl: 'pkg:pypi/larkfield-http',
          introduced: null,
          fixed: '1.2.0',
          last_affected: null,
        },
      ],
      references: [
        { url: `https://github.com/advisories/${ghsaId(1)}`, tags: [], built: true },
        { url: `https://github.com/larkfield/larkfield-http/security/advisories/${ghsaId(1)}`, tags: [] },
        { url: 'https://larkfield.example/security/redirects', tags: [] },
        { url: 'https://github.com/larkfield/larkfield-http', tags: [] },
      ],
      exploitation: null,
    })
  })

  it('computes the same hash for the OSV and API formats, although only the API has base scores and lists differ in order', () => {
    const [fromArchive, fromApi] = [toRecord(osv), toRecord(api)]
    const [page, ...references] = fromArchive.references
    expect(fromApi).toEqual({
      ...fromArchive,
      scores: [{ ...fromArchive.scores[0], base_score: 5.3 }],
      weaknesses: ['CWE-74', 'CWE-113'],
      // Only the API lists the advisory's own page.
      references: [{ url: page.url, tags: [] }, ...references],
    })
    expect(toHash(api)).toBe(toHash(osv))
  })

  it.each([
    ['title', { summary: 'Changed' }],
    ['description', { details: 'Changed' }],
    ['modification date', { modified: '2026-08-02T10:00:00Z' }],
    ['CVE id', { aliases: ['CVE-2020-0001'] }],
    ['withdrawal date', { withdrawn: '2026-08-01T10:00:00Z' }],
    ['score', { severity: [] }],
    ['products', { affected: [] }],
    ['references', { references: [] }],
    ['weaknesses and severity', { database_specific: {} }],
  ])("changes the hash when the advisory's %s changes", (_, changed) => {
    expect(toHash({ ...osv, ...changed })).not.toBe(toHash(osv))
  })

  it('marks an advisory with a withdrawal date as withdrawn', () => {
    expect(toRecord({ ...osv, withdrawn: '2026-08-01T10:00:00Z' })).toMatchObject({ withdrawn: true })
    expect(toRecord({ ...api, withdrawn_at: '2026-08-01T10:00:00Z' })).toMatchObject({ withdrawn: true })
  })

  it('keeps an advisory without a CVE', () => {
    for (const raw of [
      { ...osv, aliases: ['PYSEC-2024-1'] },
      { ...api, cve_id: null },
    ]) {
      expect(normalise(raw)).toMatchObject({ ghsaId: ghsaId(1), cveId: null })
      expect(toRecord(raw)).toMatchObject({ cve_id: null, advisories: [ghsaId(1)], products: [{ fixed: '1.2.0' }] })
    }
  })

  it('replaces a future modification date with the current time and flags the row', () => {
    const row = normalise({ ...osv, modified: '2027-01-01T00:00:00Z' })
    expect(row).toMatchObject({ modified: NOW, isFuture: true })
    expect(JSON.parse(row.record)).toMatchObject({ modified: '2026-08-22T00:00:00Z' })
  })

  it('builds the package URL from ecosystem and name, and keeps the given one for an unknown ecosystem', () => {
    const affected = [
      { package: { ecosystem: 'npm', name: '@larkfield/http', purl: 'pkg:npm/other' } },
      { package: { ecosystem: 'Larkfield', name: 'http', purl: 'pkg:generic/http' } },
    ]
    expect(toRecord({ ...osv, affected }).products).toMatchObject([
      { purl: 'pkg:npm/%40larkfield/http' },
      { purl: 'pkg:generic/http' },
    ])
  })

  it.each([
    ['actions', 'Larkfield/Http', 'GitHub Actions', 'pkg:githubactions/larkfield/http'],
    ['erlang', 'lark_http', 'Hex', 'pkg:hex/lark_http'],
    ['pub', 'lark_http', 'Pub', 'pkg:pub/lark_http'],
    ['swift', 'github.com/larkfield/http', 'SwiftURL', 'pkg:swift/github.com/larkfield/http'],
  ])("names a package of the API's ecosystem %s like the archive", (ecosystem, name, vendor, purl) => {
    const vulnerabilities = [{ package: { ecosystem, name } }]
    const affected = [{ package: { ecosystem: vendor, name } }]
    expect(toRecord({ ...api, vulnerabilities }).products).toMatchObject([{ vendor, purl }])
    expect(toRecord({ ...osv, affected }).products).toMatchObject([{ vendor, purl }])
  })

  it('keeps http references of every type, and drops other URLs', () => {
    const types = ['ADVISORY', 'FIX', 'EVIDENCE', 'WEB', 'constructor']
    const references = [
      ...types.map((type) => ({ type, url: `https://larkfield.example/${type}` })),
      { type: 'ADVISORY', url: 'https://nvd.nist.gov/vuln/detail/CVE-2024-10001' },
      { type: 'WEB', url: 'https://larkfield.example/FIX' },
      { type: 'ADVISORY', url: `https://github.com/advisories/${ghsaId(1)}` },
      { type: 'WEB', url: 'javascript:alert(1)' },
    ]
    expect(toRecord({ ...osv, references })).toMatchObject({
      references: [
        { url: `https://github.com/advisories/${ghsaId(1)}`, tags: ['Advisory'] },
        { url: 'https://larkfield.example/ADVISORY', tags: ['Advisory'] },
        { url: 'https://larkfield.example/FIX', tags: ['Patch'] },
        { url: 'https://larkfield.example/EVIDENCE', tags: ['Exploit'] },
        { url: 'https://larkfield.example/WEB', tags: [] },
        { url: 'https://larkfield.example/constructor', tags: [] },
        { url: 'https://nvd.nist.gov/vuln/detail/CVE-2024-10001', tags: [] },
      ],
    })
  })
})

describe('GHSA feed: affected versions', () => {
  const bounds = (raw: unknown) =>
    toRecord(raw).products.map((each: Record<string, unknown>) => [
      each['introduced'],
      each['fixed'],
      each['last_affected'],
    ])
  const osvBounds = (affected: object) =>
    bounds({ ...osv, affected: [{ package: { ecosystem: 'npm', name: 'a' }, ...affected }] })
  const range = (...events: object[]) => ({ ranges: [{ type: 'SEMVER', events }] })

  it.each([
    ['a fixed version and no lower bound', range({ introduced: '0' }, { fixed: '2' }), [[null, '2', null]]],
    ['a last affected version', range({ introduced: '1' }, { last_affected: '2' }), [['1', null, '2']]],
    ['no upper bound', range({ introduced: '1' }), [['1', null, null]]],
    [
      'two intervals in one range',
      range({ introduced: '1' }, { fixed: '2' }, { introduced: '3' }, { fixed: '4' }),
      [
        ['1', '2', null],
        ['3', '4', null],
      ],
    ],
    [
      'an upper bound in database_specific',
      { ...range({ introduced: '1' }), database_specific: { last_known_affected_version_range: '<= 3' } },
      [['1', null, '3']],
    ],
    [
      'a fix that takes precedence over database_specific',
      {
        ...range({ introduced: '1' }, { fixed: '4' }),
        database_specific: { last_known_affected_version_range: '<= 3' },
      },
      [['1', '4', null]],
    ],
    [
      'a list of single versions',
      { versions: ['1.1', '1.2'] },
      [
        ['1.1', null, '1.1'],
        ['1.2', null, '1.2'],
      ],
    ],
    ['no range and no versions', {}, [[null, null, null]]],
    [
      'a GIT range, which is ignored',
      { ranges: [{ type: 'GIT', events: [{ introduced: 'abc' }] }] },
      [[null, null, null]],
    ],
  ])('reads the version bounds of an OSV entry with %s', (_, affected, expected) => {
    expect(osvBounds(affected)).toEqual(expected)
  })

  it.each([
    ['>= 9.0.0, <= 9.0.5', '9.0.6', ['9.0.0', '9.0.6', null]],
    ['>= 9.0.0, <= 9.0.5', null, ['9.0.0', null, '9.0.5']],
    ['< 2', { identifier: '2' }, [null, '2', null]],
    ['= 1.5', null, ['1.5', null, '1.5']],
    ['> 1, < 2', null, ['1', '2', null]],
    ['<= 1.0 beta 2', null, [null, null, '1.0 beta 2']],
    ['>= 0', null, [null, null, null]],
    ['>=1,<2', null, ['1', '2', null]],
    ['  >=  1  ,  <  2  ', null, ['1', '2', null]],
    [null, null, [null, null, null]],
  ])(
    'reads the version bounds of the API range "%s" with the first patched version %j',
    (vulnerable_version_range, first_patched_version, expected) => {
      const pack = { ecosystem: 'rust', name: 'a' }
      const vulnerabilities = [{ package: pack, vulnerable_version_range, first_patched_version }, { package: null }]
      expect(bounds({ ...api, vulnerabilities })).toEqual([expected])
      expect(toRecord({ ...api, vulnerabilities }).products[0].vendor).toBe('crates.io')
    },
  )
})

describe('GHSA feed: rejected advisories', () => {
  it.each([
    ['an id from another database', { ...osv, id: 'PYSEC-2024-1' }, 'PYSEC-2024-1', 'not a GHSA id'],
    ['an invalid CVE id', { ...osv, aliases: ['CVE-24-1'] }, ghsaId(1), 'not a CVE id: "CVE-24-1"'],
    [
      'an invalid modification date',
      { ...osv, modified: 'May' },
      ghsaId(1),
      'the modification date is not a valid date-time: "May"',
    ],
    [
      'an invalid publication date',
      { ...osv, published: 'May' },
      ghsaId(1),
      'the publication date is not a valid date-time: "May"',
    ],
    ['an OSV member of the wrong type', { ...osv, affected: {} }, ghsaId(1), '/affected must be array'],
    ['an API member of the wrong type', { ...api, updated_at: 7 }, ghsaId(1), '/updated_at must be string'],
    ['a number instead of a JSON object', 7, 'an advisory without an id', 'the record must be object'],
    [
      'an unreadable version range',
      { ...api, vulnerabilities: [{ package: { ecosystem: 'npm', name: 'a' }, vulnerable_version_range: 'old ones' }] },
      ghsaId(1),
      'cannot parse the version range "old ones"',
    ],
  ])('rejects an advisory with %s and gives a reason', (_, raw, rejected, reason) => {
    expect(normaliseAdvisory(raw, NOW)).toEqual({ rejected, reason: expect.stringContaining(reason) })
  })

  it.each(['<= > 1', '>= =1', '>', '1', '< 1,'])('rejects the version range "%s"', (vulnerable_version_range) => {
    const vulnerabilities = [{ package: { ecosystem: 'npm', name: 'a' }, vulnerable_version_range }]

    expect(normaliseAdvisory({ ...api, vulnerabilities }, NOW)).toMatchObject({ rejected: ghsaId(1) })
  })

  // An expression that needs quadratic time needs more than half an hour for this text.
  it('rejects a version range with a million spaces before the test reaches its time limit', () => {
    const vulnerable_version_range = `<= 1${' '.repeat(1_000_000)}<`
    const vulnerabilities = [{ package: { ecosystem: 'npm', name: 'a' }, vulnerable_version_range }]

    expect(normaliseAdvisory({ ...api, vulnerabilities }, NOW)).toMatchObject({ rejected: ghsaId(1) })
  })
})
