import { describe, expect, it } from 'vitest'
import { isRejected } from '../../../../src/feeds/feed.ts'
import { parseMonth } from '../../../../src/feeds/sources/msrc/month.ts'
import { exploitStatus, issueOf, recordOf, rowOf, vulnerability } from './fixtures.ts'

describe('What Microsoft says of a CVE', () => {
  it('is kept in the form that all vendors have', () => {
    const product = { vendor: 'Microsoft', status: 'affected', purl: null, introduced: null, last_affected: null }
    expect(recordOf({})).toEqual({
      cve_id: 'CVE-2024-38063',
      advisories: ['2024-Aug', 'KB5041160'],
      title: 'Teapot Remote Code Execution Vulnerability',
      description: 'The teapot pours & nobody asked.',
      published: '2024-08-13T07:00:00Z',
      modified: '2024-08-20T07:00:00Z',
      withdrawn: false,
      severity: 'Critical',
      scores: [{ vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H/E:U/RL:O/RC:C', base_score: 9.8 }],
      weaknesses: ['CWE-416'],
      products: [
        { ...product, product: 'Teapot Server 2022', cpe: null, fixed: '10.0.20348.2655' },
        { ...product, product: 'Kettle 2019 for 32-bit editions', cpe: 'cpe:2.3:a:microsoft:kettle', fixed: null },
      ],
      references: [
        { url: 'https://msrc.microsoft.com/update-guide/vulnerability/CVE-2024-38063', tags: ['Vendor Advisory'] },
        { url: 'https://catalog.update.microsoft.com/v7/site/Search.aspx?q=KB5041160', tags: ['Patch'] },
        { url: 'https://aka.ms/OfficeSecurityReleases', tags: ['Release Notes'] },
      ],
      exploitation: 'none',
    })
  })

  it('may be little: what Microsoft leaves out is not known, and its dates are those of the month', () => {
    const row = rowOf({ CVE: 'CVE-2024-38063', Title: {}, Notes: [{ Title: 'Description', Type: 2 }], CWE: null })

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
  ])('about exploitation is "%s": %s', (words, expected) => {
    expect(recordOf({ Threats: [exploitStatus(words)] }).exploitation).toBe(expected)
  })

  it('about severity is the worst that it says of any product, or its own word', () => {
    const rated = (...words: readonly string[]) =>
      recordOf({ Threats: words.map((Value) => ({ Type: 3, Description: { Value } })) }).severity
    expect(rated('Low', 'Important', 'Moderate')).toBe('Important')
    expect(rated('Grave')).toBe('Grave')
    expect(recordOf({ Threats: [{ Type: 3, Description: {} }] }).severity).toBeNull()
  })

  it('counts by its highest score, and each vector once', () => {
    const CVSSScoreSets = [
      { BaseScore: 5.5, Vector: 'CVSS:3.1/A' },
      { BaseScore: 7.8, Vector: 'CVSS:3.1/B' },
      { BaseScore: 5.5, Vector: 'CVSS:3.1/A' },
      { Vector: 'CVSS:3.1/C' },
      { BaseScore: 10 },
    ]
    const row = rowOf(vulnerability('CVE-2024-38063', { CVSSScoreSets }))
    expect(row).toMatchObject({ score: 7.8 })
    expect(recordOf({ CVSSScoreSets }).scores).toEqual([
      { vector: 'CVSS:3.1/A', base_score: 5.5 },
      { vector: 'CVSS:3.1/B', base_score: 7.8 },
      { vector: 'CVSS:3.1/C', base_score: null },
    ])
  })

  it('about weaknesses is a list, and was one alone', () => {
    expect(recordOf({ CWE: { ID: 'CWE-20', Value: 'Improper Input Validation' } }).weaknesses).toEqual(['CWE-20'])
    expect(recordOf({ CWE: [{ ID: 'CWE-20' }, { ID: 'CWE-20' }, { ID: 'Other' }, {}] }).weaknesses).toEqual(['CWE-20'])
  })

  it('is described by a note of that title, whatever its type', () => {
    const Notes = [{ Title: 'Description', Type: 1, Value: 'Tea is hot.' }]
    expect(recordOf({ Notes }).description).toBe('Tea is hot.')
  })

  it('has no dates of the year 1', () => {
    const RevisionHistory = [{ Date: '0001-01-01T00:00:00' }, { Date: '2024-09-01T07:00:00' }, {}]
    expect(recordOf({ RevisionHistory })).toMatchObject({
      published: '2024-09-01T07:00:00Z',
      modified: '2024-09-01T07:00:00Z',
    })
  })
})

it('Of two months that speak of a CVE as of the same second, the later one is newer', () => {
  const modifiedIn = (month: string) => {
    const row = rowOf(vulnerability('CVE-2024-38063'), issueOf(month))
    if (isRejected(row)) throw new Error(row.reason)
    return row.modified.getTime()
  }
  const months = ['2016-Apr', '2017-May', '2017-May-B', '2017-Jun', '2024-Aug', '2026-Dec'].map(modifiedIn)
  expect(months).toEqual([...new Set(months)].sort())
  expect(modifiedIn('1999-Jan')).toBe(Date.parse('2024-08-20T07:00:00Z'))
  expect(modifiedIn('2099-Dec')).toBeLessThan(Date.parse('2024-08-20T07:00:01Z'))
})

it.each([
  ['no vulnerability', 7, 'a vulnerability without an id', 'the record must be object'],
  ['under no CVE id', vulnerability('CVE-24-1'), 'CVE-24-1', 'not a CVE id'],
  [
    'dated by no date',
    vulnerability('CVE-2024-0001', { RevisionHistory: [{ Date: 'May' }] }),
    'CVE-2024-0001',
    '/RevisionHistory has a date that is none: "May"',
  ],
  [
    'scored beyond 10',
    vulnerability('CVE-2024-0001', { CVSSScoreSets: [{ BaseScore: 11 }] }),
    'CVE-2024-0001',
    '/CVSSScoreSets/0/BaseScore must be <= 10',
  ],
  [
    'typed by words',
    vulnerability('CVE-2024-0001', { Threats: [{ Type: 'Severity' }] }),
    'CVE-2024-0001',
    '/Threats/0/Type must be number',
  ],
  [
    'described by a maze',
    vulnerability('CVE-2024-0001', { Notes: [{ Type: 2, Value: '<b>'.repeat(300) }] }),
    'CVE-2024-0001',
    'its description nests more than 256 elements in one another.',
  ],
])('What is %s is rejected', (_, said, rejected, reason) => {
  expect(rowOf(said)).toEqual({ rejected, reason })
})

it.each(['2024-Aug', '2018-FEB', '2024-aug', '2017-May-B', '1999-Jan'])('%s is a month', (id) => {
  expect(parseMonth(id)).toMatchObject({ id })
})

it.each(['../../etc', '2024-Aug/..', '2024-Augu', '2024-Tea', '24-Aug', '2024-Aug-B2', '2024-Aug\n', ''])(
  '%j is none',
  (id) => {
    expect(parseMonth(id)).toBeUndefined()
  },
)
