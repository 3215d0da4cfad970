import { describe, expect, it } from 'vitest'
import { isRejected } from '../../../../src/feeds/feed.ts'
import { normaliseAdvisory } from '../../../../src/feeds/sources/ghsa/normalise.ts'
import { advisory, cveId, ghsaId } from './fixtures.ts'

const NOW = new Date('2026-08-22T00:00:00Z')
const { osv, api } = advisory(1)

function rowOf(raw: unknown) {
  const row = normaliseAdvisory(raw, NOW)
  if (isRejected(row)) throw new Error(row.reason)
  return row
}

const recordOf = (raw: unknown) => JSON.parse(rowOf(raw).kept?.record ?? 'null')
const hashOf = (raw: unknown) => rowOf(raw).contentHash.toString('hex')

describe('An advisory', () => {
  it('becomes a record in the form that all vendors share', () => {
    expect(recordOf(osv)).toEqual({
      cve_id: cveId(1),
      advisories: [ghsaId(1)],
      title: 'The lid falls',
      description: 'When the teapot is tilted, its lid falls.',
      published: '2024-05-06T07:08:09Z',
      modified: '2026-08-01T10:00:00Z',
      withdrawn: false,
      severity: 'MODERATE',
      scores: [{ vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:L/A:N', base_score: null }],
      weaknesses: ['CWE-113', 'CWE-74'],
      products: [
        {
          vendor: 'PyPI',
          product: 'teapot',
          status: 'affected',
          cpe: null,
          purl: null,
          introduced: null,
          fixed: '1.2.0',
          last_affected: null,
        },
      ],
      references: [
        { url: `https://github.com/advisories/${ghsaId(1)}`, tags: ['Third Party Advisory'] },
        { url: `https://github.com/kettle/teapot/security/advisories/${ghsaId(1)}`, tags: ['Vendor Advisory'] },
        { url: 'https://kettle.example/lid', tags: [] },
        { url: 'https://github.com/kettle/teapot', tags: [] },
      ],
      exploitation: null,
    })
  })

  it('says the same in both forms, though only the API scores it and lists have another order', () => {
    const [fromArchive, fromApi] = [recordOf(osv), recordOf(api)]
    expect(fromApi).toEqual({
      ...fromArchive,
      scores: [{ ...fromArchive.scores[0], base_score: 5.3 }],
      weaknesses: ['CWE-74', 'CWE-113'],
    })
    expect(hashOf(api)).toBe(hashOf(osv))
  })

  it.each([
    ['title', { summary: 'Another' }],
    ['description', { details: 'Another' }],
    ['date', { modified: '2026-08-02T10:00:00Z' }],
    ['CVE', { aliases: ['CVE-2020-0001'] }],
    ['withdrawal', { withdrawn: '2026-08-01T10:00:00Z' }],
    ['score', { severity: [] }],
    ['products', { affected: [] }],
    ['references', { references: [] }],
    ['weaknesses and severity', { database_specific: {} }],
  ])('is another one with another %s', (_, changed) => {
    expect(hashOf({ ...osv, ...changed })).not.toBe(hashOf(osv))
  })

  it('is withdrawn when GitHub says when', () => {
    expect(recordOf({ ...osv, withdrawn: '2026-08-01T10:00:00Z' })).toMatchObject({ withdrawn: true })
    expect(recordOf({ ...api, withdrawn_at: '2026-08-01T10:00:00Z' })).toMatchObject({ withdrawn: true })
  })

  it('may name no CVE, and then there is nothing to keep', () => {
    expect(rowOf({ ...osv, aliases: ['PYSEC-2024-1'] }).kept).toBeNull()
    expect(rowOf({ ...api, cve_id: null }).kept).toBeNull()
  })

  it('that is dated in the future is cut to now, and told', () => {
    const row = rowOf({ ...osv, modified: '2027-01-01T00:00:00Z' })
    expect(row).toMatchObject({ modified: NOW, isFuture: true })
    expect(JSON.parse(row.kept?.record ?? '')).toMatchObject({ modified: '2026-08-22T00:00:00Z' })
  })

  it('keeps package URLs, every kind of reference, and no address that cannot be followed', () => {
    const kinds = ['ADVISORY', 'FIX', 'EVIDENCE', 'WEB', 'constructor']
    const references = [
      ...kinds.map((type) => ({ type, url: `https://kettle.example/${type}` })),
      { type: 'ADVISORY', url: 'https://nvd.nist.gov/vuln/detail/CVE-2024-10001' },
      { type: 'WEB', url: 'https://kettle.example/FIX' },
      { type: 'ADVISORY', url: `https://github.com/advisories/${ghsaId(1)}` },
      { type: 'WEB', url: 'javascript:alert(1)' },
    ]
    const pack = { ecosystem: 'npm', name: '@kettle/teapot', purl: 'pkg:npm/%40kettle/teapot' }
    expect(recordOf({ ...osv, references, affected: [{ package: pack }] })).toMatchObject({
      references: [
        { url: `https://github.com/advisories/${ghsaId(1)}`, tags: ['Third Party Advisory'] },
        { url: 'https://kettle.example/ADVISORY', tags: ['Vendor Advisory'] },
        { url: 'https://kettle.example/FIX', tags: ['Patch'] },
        { url: 'https://kettle.example/EVIDENCE', tags: ['Exploit'] },
        { url: 'https://kettle.example/WEB', tags: [] },
        { url: 'https://kettle.example/constructor', tags: [] },
        { url: 'https://nvd.nist.gov/vuln/detail/CVE-2024-10001', tags: [] },
      ],
      products: [{ vendor: 'npm', product: '@kettle/teapot', purl: 'pkg:npm/%40kettle/teapot' }],
    })
  })
})

describe('The affected versions', () => {
  const bounds = (raw: unknown) =>
    recordOf(raw).products.map((each: Record<string, unknown>) => [
      each['introduced'],
      each['fixed'],
      each['last_affected'],
    ])
  const ofOsv = (affected: object) =>
    bounds({ ...osv, affected: [{ package: { ecosystem: 'npm', name: 'a' }, ...affected }] })
  const range = (...events: object[]) => ({ ranges: [{ type: 'SEMVER', events }] })

  it.each([
    ['from the beginning to a fix', range({ introduced: '0' }, { fixed: '2' }), [[null, '2', null]]],
    ['to the last one affected', range({ introduced: '1' }, { last_affected: '2' }), [['1', null, '2']]],
    ['without an end', range({ introduced: '1' }), [['1', null, null]]],
    [
      'more than once in one range',
      range({ introduced: '1' }, { fixed: '2' }, { introduced: '3' }, { fixed: '4' }),
      [
        ['1', '2', null],
        ['3', '4', null],
      ],
    ],
    [
      'to one that is written beside the range',
      { ...range({ introduced: '1' }), database_specific: { last_known_affected_version_range: '<= 3' } },
      [['1', null, '3']],
    ],
    [
      'to a fix, whatever is written beside it',
      {
        ...range({ introduced: '1' }, { fixed: '4' }),
        database_specific: { last_known_affected_version_range: '<= 3' },
      },
      [['1', '4', null]],
    ],
    [
      'one by one',
      { versions: ['1.1', '1.2'] },
      [
        ['1.1', null, '1.1'],
        ['1.2', null, '1.2'],
      ],
    ],
    ['all of them', {}, [[null, null, null]]],
    [
      'by commits, which are no versions',
      { ranges: [{ type: 'GIT', events: [{ introduced: 'abc' }] }] },
      [[null, null, null]],
    ],
  ])('are read from OSV: %s', (_, affected, expected) => {
    expect(ofOsv(affected)).toEqual(expected)
  })

  it.each([
    ['>= 9.0.0, <= 9.0.5', '9.0.6', ['9.0.0', '9.0.6', null]],
    ['>= 9.0.0, <= 9.0.5', null, ['9.0.0', null, '9.0.5']],
    ['< 2', { identifier: '2' }, [null, '2', null]],
    ['= 1.5', null, ['1.5', null, '1.5']],
    ['> 1, < 2', null, ['1', '2', null]],
    ['<= 1.0 beta 2', null, [null, null, '1.0 beta 2']],
    ['>= 0', null, [null, null, null]],
    [null, null, [null, null, null]],
  ])('are read from the API: %s, fixed in %j', (vulnerable_version_range, first_patched_version, expected) => {
    const pack = { ecosystem: 'rust', name: 'a' }
    const vulnerabilities = [{ package: pack, vulnerable_version_range, first_patched_version }, { package: null }]
    expect(bounds({ ...api, vulnerabilities })).toEqual([expected])
    expect(recordOf({ ...api, vulnerabilities }).products[0].vendor).toBe('crates.io')
  })
})

describe('An advisory that cannot be used', () => {
  it.each([
    ['has another id', { ...osv, id: 'PYSEC-2024-1' }, 'PYSEC-2024-1', 'not the id of an advisory'],
    ['names something like a CVE', { ...osv, aliases: ['CVE-24-1'] }, ghsaId(1), 'not a CVE id: "CVE-24-1"'],
    ['has no date', { ...osv, modified: 'May' }, ghsaId(1), 'the time of its last change is no time: "May"'],
    ['was published never', { ...osv, published: 'May' }, ghsaId(1), 'the time of its publication is no time: "May"'],
    ['has another form', { ...osv, affected: {} }, ghsaId(1), '/affected must be array'],
    ['has another form in the API', { ...api, updated_at: 7 }, ghsaId(1), '/updated_at must be string'],
    ['is none', 7, 'an advisory without an id', 'the record must be object'],
    [
      'has a range that nobody can read',
      { ...api, vulnerabilities: [{ package: { ecosystem: 'npm', name: 'a' }, vulnerable_version_range: 'old ones' }] },
      ghsaId(1),
      'its range cannot be read: "old ones"',
    ],
  ])('is rejected by its name, as when it %s', (_, raw, rejected, reason) => {
    expect(normaliseAdvisory(raw, NOW)).toEqual({ rejected, reason: expect.stringContaining(reason) })
  })
})
