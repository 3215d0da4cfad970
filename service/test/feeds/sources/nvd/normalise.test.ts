import { describe, expect, it } from 'vitest'
import { normaliseNvd } from '../../../../src/feeds/sources/nvd/normalise.ts'
import { NOW, nvdRecord, rating } from './fixtures.ts'

const normalised = (changes: Readonly<Record<string, unknown>>, id = 'CVE-2026-0001') =>
  normaliseNvd(nvdRecord(id, changes), NOW)

describe('a record of NVD', () => {
  it('becomes a row with its id, the time of its last change and its score', () => {
    expect(normalised({})).toMatchObject({
      cveId: 'CVE-2026-0001',
      modified: new Date('2026-08-20T09:30:00Z'),
      isFuture: false,
      score: 7.5,
    })
  })

  it('is kept whole, with members that nobody has heard of', () => {
    const additions = {
      affected: [{ source: 'security@teapot.example', affectedData: [{ vendor: 'Examplesoft', product: 'Teapot' }] }],
      metrics: { cvssMetricV31: [rating(7.5)], ssvcV203: [{ source: 'x', ssvcData: { options: [] } }] },
      somethingOf2031: { deep: [1, 2, 3] },
    }
    const row = normalised(additions)

    expect(row).toHaveProperty('record', JSON.stringify(nvdRecord('CVE-2026-0001', additions).cve))
  })

  it('needs no status, metrics, weaknesses or configurations', () => {
    const bare = { vulnStatus: undefined, metrics: undefined, weaknesses: undefined, configurations: undefined }

    expect(normalised(bare)).toMatchObject({ cveId: 'CVE-2026-0001', score: null })
    expect(normalised({ metrics: {} })).toMatchObject({ score: null })
  })

  it('is dated in UTC when it does not say otherwise, without fractions of a second', () => {
    expect(normalised({ lastModified: '2026-08-20T09:30:00' })).toMatchObject({
      modified: new Date('2026-08-20T09:30:00Z'),
    })
    expect(normalised({ lastModified: '2026-08-20T05:30:00.5-04:00' })).toMatchObject({
      modified: new Date('2026-08-20T09:30:00Z'),
    })
  })

  it('from the future is dated now, and said to be from there', () => {
    expect(normalised({ lastModified: '2031-01-01T00:00:00.000' })).toMatchObject({ modified: NOW, isFuture: true })
  })
})

describe('the score by which a delivery is judged', () => {
  const scored = (metrics: object) => normalised({ metrics })

  it('is that of CVSS 3.1, then 3.0, then 4.0, then 2.0', () => {
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

  it("is NVD's own where several have rated", () => {
    expect(scored({ cvssMetricV31: [rating(9, 'Secondary'), rating(5, 'Primary')] })).toMatchObject({ score: 5 })
    expect(scored({ cvssMetricV31: [rating(9, 'Secondary'), rating(8, 'Secondary')] })).toMatchObject({ score: 9 })
  })
})

describe('a record that cannot be used is rejected by its id, with the reason', () => {
  it.each<[string, Record<string, unknown>, RegExp]>([
    ['without a date', { lastModified: undefined }, /cve.*lastModified/],
    ['with a day that does not exist', { lastModified: '2026-02-30T00:00:00.000' }, /lastModified.*"2026-02-30T00/],
    ['with words in place of a date', { published: 'yesterday' }, /published.*"yesterday"/],
    ['with a score of 11', { metrics: { cvssMetricV31: [rating(11)] } }, /cvssMetricV31.*baseScore.*10/],
    ['with a score below zero', { metrics: { cvssMetricV40: [rating(-1)] } }, /cvssMetricV40.*baseScore/],
    ['with a score in words', { metrics: { cvssMetricV2: [rating('high')] } }, /cvssMetricV2.*baseScore.*number/],
    [
      'with a rating that has no vector',
      { metrics: { cvssMetricV30: [{ ...rating(3), cvssData: { baseScore: 3 } }] } },
      /vectorString/,
    ],
    ['without descriptions', { descriptions: undefined }, /descriptions/],
    ['with a description that is no text', { descriptions: [{ lang: 'en', value: 7 }] }, /descriptions\/0\/value/],
    [
      'with a product that is no text',
      { configurations: [{ nodes: [{ cpeMatch: [{ vulnerable: true, criteria: null }] }] }] },
      /criteria/,
    ],
    [
      'with a version that is no text',
      { configurations: [{ nodes: [{ cpeMatch: [{ vulnerable: true, criteria: 'c', versionEndExcluding: 3 }] }] }] },
      /versionEndExcluding/,
    ],
    ['with a weakness that is a word', { weaknesses: ['CWE-20'] }, /weaknesses/],
    ['with a reference without an address', { references: [{ source: 'x' }] }, /references/],
    ['with a status that is a number', { vulnStatus: 4 }, /vulnStatus/],
  ])('%s', (_case, changes, reason) => {
    expect(normalised(changes)).toEqual({ rejected: 'CVE-2026-0001', reason: expect.stringMatching(reason) })
  })

  it.each(['CVE-2026-1', 'CVE-2026-00001', 'cve-2026-0001', 'GHSA-1', ''])('under the id "%s"', (id) => {
    expect(normalised({}, id)).toEqual({ rejected: id, reason: expect.stringMatching(/CVE id|upper case/) })
  })

  it.each([null, 7, 'CVE-2026-0001', [], {}, { cve: null }, { cve: [] }, { cve: { id: 7 } }])(
    'when it is %j',
    (raw) => {
      expect(normaliseNvd(raw, NOW)).toEqual({ rejected: 'a record without an id', reason: expect.any(String) })
    },
  )
})
