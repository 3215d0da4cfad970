import { formatInstant } from '../../domain/instant.ts'
import {
  COMPONENT_VERDICTS,
  COVERAGE_GAP_WORDS,
  type ComponentVerdict,
  type CoverageGap,
} from '../../domain/match-words.ts'
import { LEVELS, type Level, listRanks } from '../../domain/priority/policy.ts'
import type { SourceCoverage } from '../coverage/coverage.ts'
import type { SelectedComponent } from './select-matches.ts'

export interface MatchSummary {
  add(components: readonly SelectedComponent[]): void
  render(): string
}

export function createMatchSummary(): MatchSummary {
  const verdicts = new Map<ComponentVerdict, number>()
  const gaps = new Map<CoverageGap | 'covered', number>()
  /** Maps the id of every listed CVE and advisory to its rank. */
  const ranks = new Map<string, number | null>()
  let components = 0
  let oldest: SourceCoverage | undefined
  const countLevel = (level: Level) => {
    const { min, max } = listRanks(level)
    return [...ranks.values()].filter((rank) => rank !== null && rank >= min && rank <= max).length
  }
  return {
    add: (added) => {
      for (const { matched, listed } of added) {
        components += 1
        increase(gaps, matched.gap ?? 'covered')
        increase(verdicts, matched.verdict)
        for (const source of matched.coverage.sources) oldest = findOlder(oldest, source)
        for (const { subject } of listed) ranks.set(subject.id, subject.rank)
      }
    },
    render: () =>
      JSON.stringify({
        components_total: components,
        by_verdict: Object.fromEntries(COMPONENT_VERDICTS.map((verdict) => [verdict, verdicts.get(verdict) ?? 0])),
        hits_total: ranks.size,
        by_level: {
          ...Object.fromEntries(LEVELS.map((level) => [level, countLevel(level)])),
          none: [...ranks.values()].filter((rank) => rank === null).length,
        },
        by_coverage_gap: {
          covered: gaps.get('covered') ?? 0,
          ...Object.fromEntries(COVERAGE_GAP_WORDS.map((gap) => [gap, gaps.get(gap) ?? 0])),
        },
        oldest_data: renderOldest(oldest),
      }),
  }
}

function increase<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

function findOlder(one: SourceCoverage | undefined, other: SourceCoverage): SourceCoverage | undefined {
  if (other.asOf === null) return one
  return one?.asOf && one.asOf <= other.asOf ? one : other
}

function renderOldest(oldest: SourceCoverage | undefined) {
  if (oldest?.asOf == null) return null
  return { source: oldest.source, as_of: formatInstant(oldest.asOf), as_of_basis: oldest.asOfBasis }
}
