// Selects the matches of a component that an answer lists.
import { type Level, listRanks } from '../../domain/priority/policy.ts'
import type { Match, MatchedComponent } from '../match.ts'

export interface SelectedComponent {
  readonly matched: MatchedComponent
  /** Matches within the requested levels, most urgent first. */
  readonly listed: readonly Match[]
  /** The first of them, as many as the caller wants. */
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

/** A CVE without a rank is rejected, and an advisory has no rank: both are listed with the least urgent level only. */
export function isWithin(rank: number | null, maxLevel: Level): boolean {
  return (rank ?? 0) >= listRanks(maxLevel).min
}
