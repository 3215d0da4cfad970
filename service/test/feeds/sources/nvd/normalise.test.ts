import { describe, expect, it } from 'vitest'
import { normaliseNvd } from '../../../../src/feeds/sources/nvd/normalise.ts'
import { NOW, nvdRecord, rating } from './fixtures.ts'

const normalise = (changes: Readonly<Record<string, unknown>>, id = 'CVE-2026-0001') =>
  normaliseNvd(nvdRecord(id, changes), NOW)

describe('NVD feed: normalising a record', () => {
  it('converts a record to a row with its id, modification time and score', () => {
    expect(normalise({})).toMatchObject({
      cveId: 'CVE-2026-0001',
      modified: new Date('2026-08-20T09:30:00Z'),
      isFuture: false,
      score: 7.5,
    })
  })

  it('stores the whole record including unknown members', () => {
    const additions = {
      affected: [
        { source: 'security@brightwell.example', affectedData: [{ vendor: 'Brightwell', product: 'Form Server' }] },
      ],
      metrics: { cvssMetricV31: [rating(7.5)], ssvcV203: [{ source: 'x', ssvcData: { options: [] } }] },
      memberAddedIn2031: { deep: [1, 2, 3] },
    }
    const row = normalise(additions)

    expect(row).toHaveProperty('record', JSON.stringify(nvdRecord('CVE-2026-0001', additions).cve))
  })

  it('accepts a record without a status, metrics, weaknesses or configurations', () => {
    const bare = { vulnStatus: undefined, metrics: undefined, weaknesses: undefined, configurations: undefined }

    expect(normalise(bare)).toMatchObject({ cveId: 'CVE-2026-0001', score: null })
    expect(normalise({ metrics: {} })).toMatchObject({ score: null })
  })

  it('reads a date without a time zone as UTC and drops fractions of a second', () => {
    expect(normalise({ lastModified: '2026-08-20T09:30:00' })).toMatchObject({
      modified: new Date('2026-08-20T09:30:00Z'),
    })
    expect(normalise({ lastModified: '2026-08-20T05:30:00.5-04:00' })).toMatchObject({
      modified: new Date('2026-08-20T09:30:00Z'),
    })
  })

  it('replaces a future modification date with the current time and flags the row', () => {
    expect(normalise({ lastModified: '2031-01-01T00:00:00.000' })).toMatchObject({ modified: NOW, isFuture: true })
  })
})

describe('NVD feed: score of a record', () => {
  const scored = (metrics: object) => normalise({ metrics })

  it('prefers the score from CVSS 3.1, then 3.0, then 4.0, then 2.0', () => {
    const [v2, v40, v30, v31] = [
      { cvssMetricV2: [rating(2)] },
      { cvssMetricV40: [rating(4)] },
      { cvssMetricV30: [rating(3)] },
      { cvssMetricV31: [rating(3.1)] },
    ]
    expect(scored({ ...v2 })).toMatchObject({ score: 2 })
    expect(scored({ ...v2, ...v40 })).toMatchObject({ score: 4 })
    expect(scored({ ...v2, ...v40, ...v30 })).toMatchObject({ score: 3 })
    expect(scored({ ...v2, ...v40, ...v30, ...v31 })).toMatchObject({ score: 3.1 })
  })

  it('prefers the primary rating, and takes the first rating if no rating is primary', () => {
    expect(scored({ cvssMetricV31: [rating(9, 'Secondary'), rating(5, 'Primary')] })).toMatchObject({ score: 5 })
    expect(scored({ cvssMetricV31: [rating(9, 'Secondary'), rating(8, 'Secondary')] })).toMatchObject({ score: 9 })
  })
})

describe('NVD feed: rejected records', () => {
  it.each<[string, Record<string, unknown>, RegExp]>([
    ['no modification date', { lastModified: undefined }, /cve.*lastModified/],
    ['a day that does not exist', { lastModified: '2026-02-30T00:00:00.000' }, /lastModified.*"2026-02-30T00/],
    ['text instead of a date', { published: 'yesterday' }, /published.*"yesterday"/],
    ['a score of 11', { metrics: { cvssMetricV31: [rating(11)] } }, /cvssMetricV31.*baseScore.*10/],
    ['a negative score', { metrics: { cvssMetricV40: [rating(-1)] } }, /cvssMetricV40.*baseScore/],
    ['a string as score', { metrics: { cvssMetricV2: [rating('high')] } }, /cvssMetricV2.*baseScore.*number/],
    [
      'a rating without a vector',
      { metrics: { cvssMetricV30: [{ ...rating(3), cvssData: { baseScore: 3 } }] } },
      /vectorString/,
    ],
    ['no descriptions', { descriptions: undefined }, /descriptions/],
    ['a number as description', { descriptions: [{ lang: 'en', value: 7 }] }, /descriptions\/0\/value/],
    [
      'a product that is null',
      { configurations: [{ nodes: [{ cpeMatch: [{ vulnerable: true, criteria: null }] }] }] },
      /criteria/,
    ],
    [
      'a number as version',
      { configurations: [{ nodes: [{ cpeMatch: [{ vulnerable: true, criteria: 'c', versionEndExcluding: 3 }] }] }] },
      /versionEndExcluding/,
    ],
    ['a string as weakness', { weaknesses: ['CWE-20'] }, /weaknesses/],
    ['a reference without a URL', { references: [{ source: 'x' }] }, /references/],
    ['a number as status', { vulnStatus: 4 }, /vulnStatus/],
  ])('rejects a record with %s and identifies it by its id', (_, changes, reason) => {
    expect(normalise(changes)).toEqual({ rejected: 'CVE-2026-0001', reason: expect.stringMatching(reason) })
  })

  it.each(['CVE-2026-1', 'CVE-2026-00001', 'cve-2026-0001', 'GHSA-1', ''])(
    'rejects a record with the id "%s"',
    (id) => {
      expect(normalise({}, id)).toEqual({ rejected: id, reason: expect.stringMatching(/CVE id|upper case/) })
    },
  )

  it.each([null, 7, 'CVE-2026-0001', [], {}, { cve: null }, { cve: [] }, { cve: { id: 7 } }])(
    'rejects %j as a record without an id',
    (raw) => {
      expect(normaliseNvd(raw, NOW)).toEqual({ rejected: 'a record without an id', reason: expect.any(String) })
    },
  )
})
