// Components of an answer for tests, with the members that a test names and plain values for the others.
import type { PlannedFix } from 'vis-sdk'
import type { Answer, Match } from '../../src/pages/match/result.ts'

type Component = Answer['components'][number]

export function match(id: string, more: Partial<Match> = {}): Match {
  return {
    id,
    verdict: 'affected',
    confidence: 'high',
    reason: { source: 'nvd', range: { before: '2.0' }, text: 'NVD: acme router before 2.0; 1.0 is inside.' },
    others: [],
    fixed_in: [],
    severity: 7.5,
    kev: false,
    epss: null,
    priority: { level: 'P2', ssvc: 'track', reason: null },
    ...more,
  }
}

export const level = (name: Match['priority']['level']): Pick<Match, 'priority'> => ({
  priority: { level: name, ssvc: null, reason: null },
})

export function component(index: number, more: Partial<Component> = {}): Component {
  const matches = more.matches ?? []
  return {
    index,
    interpreted_as: { vendor: 'acme', product: `product-${index}`, version: '1.0', by: 'product' },
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

export function summary(more: Partial<Answer['summary']>): Answer['summary'] {
  return {
    components: 0,
    affected: 0,
    possibly_affected: 0,
    not_covered: 0,
    not_affected: 0,
    no_known_advisory: 0,
    cves: 0,
    by_level: { P0: 0, P1: 0, P2: 0, unrated: 0, P3: 0, P4: 0, none: 0 },
    coverage: coverage({}),
    oldest_data: null,
    ...more,
  }
}

type CoverageCounts = Answer['summary']['coverage']

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
    component: { vendor: 'acme', product: 'router' },
    from: '1.0',
    to: '2.0',
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
