// Compares our copy of the table in BOD 26-04 with all 16 rows of version 1.0.0 as published by CERT/CC.
import { describe, expect, it } from 'vitest'
import { estimateDeadline, findDeadline, findTimeline } from '../../../src/domain/priority/deadline.ts'
import { AUTOMATABLE, buildFacts, NOT_AUTOMATABLE, PARTIAL, TOTAL } from './facts-fixture.ts'

/** In KEV, publicly exposed, automatable, technical impact, days (null: at the next upgrade), forensic triage. */
const ROWS = [
  ['no', 'no', 'no', 'partial', null, false],
  ['yes', 'no', 'no', 'partial', 14, false],
  ['no', 'yes', 'no', 'partial', 60, false],
  ['no', 'no', 'yes', 'partial', 60, false],
  ['no', 'no', 'no', 'total', null, false],
  ['yes', 'yes', 'no', 'partial', 14, false],
  ['yes', 'no', 'yes', 'partial', 14, false],
  ['no', 'yes', 'yes', 'partial', 14, false],
  ['yes', 'no', 'no', 'total', 14, false],
  ['no', 'yes', 'no', 'total', 14, false],
  ['no', 'no', 'yes', 'total', 60, false],
  ['yes', 'yes', 'yes', 'partial', 3, false],
  ['yes', 'yes', 'no', 'total', 3, true],
  ['yes', 'no', 'yes', 'total', 3, true],
  ['no', 'yes', 'yes', 'total', 3, false],
  ['yes', 'yes', 'yes', 'total', 3, true],
] as const

const CISA = { automatable: AUTOMATABLE, technicalImpact: PARTIAL }
const DERIVED = { ...CISA, automatable: { value: 'yes', source: 'derived:cvss:nvd' } } as const
const added = (since: string, dueDate: string | null) => ({ kev: { since, dueDate, isUsedByRansomware: false } })

describe('BOD 26-04 timelines', () => {
  it('have 16 rows', () => {
    expect(new Set(ROWS.map((row) => row.slice(0, 4).join())).size).toBe(16)
  })

  it.each(ROWS)('for KEV %s, exposed %s, automatable %s, impact %s: %s days, triage %s', (...row) => {
    const [inKev, exposed, automatable, technicalImpact, days, triage] = row
    const exposure = exposed === 'yes' ? 'exposed' : 'internal'
    expect(findTimeline({ isInKev: inKev === 'yes', exposure, automatable, technicalImpact })).toEqual({
      days,
      forensic_triage: triage,
    })
  })
})

describe('Deadline (decision E22)', () => {
  it("is computed from CISA's own values, with a date for a KEV entry", () => {
    expect(findDeadline(buildFacts({ ...CISA, ...added('2026-06-29', '2026-07-02') }))).toEqual({
      rule: 'bod-26-04',
      inputs: 'cisa',
      counted_from: 'kev_added_or_detection',
      exposed: { days: 3, forensic_triage: false, due_date: '2026-07-02' },
      internal: { days: 14, forensic_triage: false, due_date: '2026-07-13' },
      kev_due_agrees: true,
    })
  })

  it('has no date for a CVE outside KEV, because it runs from detection', () => {
    expect(findDeadline(buildFacts({ automatable: NOT_AUTOMATABLE, technicalImpact: TOTAL }))).toEqual({
      rule: 'bod-26-04',
      inputs: 'cisa',
      counted_from: 'kev_added_or_detection',
      exposed: { days: 14, forensic_triage: false },
      internal: { days: null, forensic_triage: false },
      kev_due_agrees: null,
    })
  })

  it('has no date for a KEV entry older than the directive, whose due date follows an earlier directive', () => {
    expect(findDeadline(buildFacts({ ...CISA, ...added('2021-11-03', '2022-05-03') }))).toMatchObject({
      exposed: { days: 3, forensic_triage: false },
      internal: { days: 14, forensic_triage: false },
      kev_due_agrees: null,
    })
    const { exposed, internal } = findDeadline(buildFacts({ ...CISA, ...added('2026-06-09', '2026-06-12') }))
    expect([exposed, internal].map((each) => each && 'due_date' in each)).toEqual([false, false])
  })

  it.each([
    ['derived', DERIVED],
    ['missing', { technicalImpact: TOTAL }],
  ])('does not exist if there is a %s value', (_, values) => {
    expect(findDeadline(buildFacts(values))).toEqual({
      rule: 'bod-26-04',
      inputs: 'incomplete',
      counted_from: 'kev_added_or_detection',
      kev_due_agrees: null,
    })
  })

  it('ignores who else reports exploitation, because only KEV is an input', () => {
    const facts = buildFacts({
      ...CISA,
      euKev: { since: '2026-07-01', isUsedByRansomware: false },
      activeReports: [{ by: 'cisa-adp', date: null }],
    })
    expect(findDeadline(facts)).toEqual(findDeadline(buildFacts(CISA)))
  })

  it.each([
    ['agrees with the date for an internal system', '2026-07-01', '2026-07-15', true],
    ['agrees with the date for an exposed system', '2026-07-01', '2026-07-04', true],
    ['does not agree with any other date', '2026-07-01', '2026-07-22', false],
    ['is not compared if CISA added the entry before the directive', '2026-06-09', '2026-06-12', null],
    ['is not compared if the entry has no due date', '2026-07-01', null, null],
  ])("says that CISA's due date %s", (_, since, dueDate, agrees) => {
    expect(findDeadline(buildFacts({ ...CISA, ...added(since, dueDate) })).kev_due_agrees).toBe(agrees)
  })
})

describe('Estimate of a deadline', () => {
  it('uses derived values and names their sources', () => {
    expect(estimateDeadline(buildFacts(DERIVED))).toEqual({
      exposed: { days: 14, forensic_triage: false },
      internal: { days: 60, forensic_triage: false },
      value_sources: { automatable: 'derived:cvss:nvd', technical_impact: 'cisa-adp' },
    })
  })

  it('does not exist if there is a deadline or an unknown value', () => {
    expect(estimateDeadline(buildFacts(CISA))).toBeNull()
    expect(estimateDeadline(buildFacts({ technicalImpact: TOTAL }))).toBeNull()
  })
})
