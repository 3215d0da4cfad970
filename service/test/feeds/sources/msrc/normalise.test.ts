import { describe, expect, it } from 'vitest'
import { isRejected } from '../../../../src/feeds/feed.ts'
import { parseMonth } from '../../../../src/feeds/sources/msrc/month.ts'
import { buildHeader, exploitStatus, normalise, normaliseRecord, vulnerability } from './fixtures.ts'

describe('MSRC feed: normalising a vulnerability', () => {
  it('converts a vulnerability to a vendor record', () => {
    const product = { vendor: 'Microsoft', status: 'affected', purl: null, introduced: null, last_affected: null }
    expect(normaliseRecord({})).toEqual({
      cve_id: 'CVE-2024-38063',
      advisories: ['2024-Aug', 'KB5041160'],
      title: 'Quillstone Server Remote Code Execution Vulnerability',
      description: 'A crafted packet frees a buffer twice & runs code.',
      published: '2024-08-13T07:00:00Z',
      modified: '2024-08-20T07:00:00Z',
      withdrawn: false,
      severity: 'Critical',
      scores: [{ vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H/E:U/RL:O/RC:C', base_score: 9.8 }],
      weaknesses: ['CWE-416'],
      products: [
        { ...product, product: 'Quillstone Server 2022', cpe: null, fixed: '10.0.20348.2655' },
        {
          ...product,
          product: 'Quillstone Writer 2019 for 32-bit editions',
          cpe: 'cpe:2.3:a:microsoft:quillstone_writer',
          fixed: null,
        },
      ],
      references: [
        { url: 'https://msrc.microsoft.com/update-guide/vulnerability/CVE-2024-38063', tags: [], built: true },
        { url: 'https://catalog.update.microsoft.com/v7/site/Search.aspx?q=KB5041160', tags: ['Patch'] },
        { url: 'https://aka.ms/OfficeSecurityReleases', tags: ['Release Notes'] },
      ],
      exploitation: 'none',
    })
  })

  it('accepts a vulnerability with only an id and takes its dates from the document', () => {
    const row = normalise({ CVE: 'CVE-2024-38063', Title: {}, Notes: [{ Title: 'Description', Type: 2 }], CWE: null })

    expect(isRejected(row) ? row : JSON.parse(row.record)).toMatchObject({
      advisories: ['2024-Aug'],
      title: null,
      description: null,
      published: '2024-08-13T07:00:00Z',
      modified: '2024-08-21T07:00:00Z',
      severity: null,
      scores: [],
      weaknesses: [],
      products: [],
      exploitation: null,
    })
    expect(row).toMatchObject({ score: null })
  })

  it.each([
    ['Publicly Disclosed:No;Exploited:Yes;Latest Software Release:Exploitation Detected', 'active'],
    ['Publicly Disclosed:Yes;Exploited:Yes', 'active'],
    ['Publicly Disclosed:Yes;Exploited:No;Latest Software Release:Exploitation More Likely', 'poc'],
    ['Publicly Disclosed: No; Exploited: No', 'none'],
    ['Publicly Disclosed:N/A;Exploited:N/A', null],
    ['DOS:N/A', null],
  ])('maps the exploit status "%s" to %s', (status, expected) => {
    expect(normaliseRecord({ Threats: [exploitStatus(status)] }).exploitation).toBe(expected)
  })

  it("uses the highest severity of all products, or Microsoft's text if no severity is known", () => {
    const rated = (...severities: readonly string[]) =>
      normaliseRecord({ Threats: severities.map((Value) => ({ Type: 3, Description: { Value } })) }).severity
    expect(rated('Low', 'Important', 'Moderate')).toBe('Important')
    expect(rated('Grave')).toBe('Grave')
    expect(normaliseRecord({ Threats: [{ Type: 3, Description: {} }] }).severity).toBeNull()
  })

  it('keeps each CVSS vector once and uses the highest base score', () => {
    const CVSSScoreSets = [
      { BaseScore: 5.5, Vector: 'CVSS:3.1/A' },
      { BaseScore: 7.8, Vector: 'CVSS:3.1/B' },
      { BaseScore: 5.5, Vector: 'CVSS:3.1/A' },
      { Vector: 'CVSS:3.1/C' },
      { BaseScore: 10 },
    ]
    const row = normalise(vulnerability('CVE-2024-38063', { CVSSScoreSets }))
    expect(row).toMatchObject({ score: 7.8 })
    expect(normaliseRecord({ CVSSScoreSets }).scores).toEqual([
      { vector: 'CVSS:3.1/A', base_score: 5.5 },
      { vector: 'CVSS:3.1/B', base_score: 7.8 },
      { vector: 'CVSS:3.1/C', base_score: null },
    ])
  })

  it('accepts a single CWE as well as a list of CWEs', () => {
    expect(normaliseRecord({ CWE: { ID: 'CWE-20', Value: 'Improper Input Validation' } }).weaknesses).toEqual([
      'CWE-20',
    ])
    expect(normaliseRecord({ CWE: [{ ID: 'CWE-20' }, { ID: 'CWE-20' }, { ID: 'Other' }, {}] }).weaknesses).toEqual([
      'CWE-20',
    ])
  })

  it('takes the description from a note with the title "Description", whatever its type', () => {
    const Notes = [{ Title: 'Description', Type: 1, Value: 'Restart after the update.' }]
    expect(normaliseRecord({ Notes }).description).toBe('Restart after the update.')
  })

  it('ignores revision dates in the year 1', () => {
    const RevisionHistory = [{ Date: '0001-01-01T00:00:00' }, { Date: '2024-09-01T07:00:00' }, {}]
    expect(normaliseRecord({ RevisionHistory })).toMatchObject({
      published: '2024-09-01T07:00:00Z',
      modified: '2024-09-01T07:00:00Z',
    })
  })
})

it("MSRC feed gives a later month's document a later modification time if the revision dates are equal", () => {
  const modifiedIn = (month: string) => {
    const row = normalise(vulnerability('CVE-2024-38063'), buildHeader(month))
    if (isRejected(row)) throw new Error(row.reason)
    return row.modified.getTime()
  }
  const months = ['2016-Apr', '2017-May', '2017-May-B', '2017-Jun', '2024-Aug', '2026-Dec'].map(modifiedIn)
  expect(months).toEqual([...new Set(months)].sort())
  expect(modifiedIn('1999-Jan')).toBe(Date.parse('2024-08-20T07:00:00Z'))
  expect(modifiedIn('2099-Dec')).toBeLessThan(Date.parse('2024-08-20T07:00:01Z'))
})

it.each([
  ['a number instead of a JSON object', 7, 'a vulnerability without an id', 'the record must be object'],
  ['an invalid CVE id', vulnerability('CVE-24-1'), 'CVE-24-1', 'not a CVE id'],
  [
    'an invalid revision date',
    vulnerability('CVE-2024-0001', { RevisionHistory: [{ Date: 'May' }] }),
    'CVE-2024-0001',
    '/RevisionHistory has an invalid date: "May"',
  ],
  [
    'a base score above 10',
    vulnerability('CVE-2024-0001', { CVSSScoreSets: [{ BaseScore: 11 }] }),
    'CVE-2024-0001',
    '/CVSSScoreSets/0/BaseScore must be <= 10',
  ],
  [
    'a string as threat type',
    vulnerability('CVE-2024-0001', { Threats: [{ Type: 'Severity' }] }),
    'CVE-2024-0001',
    '/Threats/0/Type must be number',
  ],
  [
    'a deeply nested description',
    vulnerability('CVE-2024-0001', { Notes: [{ Type: 2, Value: '<b>'.repeat(300) }] }),
    'CVE-2024-0001',
    'its description nests elements more than 256 levels deep.',
  ],
])('MSRC feed rejects a vulnerability with %s', (_, raw, rejected, reason) => {
  expect(normalise(raw)).toEqual({ rejected, reason })
})

it.each(['2024-Aug', '2018-FEB', '2024-aug', '2017-May-B', '1999-Jan'])('MSRC feed accepts the month id %s', (id) => {
  expect(parseMonth(id)).toMatchObject({ id })
})

it.each(['../../etc', '2024-Aug/..', '2024-Augu', '2024-Foo', '24-Aug', '2024-Aug-B2', '2024-Aug\n', ''])(
  'MSRC feed rejects the month id %j',
  (id) => {
    expect(parseMonth(id)).toBeUndefined()
  },
)
