// Which databases judged the components, and what is not covered. A component that is not covered may be affected, so
// these texts never call it safe.
import type { MatchedComponent } from 'vis-sdk'
import { formatDay, formatNumber } from '../../../text/format.ts'
import { titleDataset } from '../../../text/source-names.ts'
import { type Answer, type CoverageGap, GAPS } from '../result.ts'

type SourceCoverage = MatchedComponent['coverage'][number]

/** A database with the number of components that it judged. */
export interface JudgingSource extends SourceCoverage {
  readonly count: number
}

/** Lists the databases that judged components, those with the most components first. */
export function listJudges({ components }: Pick<Answer, 'components'>): readonly JudgingSource[] {
  const bySource = Map.groupBy(
    components.flatMap(({ coverage }) => coverage),
    ({ source }) => source,
  )
  return [...bySource.values()]
    .flatMap(([first, ...others]) => (first ? [{ ...first, count: others.length + 1 }] : []))
    .toSorted((a, b) => b.count - a.count || titleDataset(a.source).localeCompare(titleDataset(b.source), 'en'))
}

/** Components with the same reason, or covered ones. */
export interface CoverageCount {
  /** Undefined for components that complete and current databases judged. */
  readonly gap: CoverageGap | undefined
  readonly count: number
  /** How many of them are affected or possibly affected. Sources may name further CVEs for these. */
  readonly hitCount: number
}

/** Counts the components that are covered, and the others by reason. Reasons without a component are left out. */
export function countCoverage({
  components,
  overview,
}: Pick<Answer, 'components' | 'overview'>): readonly CoverageCount[] {
  const { by_coverage_gap: coverage } = overview
  const counts = [{ gap: undefined, count: coverage.covered }, ...GAPS.map((gap) => ({ gap, count: coverage[gap] }))]
  return counts
    .filter(({ count }) => count > 0)
    .map((each) => ({
      ...each,
      hitCount: components.filter(
        (component) => hasHit(component) && (component.coverage_gap ?? undefined) === each.gap,
      ).length,
    }))
}

function hasHit({ verdict }: MatchedComponent): boolean {
  return verdict === 'affected' || verdict === 'possibly_affected'
}

/** Describes the database's state: "incomplete, stale". Empty for a complete and current one. */
export function describeState({ complete, stale, as_of }: SourceCoverage): string {
  if (as_of === null) return 'not loaded'
  return [...(complete ? [] : ['incomplete']), ...(stale ? ['stale'] : [])].join(', ')
}

/** Names the databases that judged a component with the day of their data and their state, for a file. */
export function describeJudges({ coverage }: MatchedComponent): string {
  return coverage
    .map((each) => {
      const facts = [each.as_of === null ? '' : formatDay(each.as_of), describeState(each)].filter(Boolean)
      return `${titleDataset(each.source)} (${facts.join(', ')})`
    })
    .join('; ')
}

const BASES = {
  released: 'by the date of its release',
  newest_record: 'by its newest record',
  delivered: 'by the date of its delivery',
} as const satisfies Record<NonNullable<NonNullable<Answer['overview']['oldest_data']>['as_of_basis']>, string>

/** Names the oldest database that judged a component, and what its date is. */
export function describeOldest({ oldest_data: oldest }: Answer['overview']): string {
  if (oldest === null) return 'No database judged a component.'
  const basis = oldest.as_of_basis === null ? '' : `, ${BASES[oldest.as_of_basis]}`
  return `The oldest data that decided is of ${titleDataset(oldest.source)}: ${formatDay(oldest.as_of)}${basis}.`
}

/** Describes the coverage for the label of a chart. */
export function describeCovered({
  components_total: components,
  by_coverage_gap: coverage,
}: Answer['overview']): string {
  const count = `${formatNumber(coverage.covered)} of ${formatNumber(components)}`
  return `${count} ${components === 1 ? 'component was' : 'components were'} judged by complete and current databases.`
}
