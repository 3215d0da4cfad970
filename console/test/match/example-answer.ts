// Components of an answer for tests, with the members that a test names and plain values for the others.
import type { PlannedFix } from 'vis-sdk'
import type { Answer, Match } from '../../src/pages/match/result.ts'

type Component = Answer['components'][number]

export function match(id: string, more: Partial<Match> = {}): Match {
  return {
    id,
    cve_id: id.startsWith('CVE-') ? id : null,
    aliases: [],
    verdict: 'affected',
    confidence: 'high',
    statement: { source: 'nvd', range: { before_version: '2.0' }, text: 'NVD: acme router before 2.0; 1.0 is inside.' },
    other_statements: [],
    fixed_in: [],
    severity: 7.5,
    in_kev: false,
    epss_score: null,
    priority_level: 'P2',
    priority_reason: null,
    ssvc_decision: 'track',
    ...more,
  }
}

export const level = (priority_level: Match['priority_level']): Pick<Match, 'priority_level'> => ({ priority_level })

export function component(index: number, more: Partial<Component> = {}): Component {
  const matches = more.matches ?? []
  return {
    index,
    interpreted_as: { vendor: 'acme', product: `product-${index}`, version: '1.0', identified_by: 'product' },
    verdict: matches.length > 0 ? 'affected' : 'not_affected',
    coverage_gap: null,
    coverage: [{ source: 'nvd', complete: true, as_of: '2026-08-21T22:00:00Z', stale: false }],
    matches_total: matches.length,
    weaker_total: 0,
    unordered_total: 0,
    suppressed_total: 0,
    suppressed: [],
    ...more,
    matches,
  }
}

type Overview = Answer['overview']

interface OverviewMembers extends Omit<Partial<Overview>, 'by_verdict'> {
  readonly by_verdict?: Partial<Overview['by_verdict']>
}

export function overview({ by_verdict, ...more }: OverviewMembers): Overview {
  return {
    components_total: 0,
    by_verdict: {
      affected: 0,
      possibly_affected: 0,
      not_covered: 0,
      not_affected: 0,
      no_known_advisory: 0,
      ...by_verdict,
    },
    hits_total: 0,
    by_level: { P0: 0, P1: 0, P2: 0, unrated: 0, P3: 0, P4: 0, none: 0 },
    by_coverage_gap: coverage({}),
    oldest_data: null,
    ...more,
  }
}

type CoverageCounts = Overview['by_coverage_gap']

export function coverage(more: Partial<CoverageCounts>): CoverageCounts {
  return {
    covered: 0,
    no_source: 0,
    unknown_release: 0,
    no_data: 0,
    guessed_name: 0,
    unknown_product: 0,
    unknown_source_package: 0,
    incomplete: 0,
    stale: 0,
    ...more,
  }
}

export function planLine(more: Partial<PlannedFix> = {}): PlannedFix {
  return {
    package: { vendor: 'acme', product: 'router' },
    from_version: '1.0',
    to_version: '2.0',
    seen_in: 'fixed_version',
    kind: 'major',
    resolves_total: 1,
    resolves: [{ level: 'P0', total: 1, ids: ['CVE-1'] }],
    remains_total: 0,
    remains: [],
    introduces_total: 0,
    introduces: [],
    path: null,
    direct_dependencies: [],
    indexes: [0],
    ...more,
  }
}
