import { formatInstant } from '../../domain/instant.ts'
import type { CoverageGap } from '../../domain/match-words.ts'
import type { Coverage } from '../coverage/coverage.ts'

interface Covered {
  readonly coverage: Coverage
  readonly gap: CoverageGap | undefined
}

export function renderCoverage({ coverage, gap }: Covered) {
  return {
    coverage_gap: gap ?? null,
    coverage: coverage.sources.map(({ source, isComplete, asOf, isStale }) => ({
      source,
      complete: isComplete,
      as_of: asOf && formatInstant(asOf),
      stale: isStale,
    })),
    ...(coverage.sources.some(({ isStale }) => isStale) && { stale: true }),
  }
}
