import { describe, expect, it } from 'vitest'
import { assessExploits } from '../../../service/src/catalog/render/exploitability.ts'
import { chosen, exploit, kev, reference, resolved, sourceData } from '../../../service/test/catalog/records.ts'
import { createTimeAxis } from '../../src/pages/cve/model/time-axis.ts'
import { buildTimeline, readEvidence } from '../../src/pages/cve/model/timeline.ts'

const EVIDENCE = [
  'CISA lists it as a known exploited vulnerability since 2021-12-10, and knows of ransomware campaigns that use it.',
  'According to CISA (2024-03-01), it is being exploited.',
  'Metasploit has the module exploit/multi/http/example (2021-12-12, https://exploits.example/a).',
  'Metasploit has the module auxiliary/scanner/http/example (2021-12-09, https://exploits.example/b).',
  'Exploit-DB has the verified entry 50592 (2021-12-14, https://exploits.example/50592).',
  'Nuclei has the template CVE-2021-44228 (first seen by this service on 2026-08-20, https://exploits.example/n).',
  'According to GitHub (undated), there is a public proof of concept.',
  'PoC-in-GitHub lists the public repository someone/poc (2021-12-11, https://github.example/a_(b)).',
  'A reference from cve.example is tagged Exploit (undated, https://pages.example/x).',
  'And 12 more.',
]

const cve = {
  published: '2021-12-10T10:15:09Z',
  kev: { dateAdded: '2021-12-10', knownRansomware: true },
  acsc: [{ id: 'n', title: 'Update at once', type: 'alert', priority: null, publishedDate: '2021-12-11T02:00:00Z' }],
} as const

describe('CVE page: reading evidence sentences', () => {
  it.each([
    [1, 'active', 'CISA reports exploitation', '2024-03-01', undefined],
    [2, 'metasploit', 'exploit/multi/http/example', '2021-12-12', 'https://exploits.example/a'],
    [3, 'scanner', 'auxiliary/scanner/http/example', '2021-12-09', 'https://exploits.example/b'],
    [4, 'exploitdb', 'Verified entry 50592', '2021-12-14', 'https://exploits.example/50592'],
    [5, 'nuclei', 'CVE-2021-44228', '2026-08-20', 'https://exploits.example/n'],
    [6, 'poc-report', 'GitHub reports a public proof of concept', undefined, undefined],
    [7, 'repository', 'someone/poc', '2021-12-11', 'https://github.example/a_(b)'],
    [8, 'reference', 'A reference from cve.example is tagged Exploit', undefined, 'https://pages.example/x'],
  ] as const)('reads sentence %i as an event of the kind %s', (index, kind, text, day, url) => {
    expect(readEvidence(EVIDENCE[index] ?? '').event).toMatchObject({ kind, text, day, url })
  })

  it('recognizes every kind of sentence that the service writes', () => {
    const report = (level: 'active' | 'poc', by: string) => ({ level, by, date: '2024-03-08' })
    const modules = ['exploit/http/example', 'auxiliary/scanner/http/example']
    const { evidence } = assessExploits(
      sourceData({
        kev: kev(),
        exploits: [
          ...modules.map((id) => exploit('metasploit', { id })),
          exploit('exploitdb'),
          exploit('nuclei'),
          exploit('poc'),
        ],
      }),
      resolved({
        exploitation: {
          ...chosen(report('active', 'cisa-adp')),
          runnersUp: [{ value: report('poc', 'msrc'), by: 'msrc' }],
        },
        references: [reference('a', 'Exploit')],
      }),
    )
    expect(evidence.map((sentence) => readEvidence(sentence).event?.kind)).toEqual([
      // The page shows the KEV entry itself instead of the sentence about it.
      undefined,
      'active',
      'metasploit',
      'exploitdb',
      'nuclei',
      'poc-report',
      'repository',
      'reference',
      'scanner',
    ])
  })

  it('keeps a sentence of unknown form as it is', () => {
    expect(readEvidence('Somebody says so (loudly).').event).toMatchObject({
      kind: 'other',
      text: 'Somebody says so (loudly).',
      day: undefined,
    })
  })
})

describe('CVE page: exploit timeline', () => {
  const timeline = buildTimeline(cve, EVIDENCE)

  it('orders dated events by day', () => {
    const days = timeline.dated.map(({ day }) => day)
    expect(days).toEqual([...days].sort())
    expect(days).toHaveLength(9)
  })

  it('lists undated evidence apart', () => {
    expect(timeline.undated.map(({ kind }) => kind)).toEqual(['poc-report', 'reference'])
  })

  it('puts each kind of evidence in a row, the strongest first', () => {
    expect(timeline.rows.map(({ kind }) => kind)).toEqual([
      'published',
      'kev',
      'active',
      'metasploit',
      'exploitdb',
      'nuclei',
      'repository',
      'scanner',
      'notice',
    ])
  })

  it('shows the entry of the EU catalog in a row of its own', () => {
    const exploits = {
      maturity: 'active',
      verified: true,
      first_public: '2021-12-10',
      kev_added: '2021-12-10',
      counts: { kev: 2 },
      evidence: [],
      kev_catalogs: [
        { name: 'cisa', since: '2021-12-10', removed_at: null, first: true },
        { name: 'eu', since: '2021-12-13', removed_at: null, first: false },
      ],
    } as const
    const { rows } = buildTimeline({ ...cve, exploits }, [])
    expect(rows.find(({ kind }) => kind === 'eu-kev')?.events.map(({ day }) => day)).toEqual(['2021-12-13'])
  })

  it('counts the evidence that the record leaves out', () => {
    expect(timeline.omitted).toBe(12)
  })

  it('shows counts of data sets if the CVE has no detail record', () => {
    const sources = { exploits: { from: [{ source: 'poc', date: '2022-01-05', count: 43 }] } }
    const { dated } = buildTimeline({ published: null, sources }, undefined)
    expect(dated).toMatchObject([{ kind: 'repository', day: '2022-01-05', text: expect.stringContaining('43 items') }])
  })
})

describe('CVE page: time axis', () => {
  it('places the first day before the last day and both inside the axis', () => {
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

  it('has at most four ticks', () => {
    expect(createTimeAxis(['1999-01-01', '2026-08-22']).ticks.length).toBeLessThanOrEqual(4)
  })

  it('places a single day in the middle', () => {
    expect(createTimeAxis(['2026-08-22']).place('2026-08-22')).toBeCloseTo(0.5)
  })
})
