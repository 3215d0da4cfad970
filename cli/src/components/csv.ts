// CSV with one row per match, and one row for each component without a listed match.
import type { MatchedComponent, PlannedFix } from 'vis-sdk'
import { type CsvColumn, formatCsvRow } from '../render/csv.ts'
import { describeProduct, listFixedVersions } from './describe.ts'
import { findResolved, indexFixPlan, listDirectDependencies } from './fix-plan.ts'
import { explainSilence } from './unjudged.ts'

interface Row {
  readonly component: MatchedComponent
  /** Undefined for a component without a listed match. */
  readonly match: MatchedComponent['matches'][number] | undefined
  readonly fix: PlannedFix | undefined
}

const COLUMNS: readonly CsvColumn<Row>[] = [
  { title: 'index', value: ({ component }) => component.index },
  { title: 'ref', value: ({ component }) => component.ref },
  { title: 'component', value: ({ component }) => describeProduct(component.interpreted_as) },
  { title: 'version', value: ({ component }) => component.interpreted_as.version },
  { title: 'verdict', value: ({ component }) => component.verdict },
  { title: 'coverage_gap', value: ({ component }) => component.coverage_gap },
  { title: 'oldest_data', value: ({ component }) => findOldest(component) },
  { title: 'priority_level', value: ({ match }) => match?.priority_level },
  { title: 'id', value: ({ match }) => match?.id },
  { title: 'aliases', value: ({ match }) => match?.aliases.map(({ alias }) => alias).join(' ') },
  { title: 'match_verdict', value: ({ match }) => match?.verdict },
  { title: 'confidence', value: ({ match }) => match?.confidence },
  { title: 'severity', value: ({ match }) => match?.severity },
  { title: 'severity_word', value: ({ match }) => match?.severity_word },
  { title: 'in_kev', value: ({ match }) => match?.in_kev },
  { title: 'epss_score', value: ({ match }) => match?.epss_score },
  { title: 'fixed_in', value: ({ match }) => match && listFixedVersions(match.fixed_in) },
  { title: 'planned_version', value: ({ fix }) => fix?.to_version },
  { title: 'planned_kind', value: ({ fix }) => fix?.kind },
  { title: 'planned_resolves', value: ({ fix, match }) => fix && match && findResolved(fix, match.id) },
  { title: 'direct_dependencies', value: ({ fix }) => fix && listDirectDependencies(fix) },
  { title: 'upgrade_to', value: ({ component }) => component.upgrade_to?.version },
  { title: 'reason', value: ({ component, match }) => match?.statement.text ?? explainSilence(component) },
]

export function formatComponentsCsv(components: readonly MatchedComponent[], plan: readonly PlannedFix[]): string {
  const findFix = indexFixPlan(plan)
  const rows = components.flatMap((component) => {
    const fix = findFix(component)
    const matches = component.matches.length === 0 ? [undefined] : component.matches
    return matches.map((match) => ({ component, match, fix }))
  })
  return [
    formatCsvRow(COLUMNS.map(({ title }) => title)),
    ...rows.map((row) => formatCsvRow(COLUMNS.map(({ value }) => value(row)))),
  ].join('')
}

/** Returns the age of the oldest database that judged a component; null if none has data. */
function findOldest({ coverage }: MatchedComponent): string | null {
  const times = coverage.flatMap(({ as_of }) => as_of ?? [])
  return times.toSorted()[0] ?? null
}
