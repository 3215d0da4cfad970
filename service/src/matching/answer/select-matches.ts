import { type Level, listRanks } from '../../domain/priority/policy.ts'
import type { Match, MatchedComponent } from '../match.ts'

export interface SelectedComponent {
  readonly matched: MatchedComponent
  /** Matches within the requested priority levels, most urgent first. */
  readonly listed: readonly Match[]
  readonly shown: readonly Match[]
}

export function selectMatches(
  components: readonly MatchedComponent[],
  { maxLevel, maxMatches }: { readonly maxLevel: Level; readonly maxMatches: number },
): readonly SelectedComponent[] {
  return components.map((matched) => {
    const listed = matched.matches.filter(({ subject }) => isWithin(subject.rank, maxLevel))
    return { matched, listed, shown: listed.slice(0, maxMatches) }
  })
}

/** Rejected CVEs and advisories have no rank: they are listed only if the caller asks for the least urgent level. */
export function isWithin(rank: number | null, maxLevel: Level): boolean {
  return (rank ?? 0) >= listRanks(maxLevel).min
}
