import type { Cve } from 'vis-sdk'
import { describe, expect, it } from 'vitest'
import { createTimeAxis } from '../../src/pages/cve/model/time-axis.ts'
import { buildTimeline } from '../../src/pages/cve/model/timeline.ts'

type Exploits = NonNullable<Cve['exploits']>

const EVIDENCE: Exploits['evidence'] = [
  {
    kind: 'kev',
    source: 'CISA',
    date: '2021-12-10',
    date_is: 'addition',
    says: 'known exploited, with ransomware campaigns',
    maturity: 'ransomware',
  },
  {
    kind: 'kev',
    source: 'ENISA',
    date: '2021-12-13',
    date_is: 'addition',
    says: 'known exploited',
    maturity: 'active',
  },
  {
    kind: 'ssvc',
    source: 'CISA',
    date: '2024-03-01',
    date_is: 'assessment',
    says: 'it is being exploited',
    maturity: 'active',
  },
  {
    kind: 'metasploit',
    date: '2021-12-12',
    date_is: 'disclosure',
    id: 'exploit/multi/http/example',
    module_rank: 'excellent',
    url: 'https://exploits.example/a',
    maturity: 'weaponized',
  },
  {
    kind: 'metasploit',
    date: '2021-12-09',
    date_is: 'disclosure',
    id: 'auxiliary/scanner/http/example',
    maturity: 'none',
  },
  {
    kind: 'exploitdb',
    date: '2021-12-14',
    date_is: 'publication',
    id: '50592',
    is_verified: true,
    maturity: 'functional',
  },
  { kind: 'nuclei', date: null, first_seen: '2026-08-20', id: 'CVE-2021-44228', maturity: 'functional' },
  { kind: 'vendor', source: 'GitHub', date: null, says: 'there is a public proof of concept', maturity: 'poc' },
  {
    kind: 'repository',
    date: '2021-12-11',
    date_is: 'creation',
    id: 'someone/poc',
    url: 'https://github.example/a_(b)',
    maturity: 'poc',
    gone: true,
  },
  { kind: 'reference', source: 'cve.example', date: null, url: 'https://pages.example/x', maturity: 'poc' },
]

const EXPLOITS: Exploits = {
  maturity: 'ransomware',
  verified: true,
  first_public: '2021-12-10',
  kev_added: '2021-12-10',
  counts: { kev: 2, ssvc: 1, vendor: 1, metasploit: 2, exploitdb: 1, nuclei: 1, repository: 13, reference: 1 },
  evidence: EVIDENCE,
  kev_catalogs: [],
}

const CVE = {
  published: '2021-12-10T10:15:09Z',
  acsc: [{ id: 'n', title: 'Update at once', type: 'alert', priority: null, publishedDate: '2021-12-11T02:00:00Z' }],
  exploits: EXPLOITS,
} as const

describe('CVE page: exploit timeline', () => {
  const timeline = buildTimeline(CVE)
  const events = [...timeline.dated, ...timeline.undated]

  it.each([
    ['kev', 'CISA: known exploited, with ransomware campaigns', '2021-12-10', 'ransomware'],
    ['eu-kev', 'ENISA: known exploited', '2021-12-13', 'active'],
    ['active', 'CISA: it is being exploited', '2024-03-01', 'active'],
    ['metasploit', 'exploit/multi/http/example (excellent)', '2021-12-12', 'weaponized'],
    ['scanner', 'auxiliary/scanner/http/example', '2021-12-09', 'none'],
    ['exploitdb', 'Verified entry 50592', '2021-12-14', 'functional'],
    ['nuclei', 'CVE-2021-44228', '2026-08-20', 'functional'],
    ['poc-report', 'GitHub: there is a public proof of concept', undefined, 'poc'],
    ['repository', 'someone/poc', '2021-12-11', 'poc'],
    ['reference', 'A reference is tagged Exploit by cve.example', undefined, 'poc'],
    ['published', 'The CVE was published', '2021-12-10', undefined],
    ['notice', 'Update at once', '2021-12-11', undefined],
  ] as const)('has an event of type %s: %s', (kind, text, day, maturity) => {
    const event = events.find((each) => each.kind === kind)
    expect([event?.text, event?.day, event?.maturity]).toEqual([text, day, maturity])
  })

  it('says what a date means if it is not the date of the event', () => {
    const notes = Object.fromEntries(events.map(({ kind, dayNote }) => [kind, dayNote]))
    expect(notes).toMatchObject({ metasploit: 'day of disclosure', nuclei: 'first seen here', exploitdb: undefined })
  })

  it('marks evidence that its publisher has removed', () => {
    expect(events.filter(({ isGone }) => isGone).map(({ kind }) => kind)).toEqual(['repository'])
  })

  it('orders dated events by date', () => {
    const days = timeline.dated.map(({ day }) => day)
    expect(days).toEqual([...days].sort())
    expect(days).toHaveLength(10)
  })

  it('lists undated evidence separately', () => {
    expect(timeline.undated.map(({ kind }) => kind)).toEqual(['poc-report', 'reference'])
  })

  it('gives each type of evidence its own row, strongest first', () => {
    expect(timeline.rows.map(({ kind }) => kind)).toEqual([
      'published',
      'kev',
      'eu-kev',
      'active',
      'metasploit',
      'exploitdb',
      'nuclei',
      'repository',
      'scanner',
      'notice',
    ])
  })

  it('counts the evidence that the record leaves out', () => {
    expect(timeline.omitted).toBe(12)
  })

  it('has no evidence if the record has none', () => {
    expect(buildTimeline({ published: null, acsc: [] })).toEqual({ rows: [], dated: [], undated: [], omitted: 0 })
  })
})

describe('CVE page: time axis', () => {
  it('places the first day before the last, both inside the axis', () => {
    const axis = createTimeAxis(['2021-12-10', '2026-08-22'])
    expect(axis.place('2021-12-10')).toBeGreaterThan(0)
    expect(axis.place('2026-08-22')).toBeLessThan(1)
    expect(axis.place('2021-12-10')).toBeLessThan(axis.place('2022-01-01'))
  })

  it('labels years for a long period and months for a short one', () => {
    expect(createTimeAxis(['2021-12-10', '2026-08-22']).ticks.map(({ label }) => label)).toEqual([
      '2022',
      '2024',
      '2026',
    ])
    expect(createTimeAxis(['2026-06-20', '2026-08-22']).ticks.map(({ label }) => label)).toEqual(['2026-07', '2026-08'])
  })

  it('labels days if the period contains fewer than two starts of a month', () => {
    expect(createTimeAxis(['2021-12-09', '2021-12-14']).ticks.map(({ label }) => label)).toEqual([
      '2021-11-26',
      '2021-12-06',
      '2021-12-16',
      '2021-12-26',
    ])
  })

  it('has at most four ticks', () => {
    expect(createTimeAxis(['1999-01-01', '2026-08-22']).ticks.length).toBeLessThanOrEqual(4)
  })

  it('places a single day in the middle', () => {
    expect(createTimeAxis(['2026-08-22']).place('2026-08-22')).toBeCloseTo(0.5)
  })
})
