// Keeps the results of components that occur again in the same call. Once too many hits are kept, an equal component is
// judged again.

const MAX_KEPT_HITS = 30_000

export interface Repeats<Result> {
  has(key: string): boolean
  get(key: string): Result | undefined
  keep(key: string, result: Result, hitCount: number): void
}

/** `keys`: one per component of the call. */
export function createRepeats<Result>(keys: readonly string[]): Repeats<Result> {
  const seen = new Set<string>()
  const repeated = new Set(keys.filter((key) => seen.size === seen.add(key).size))
  const kept = new Map<string, Result>()
  let hits = 0
  return {
    has: (key) => kept.has(key),
    get: (key) => kept.get(key),
    keep: (key, result, hitCount) => {
      if (!repeated.has(key) || kept.has(key)) return
      if (hits + hitCount > MAX_KEPT_HITS) return
      hits += hitCount
      kept.set(key, result)
    },
  }
}
