// Results of components that occur again in the same call, so that each of them is judged once. The results that are kept
// have a limited number of hits; above it, an equal component is judged again.
import type { MatchedComponent } from './match.ts'

const MAX_KEPT_HITS = 30_000

export interface Repeats {
  has(key: string): boolean
  get(key: string): MatchedComponent | undefined
  keep(key: string, matched: MatchedComponent): void
}

/** `keys` are those of all components of the call, in any order. */
export function createRepeats(keys: readonly string[], maxKeptHits = MAX_KEPT_HITS): Repeats {
  const seen = new Set<string>()
  const repeated = new Set(keys.filter((key) => seen.size === seen.add(key).size))
  const kept = new Map<string, MatchedComponent>()
  let hits = 0
  return {
    has: (key) => kept.has(key),
    get: (key) => kept.get(key),
    keep: (key, matched) => {
      if (!repeated.has(key) || kept.has(key)) return
      const added = matched.matches.length + matched.suppressed.length
      if (hits + added > maxKeptHits) return
      hits += added
      kept.set(key, matched)
    },
  }
}
