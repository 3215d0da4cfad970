import { renderToStaticMarkup } from 'react-dom/server'
import type { Priority } from 'vis-sdk'
import { describe, expect, it } from 'vitest'
import { describeRemediation, listInputs } from '../../src/pages/cve/model/verdict.ts'
import { VerdictPanel } from '../../src/pages/cve/parts/verdict-panel.tsx'
import { EMPTY_CVE } from './empty-cve.ts'

const PRIORITY: Priority = {
  level: 'P0',
  policy: '2026-11',
  ssvc: {
    decision: 'act',
    tree: 'cisa-coordinator-2.0.3',
    mission: 'medium',
    exploitation: 'active',
    automatable: 'yes',
    technical_impact: null,
    sources: { exploitation: 'kev', automatable: 'derived:cvss:nvd', technical_impact: null },
  },
  deadline: {
    rule: 'bod-26-04',
    inputs: 'cisa',
    counted_from: 'kev_added_or_detection',
    exposed: { days: 3, forensic_triage: true, due_date: '2026-07-13' },
    internal: { days: null, forensic_triage: false },
    kev_due_agrees: false,
  },
  reasons: ["In CISA's KEV catalog since 2021-12-10.", 'EPSS gives 94 % for the next 30 days.'],
}

const render = (priority: Priority) =>
  renderToStaticMarkup(<VerdictPanel cve={EMPTY_CVE} priority={priority} />).replaceAll('<!-- -->', '')

describe('CVE page: verdict', () => {
  it('shows the level in words, every reason and the version of the policy', () => {
    const html = render(PRIORITY)
    for (const text of ['P0', 'act now', 'by policy 2026-11', 'KEV catalog since 2021-12-10.', 'EPSS gives 94 %'])
      expect(html).toContain(text)
  })

  it('names each input with its source, and says which no source states', () => {
    const { ssvc } = PRIORITY
    expect(ssvc && listInputs(ssvc).map(({ label, text, source }) => [label, text, source])).toEqual([
      ['Exploitation', 'active', 'kev'],
      ['Automatable', 'yes', 'derived:cvss:nvd'],
      ['Technical impact', 'not stated', undefined],
    ])
  })

  it('shows the deadlines of the directive with their due date, and that KEV has another one', () => {
    const html = render(PRIORITY)
    for (const text of ['3 days, with forensic triage', '2026-07-13', 'overdue', 'at the next upgrade', 'another day'])
      expect(html).toContain(text)
  })

  it('shows no date that lies before the directive', () => {
    const { deadline } = PRIORITY
    const exposed = { days: 3, forensic_triage: true, due_date: '2024-02-12' }
    const html = render({ ...PRIORITY, deadline: deadline && { ...deadline, exposed } })
    expect(html).toContain('3 days, with forensic triage')
    expect(html).not.toContain('2024-02-12')
    expect(html).not.toContain('overdue')
  })

  it('calls an estimate an estimate, and says why there is no deadline', () => {
    const html = render({
      ...PRIORITY,
      deadline: {
        rule: 'bod-26-04',
        inputs: 'incomplete',
        counted_from: 'kev_added_or_detection',
        kev_due_agrees: null,
      },
      estimate: {
        exposed: { days: 14, forensic_triage: false },
        sources: { automatable: 'derived:cvss:nvd', technical_impact: 'derived:cvss:nvd' },
      },
    })
    expect(html).toContain('CISA does not state all inputs, so the directive gives no deadline.')
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
