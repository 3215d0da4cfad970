import { renderToStaticMarkup } from 'react-dom/server'
import type { Cve, Priority } from 'vis-sdk'
import { describe, expect, it } from 'vitest'
import { describeRemediation, explainDeadline, listInputs } from '../../src/pages/cve/model/verdict.ts'
import { Deadlines } from '../../src/pages/cve/panels/deadlines-panel.tsx'
import { WhyPanel } from '../../src/pages/cve/panels/why-panel.tsx'
import { EMPTY_CVE } from './empty-cve.ts'

const PRIORITY: Priority = {
  level: 'P0',
  policy_version: '2026-11',
  ssvc: {
    decision: 'act',
    tree: 'cisa-coordinator-2.0.3',
    mission: 'medium',
    exploitation: 'active',
    automatable: 'yes',
    technical_impact: null,
    value_sources: { exploitation: 'kev', automatable: 'derived:cvss:nvd', technical_impact: null },
  },
  deadline: {
    rule: 'bod-26-04',
    inputs: 'cisa',
    counted_from: 'kev_added_or_detection',
    exposed: { days: 3, forensic_triage: true, due_date: '2026-07-13' },
    internal: { days: null, forensic_triage: false },
    kev_due_agrees: false,
  },
  reasons: ["This CVE is in CISA's KEV catalog since 2021-12-10.", 'EPSS gives 94 % for the next 30 days.'],
}

const KEV: NonNullable<Cve['kev']> = {
  dateAdded: '2026-07-10',
  dueDate: '2026-07-19',
  vulnerabilityName: 'Halvorsen MailGate Path Traversal',
  knownRansomware: false,
}

const INCOMPLETE = {
  rule: 'bod-26-04',
  inputs: 'incomplete',
  counted_from: 'kev_added_or_detection',
  kev_due_agrees: null,
} as const

const render = (priority: Priority, kev?: Cve['kev']) =>
  renderToStaticMarkup(
    <>
      <WhyPanel cve={{ ...EMPTY_CVE, priority }} />
      <Deadlines kev={kev} priority={priority} />
    </>,
  ).replaceAll('<!-- -->', '')

describe('CVE page: verdict', () => {
  it('shows the level, every reason and the version of the policy', () => {
    const html = render(PRIORITY)
    for (const text of ['Why P0', 'by policy 2026-11', 'KEV catalog since 2021-12-10.', 'EPSS gives 94 %'])
      expect(html).toContain(text)
  })

  it('names the source of each input, and says which inputs no source states', () => {
    const { ssvc } = PRIORITY
    expect(ssvc && listInputs(ssvc).map(({ label, text, source }) => [label, text, source])).toEqual([
      ['Exploitation', 'active', 'kev'],
      ['Automatable', 'yes', 'derived:cvss:nvd'],
      ['Technical impact', 'not stated', undefined],
    ])
  })
})

describe('CVE page: deadlines', () => {
  it("shows the directive's deadlines with their dates, and that the KEV due date applies if it differs", () => {
    const html = render(PRIORITY, KEV)
    for (const text of [
      '3 days, with forensic triage',
      '2026-07-13',
      'overdue',
      'at the next upgrade',
      '2026-07-19',
      'is the one that applies',
    ])
      expect(html).toContain(text)
  })

  it('shows the KEV due date even if the days left cannot be computed', () => {
    const html = render({ ...PRIORITY, deadline: INCOMPLETE }, KEV)
    expect(html).toContain('Due by KEV')
    expect(html).toContain('2026-07-19')
    expect(html).toContain('cannot be computed: CISA&#x27;s SSVC values are not in the data.')
  })

  it.each([
    ['for a CVE that is not in KEV', undefined, 'The days count from the detection on the asset.'],
    [
      'for an entry older than the directive',
      { ...KEV, dateAdded: '2026-06-09' },
      'CISA added the CVE before the directive of 2026-06-10; the due date in KEV follows an earlier directive.',
    ],
    [
      'for an entry added on the day of the directive',
      { ...KEV, dateAdded: '2026-06-10' },
      'The days count from the addition to KEV.',
    ],
  ])('says what the days are counted from %s', (_name, kev, text) => {
    const deadline = PRIORITY.deadline && { ...PRIORITY.deadline, kev_due_agrees: kev ? true : null }
    expect(explainDeadline({ ...PRIORITY, deadline }, kev)).toBe(text)
  })

  it.each([
    ['P0', false],
    ['P4', true],
  ] as const)('says for %s whether the directive can allow fewer days than the level suggests: %s', (level, isSaid) => {
    expect(render({ ...PRIORITY, level }).includes('The directive has rules of its own')).toBe(isSaid)
  })
})

describe('CVE page: decision and estimate', () => {
  it('says whose decision the SSVC decision is and what it assumes', () => {
    expect(render(PRIORITY)).toContain('s decision tree, effect on the mission assumed to be medium')
  })

  it('labels an estimate as an estimate', () => {
    const html = render({
      ...PRIORITY,
      deadline: INCOMPLETE,
      estimate: {
        exposed: { days: 14, forensic_triage: false },
        value_sources: { automatable: 'derived:cvss:nvd', technical_impact: 'derived:cvss:nvd' },
      },
    })
    expect(html).toContain('Our estimate from derived values, not a deadline of the directive')
    expect(html).toContain('14 days')
  })

  it.each([
    [{ days: 1, forensic_triage: false }, '1 day'],
    [{ days: 60, forensic_triage: true }, '60 days, with forensic triage'],
    [{ days: null, forensic_triage: false }, 'at the next upgrade'],
  ])('describes %j as "%s"', (remediation, words) => {
    expect(describeRemediation(remediation)).toBe(words)
  })
})
