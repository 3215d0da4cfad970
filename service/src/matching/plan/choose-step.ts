// Chooses the next version in a fix plan. Judging a version is expensive, so it is first estimated which hits remain in
// each version, and the most promising versions are judged until no other version can be better.
import { STEP_KINDS, type StepKind } from '../../domain/version/step-kind.ts'
import { compareCounts, type LevelCounts, NO_HITS, URGENT_LEVELS } from './level-counts.ts'

/** A hit that remains in the versions from `first` to `last`, which are positions among the candidates. */
export interface Span {
  readonly subjectKey: string
  /** Index of the level (level-counts.ts). */
  readonly level: number
  readonly first: number
  readonly last: number
}

export interface JudgedStep {
  /** The hits of the version, among them those that the installed version does not have. */
  readonly counts: LevelCounts
  /** Further spans that the judgement has shown. */
  readonly spans: readonly Span[]
}

/** Maximum number of versions that are judged for one component. */
const MAX_PLANNED = 10

/**
 * Yields the positions of versions to be judged, and returns the position of the chosen version: the smallest step
 * (patch, minor, major) with which as few urgent hits remain as with any other, and within it the nearest version with
 * the fewest remaining hits, at the most urgent level first. Returns undefined if no judged version has fewer hits than
 * `current`. `kinds` has one entry per version, the lowest version first.
 */
export function* chooseStep(
  kinds: readonly StepKind[],
  current: LevelCounts,
  spans: readonly Span[],
): Generator<number, number | undefined, JudgedStep> {
  const known = [...spans]
  const judged = new Map<number, LevelCounts>()
  for (;;) {
    const estimates = countRemaining(kinds.length, known)
    const countAt = (position: number) => judged.get(position) ?? estimates[position] ?? NO_HITS
    const isOpen = judged.size < MAX_PLANNED
    const best = findBest(kinds, countAt, (position) => {
      return (isOpen || judged.has(position)) && compareCounts(countAt(position), current) < 0
    })
    if (best === undefined || judged.has(best)) return best
    const { counts, spans: shown } = yield best
    judged.set(best, counts)
    known.push(...shown)
  }
}

function findBest(
  kinds: readonly StepKind[],
  countAt: (position: number) => LevelCounts,
  isBetter: (position: number) => boolean,
): number | undefined {
  let best: number | undefined
  for (let position = 0; position < kinds.length; position += 1) {
    if (!isBetter(position)) continue
    if (best === undefined || compareSteps(position, best) < 0) best = position
  }
  return best

  function compareSteps(a: number, b: number): number {
    const [x, y] = [countAt(a), countAt(b)]
    return compareCounts(x, y, URGENT_LEVELS) || rankKind(kinds[a]) - rankKind(kinds[b]) || compareCounts(x, y)
  }
}

const rankKind = (kind: StepKind | undefined) => (kind === undefined ? 0 : STEP_KINDS.indexOf(kind))

/** Counts the known hits in each version. A hit whose spans overlap counts once. */
function countRemaining(length: number, spans: readonly Span[]): readonly LevelCounts[] {
  const changes = Array.from({ length: length + 1 }, () => new Int32Array(NO_HITS.length))
  const change = (position: number, level: number, by: number) => {
    const counts = changes[position]
    if (counts !== undefined) counts[level] = (counts[level] ?? 0) + by
  }
  for (const ofSubject of Map.groupBy(spans, ({ subjectKey }) => subjectKey).values()) {
    let end = -1
    for (const { level, first, last } of ofSubject.toSorted((a, b) => a.first - b.first)) {
      const start = Math.max(first, end + 1)
      if (start > last) continue
      change(start, level, 1)
      change(last + 1, level, -1)
      end = last
    }
  }
  const sum = new Int32Array(NO_HITS.length)
  return changes.slice(0, length).map((counts) => {
    for (const [level, by] of counts.entries()) sum[level] = (sum[level] ?? 0) + by
    return [...sum]
  })
}
