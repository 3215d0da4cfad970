import { describe, expect, it } from 'vitest'
import { createPriorityReport, type PrioritizedCve } from '../../../src/catalog/reports/priorities.ts'
import { REFERENCE_THRESHOLDS } from '../../../src/domain/priority/epss-rule.ts'
import { rank } from '../../../src/domain/priority/policy.ts'
import {
  AUTOMATABLE,
  buildExploit,
  buildFacts,
  NOT_AUTOMATABLE,
  PARTIAL,
  TOTAL,
} from '../../domain/priority/facts-fixture.ts'
import { CVE_ID, V31 } from '../records.ts'

function cve(values: Parameters<typeof buildFacts>[0], epss: number | null = null): PrioritizedCve {
  const facts = buildFacts(values)
  const held = REFERENCE_THRESHOLDS.filter((threshold) => epss !== null && epss >= threshold).map(() => '2026-08-15')
  return { cveId: CVE_ID, facts, epss, held, rank: rank(facts, epss), vector: facts.score && V31 }
}

function measure(...cves: readonly PrioritizedCve[]) {
  const report = createPriorityReport()
  for (const each of cves) report.add(each)
  return report.build()
}

const SCORED = { score: { value: 9.8, version: '3.1', source: 'nvd' } }
const added = (since: string, dueDate: string) => ({ kev: { since, dueDate, isUsedByRansomware: false } })

describe('Report on priorities', () => {
  it('counts CVEs per level, rejected CVEs and ranks that belong to another level', () => {
    const report = measure(cve({ ...SCORED, ...added('2024-01-01', '2024-01-22') }), cve({ isRejected: true }), {
      ...cve({}, 0.2),
      rank: 0,
    })
    expect(report).toMatchObject({ cves: 3, rejected: 1, staleRanks: 1 })
    expect(report.levels.map(({ level, cves }) => [level, cves])).toEqual([
      ['P0', 1],
      ['P1', 0],
      ['P2', 1],
      ['unrated', 0],
      ['P3', 0],
      ['P4', 0],
    ])
  })

  it('hides KEV and reports of exploitation from the policy it compares', () => {
    const known = { ...SCORED, ...added('2024-01-01', '2024-01-22'), activeReports: [{ by: 'msrc', date: null }] }
    const { comparison } = measure(
      cve({ ...known, hasPublicExploit: true }, 0.8),
      cve(
        {
          ...known,
          automatable: AUTOMATABLE,
          hasPublicExploit: true,
          exploit: buildExploit('poc', ['tagged-reference']),
        },
        0.8,
      ),
      cve({}, 0.9),
    )
    expect(comparison).toMatchObject({ cves: 2, inKev: 2 })
    expect(comparison.rules.map(({ flagged, inKev }) => [flagged, inKev])).toEqual([
      [2, 2],
      [2, 2],
      [2, 2],
      [2, 2],
      [1, 1],
    ])
  })

  it("compares derived values with CISA's only where both exist", () => {
    const { agreement } = measure(
      cve({ ...SCORED, automatable: AUTOMATABLE, technicalImpact: PARTIAL }),
      cve({ ...SCORED, automatable: { value: 'yes', source: 'derived:cvss:nvd' } }),
      cve({ automatable: AUTOMATABLE }),
    )
    expect(agreement).toEqual({
      automatable: { compared: 1, agreed: 1 },
      technicalImpact: { compared: 1, agreed: 0 },
    })
  })

  it('counts the inputs of deadlines and lists KEV entries since the directive', () => {
    const { deadlines } = measure(
      cve({ automatable: NOT_AUTOMATABLE, technicalImpact: TOTAL, ...added('2026-07-01', '2026-07-04') }),
      cve({ automatable: NOT_AUTOMATABLE, ...added('2026-06-09', '2026-06-12') }),
      cve({}),
    )
    expect(deadlines).toMatchObject({ cisa: 1, incomplete: 2, kevCisa: 1, kevIncomplete: 1 })
    expect(deadlines.sinceDirective.map(({ deadline }) => deadline.kev_due_agrees)).toEqual([true])
  })
})
