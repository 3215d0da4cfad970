import { describe, expect, it } from 'vitest'
import { buildTimeline, type TimelineFacts } from '../../src/domain/timeline/build-timeline.ts'

const NOTHING: TimelineFacts = { published: null, notices: [], evidence: [], evidenceCount: 0, fixes: [] }

describe('Timeline', () => {
  it('sorts facts by their day, and says what the day is if it is not that of the fact', () => {
    const { dated } = buildTimeline({
      ...NOTHING,
      published: '2024-04-12T08:15:00Z',
      notices: [{ title: 'Act now', publishedDate: '2024-04-13T00:00:00Z', url: 'https://cyber.example/1' }],
      evidence: [
        { kind: 'kev', source: 'CISA', date: '2024-04-12', date_is: 'addition', says: 'exploited', maturity: 'active' },
        { kind: 'metasploit', id: 'linux/http/x', date: '2024-04-10', date_is: 'disclosure', maturity: 'weaponized' },
        { kind: 'nuclei', id: 'x', date: null, first_seen: '2024-05-01', maturity: 'functional' },
      ],
      fixes: [
        { source: 'nvd', time: '2024-06-01T00:00:00Z' },
        { source: 'cna:palo_alto', time: '2024-04-14T00:00:00Z' },
      ],
    })
    expect(dated.map(({ date, lane, kind, date_is }) => [date, lane, kind, date_is])).toEqual([
      ['2024-04-10', 'known', 'metasploit', 'disclosure'],
      ['2024-04-12', 'known', 'published', undefined],
      ['2024-04-12', 'exploited', 'kev', 'addition'],
      ['2024-04-13', 'known', 'notice', undefined],
      ['2024-04-14', 'fix', 'fix', 'latest'],
      ['2024-05-01', 'exploit', 'nuclei', 'first_seen'],
    ])
  })

  it('lists facts without a day apart, and counts the evidence that the record leaves out', () => {
    const { dated, undated, omitted } = buildTimeline({
      ...NOTHING,
      evidence: [
        { kind: 'exploitdb', id: '5', date: null, maturity: 'functional' },
        { kind: 'ssvc', source: 'cisa-adp', date: null, says: 'poc', maturity: 'poc' },
        { kind: 'vendor', source: 'msrc', date: null, says: 'active', maturity: 'active' },
      ],
      evidenceCount: 60,
      fixes: [{ source: 'osv:debian', downstream: true, time: '2024-04-14T00:00:00Z' }, { source: 'redhat' }],
    })
    expect([dated, omitted]).toEqual([[], 57])
    expect(undated.map(({ lane, kind }) => `${lane} ${kind}`)).toEqual([
      'exploit exploitdb',
      'exploit ssvc',
      'exploited vendor',
      'fix fix',
    ])
  })

  it('is empty for a CVE of which nothing is known', () => {
    expect(buildTimeline(NOTHING)).toEqual({ dated: [], undated: [], omitted: 0 })
  })
})
