import { describe, expect, it } from 'vitest'
import { readHost, toSafeUrl } from '../../src/pages/cve/model/link.ts'
import { groupReferences } from '../../src/pages/cve/model/references.ts'
import { findSourcedValue, listSourcedValues } from '../../src/pages/cve/model/statements.ts'
import { toTechnique } from '../../src/pages/cve/model/techniques.ts'
import { listWeaknesses } from '../../src/pages/cve/model/weaknesses.ts'
import { describeDueDate, readDay, toDay } from '../../src/text/days.ts'
import { describeSource } from '../../src/text/source-names.ts'

describe('CVE page: links', () => {
  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'ftp://files.example/a',
    ' https://a.example',
    'https:/a.example',
    'https://known.example@hostile.example/',
    'https://',
    'not an address',
    '<a href="https://a.example">',
  ])('does not turn %s into a link', (text) => {
    expect(toSafeUrl(text)).toBeUndefined()
  })

  it('turns an https address into a link and shows its host', () => {
    expect(toSafeUrl('HTTPS://www.example.org/a?b=1#c')?.href).toBe('https://www.example.org/a?b=1#c')
    expect(readHost('https://www.example.org/a')).toBe('example.org')
  })
})

describe('Due dates', () => {
  const today = toDay(new Date('2026-08-22T23:59:00Z'))
  it.each([
    ['2026-08-25', 'due in 3 days', false],
    ['2026-08-23', 'due in 1 day', false],
    ['2026-08-22', 'due today', false],
    ['2026-08-21', '1 day overdue', true],
    ['2021-12-24', '1,702 days overdue', true],
  ])('describes %s as "%s"', (day, phrase, isOverdue) => {
    expect(describeDueDate(day, today)).toEqual({ phrase, isOverdue })
  })

  it('returns undefined for text that is not a date', () => {
    expect(describeDueDate('soon', today)).toBeUndefined()
    expect(readDay('2026-13-45')).toBeUndefined()
  })
})

describe('CVE page: references by type', () => {
  const reference = (url: string, ...tags: string[]) => ({ url, source: 'cna', ...(tags.length > 0 && { tags }) })

  it('groups references in the order patch, advisory, exploit, other', () => {
    const groups = groupReferences([
      reference('a'),
      reference('b', 'Exploit', 'Patch'),
      reference('c', 'Third Party Advisory', 'Patch'),
      reference('d', 'Vendor Advisory', 'Patch'),
      reference('e', 'Third Party Advisory'),
    ])
    expect(groups.map(({ kind, references }) => [kind, references.map(({ url }) => url).join('')])).toEqual([
      ['patch', 'c'],
      ['advisory', 'de'],
      ['exploit', 'b'],
      ['other', 'a'],
    ])
  })

  it('omits types without references', () => {
    expect(groupReferences([])).toEqual([])
  })
})

describe('CVE page: who states a value', () => {
  const sources = {
    severity: {
      stated_by: [{ source: 'nvd', time: '2026-08-20T14:05:00Z', score: 9.8, version: '3.1', vector: 'CVSS:3.1/AV:N' }],
      others: [{ source: 'cna:apache', score: 9.1, version: '3.1', vector: 'CVSS:3.1/AV:N', stated_score: 9 }],
    },
    weaknesses: { stated_by: [{ source: 'ghsa', cwe_list: ['CWE-20', 'CWE-502'] }], omitted: 3 },
    cpe: { stated_by: [{ source: 'nvd', count: 1234 }], others: [{ source: 'anchore', count: 3, derived: true }] },
    exploitation: { stated_by: [{ source: 'cisa-adp', value: 'poc' }] },
    kev: { stated_by: [], others: [{ source: 'cisa-kev', removed_at: '2026-01-02T00:00:00Z' }] },
    disagreements: [
      { about: 'exploitation', text: 'The assessments differ.' },
      { about: 'kev_ssvc', subject: 'kev_ssvc', text: 'KEV lists the CVE.' },
    ],
  } as const

  it('names who decided and what others say', () => {
    const value = findSourcedValue(sources, 'severity')
    expect(value).toMatchObject({
      label: 'Score',
      agreeing: [{ sourceName: 'NVD', day: '2026-08-20', content: 'CVSS 3.1 9.8 CVSS:3.1/AV:N' }],
    })
    expect(value?.others).toMatchObject([
      {
        sourceName: 'Apache (CNA)',
        content: 'CVSS 3.1 9.1 CVSS:3.1/AV:N states 9.0, which does not follow from its vector',
      },
    ])
  })

  it('shows each disagreement next to the value that it is about', () => {
    expect(findSourcedValue(sources, 'exploitation')?.disagreement).toBe('The assessments differ. KEV lists the CVE.')
    expect(findSourcedValue(sources, 'severity')?.disagreement).toBeUndefined()
  })

  it('does not call differing counts a disagreement', () => {
    expect(findSourcedValue(sources, 'cpe')).toMatchObject({
      disagreement: undefined,
      agreeing: [{ content: '1,234 CPE matches' }],
      others: [{ content: '3 CPE matches (derived by this service)' }],
    })
  })

  it('says how many statements are left out', () => {
    expect(findSourcedValue(sources, 'weaknesses')).toMatchObject({
      omitted: 3,
      agreeing: [{ content: 'CWE-20, CWE-502' }],
    })
  })

  it('shows a removed KEV entry', () => {
    expect(findSourcedValue(sources, 'kev')?.others).toMatchObject([{ content: 'removed on 2026-01-02' }])
  })

  it('returns undefined for a value that no source states', () => {
    expect(findSourcedValue(sources, 'epss')).toBeUndefined()
    expect(findSourcedValue(undefined, 'epss')).toBeUndefined()
  })

  it('lists the stated values in the order of the page', () => {
    expect(listSourcedValues(sources).map(({ name }) => name)).toEqual([
      'severity',
      'weaknesses',
      'cpe',
      'exploitation',
      'kev',
    ])
  })

  it.each([
    ['osv', 'a database in OSV format'],
    ['derived:cvss:nvd', 'CVSS vector from NVD'],
    ['eu-kev', 'EU KEV (ENISA)'],
    ['osv:pypi', 'OSV database pypi'],
    ['derived:cna:palo_alto', 'derived from Palo Alto Networks (CNA)'],
    ['somebody', 'somebody'],
  ])('names the source %s as "%s"', (source, words) => {
    expect(describeSource(source)).toBe(words)
  })
})

describe('CVE page: weaknesses and techniques', () => {
  it('names a common weakness once and leaves an unknown one without a name', () => {
    expect(listWeaknesses(['CWE-79', 'CWE-79', 'CWE-99999'])).toEqual([
      { id: 'CWE-79', name: 'Cross-site scripting', url: 'https://cwe.mitre.org/data/definitions/79.html' },
      { id: 'CWE-99999', name: undefined, url: 'https://cwe.mitre.org/data/definitions/99999.html' },
    ])
  })

  it('links a sub-technique to its own page', () => {
    expect(toTechnique('T1059.004')).toEqual({
      id: 'T1059.004',
      name: 'Unix Shell',
      url: 'https://attack.mitre.org/techniques/T1059/004/',
    })
  })
})
