import type { Component } from '../../domain/component/component.ts'
import { COMPONENT_VERDICTS, type ComponentVerdict } from '../../domain/match-words.ts'
import { LEVELS, type Level, listRanks } from '../../domain/priority/policy.ts'
import type { SelectedComponent } from './select-matches.ts'

export interface MatchSummary {
  add(components: readonly SelectedComponent[]): void
  render(): string
}

export function createMatchSummary(hasCurrentData: (component: Component) => boolean): MatchSummary {
  const verdicts = new Map<ComponentVerdict, number>()
  /** Maps the id of every listed CVE and advisory to its rank. */
  const ranks = new Map<string, number | null>()
  let [components, gaps] = [0, 0]
  const countLevel = (level: Level) => {
    const { min, max } = listRanks(level)
    return [...ranks.values()].filter((rank) => rank !== null && rank >= min && rank <= max).length
  }
  return {
    add: (added) => {
      for (const { matched, listed } of added) {
        components += 1
        if (!hasCurrentData(matched.component)) gaps += 1
        verdicts.set(matched.verdict, (verdicts.get(matched.verdict) ?? 0) + 1)
        for (const { subject } of listed) ranks.set(subject.id, subject.rank)
      }
    },
    render: () =>
      JSON.stringify({
        components,
        ...Object.fromEntries(COMPONENT_VERDICTS.map((verdict) => [verdict, verdicts.get(verdict) ?? 0])),
        cves: ranks.size,
        by_level: {
          ...Object.fromEntries(LEVELS.map((level) => [level, countLevel(level)])),
          none: [...ranks.values()].filter((rank) => rank === null).length,
        },
        data_gaps: gaps,
      }),
  }
}
