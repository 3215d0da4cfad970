// The result of a check as a CSV file, with one line per match and one per component without a listed match, and the
// fix plan as another.
import type { MatchedComponent, PlannedFix } from 'vis-sdk'
import { type CsvColumn, formatCsv } from '../../text/csv.ts'
import { describeJudges } from './coverage/coverage.ts'
import { describePath } from './plan/texts.ts'
import { type Answer, groupAnswer, type Match } from './result.ts'
import {
  describeGap,
  describeOther,
  describeRequirement,
  isOtherwise,
  listFixedVersions,
  nameComponent,
} from './texts.ts'

interface CsvRow {
  readonly component: MatchedComponent
  readonly match?: Match
}

const COLUMNS: readonly CsvColumn<CsvRow>[] = [
  ['priority_level', ({ match }) => match?.priority_level],
  ['id', ({ match }) => match?.id],
  ['aliases', ({ match }) => match?.aliases.map(({ alias }) => alias).join('; ')],
  ['component', ({ component }) => nameComponent(component)],
  ['version', ({ component }) => component.interpreted_as.version],
  ['ref', ({ component }) => component.ref],
  ['verdict', ({ component, match }) => match?.verdict ?? component.verdict],
  ['component_verdict', ({ component }) => component.verdict],
  ['coverage_gap', ({ component }) => component.coverage_gap],
  ['confidence', ({ match }) => match?.confidence],
  ['severity', ({ match }) => match?.severity ?? match?.severity_word],
  ['in_kev', ({ match }) => match?.in_kev],
  ['epss_score', ({ match }) => match?.epss_score],
  [
    'fixed_in',
    ({ component, match }) =>
      match &&
      listFixedVersions({ component, match })
        .map(({ version }) => version)
        .join('; '),
  ],
  ['upgrade_to', ({ component }) => component.upgrade_to?.version],
  ['clean_version', ({ component }) => component.upgrade_to?.clean_version],
  ['reason', ({ match }) => match?.statement.text],
  ['disagreement', ({ match }) => match?.other_statements.filter(isOtherwise).map(describeOther).join(' ')],
  ['requires', ({ match }) => match && describeRequirement(match)],
  ['distribution_state', ({ match }) => match?.distribution_state],
  ['distribution_urgency', ({ match }) => match?.distribution_urgency],
  ['priority_reason', ({ match }) => match?.priority_reason],
  ['judged_by', ({ component }) => describeJudges(component)],
  [
    'not_covered_because',
    ({ component: { verdict, coverage_gap: gap } }) => (verdict === 'not_covered' ? describeGap(gap) : undefined),
  ],
  [
    'similar_products',
    ({ component }) => component.similar_products?.map(({ vendor, product }) => `${vendor} ${product}`).join('; '),
  ],
]

export function toCsv(answer: Answer): string {
  const { affected, possible } = groupAnswer(answer)
  const others = answer.components.filter(({ matches }) => matches.length === 0).map((component) => ({ component }))
  return formatCsv<CsvRow>(COLUMNS, [...affected, ...possible, ...others])
}

const joinIds = (ids: readonly string[], total: number) =>
  [...ids, ...(total > ids.length ? [`and ${total - ids.length} more`] : [])].join('; ')

/** A line of the plan, or a component that could not be judged, so that the plan says nothing of it. */
interface PlanRow {
  readonly line?: PlannedFix
  readonly package: PlannedFix['package']
  readonly from_version: string | null
  /** Why more may affect the components than is known. */
  readonly gaps: readonly string[]
  readonly notCoveredBecause?: string
}

const PLAN_COLUMNS: readonly CsvColumn<PlanRow>[] = [
  ['package', ({ package: { vendor, product } }) => [vendor, product].filter(Boolean).join('/')],
  ['from_version', ({ from_version }) => from_version],
  ['to_version', ({ line }) => line?.to_version],
  ['kind', ({ line }) => line?.kind],
  ['seen_in', ({ line }) => line?.seen_in],
  ['resolves_total', ({ line }) => line?.resolves_total],
  [
    'resolves',
    ({ line }) =>
      line?.resolves.map(({ level, total, ids }) => `${level ?? 'no level'}: ${joinIds(ids, total)}`).join('; '),
  ],
  ['remains_total', ({ line }) => line?.remains_total],
  ['remains', ({ line }) => line && joinIds(line.remains, line.remains_total)],
  ['introduces_total', ({ line }) => line?.introduces_total],
  ['introduces', ({ line }) => line && joinIds(line.introduces, line.introduces_total)],
  ['path', ({ line }) => line && describePath(line)],
  ['coverage_gap', ({ gaps }) => gaps.join('; ')],
  ['not_covered_because', ({ notCoveredBecause }) => notCoveredBecause],
]

export function toPlanCsv({ fix_plan: plan, components }: Pick<Answer, 'fix_plan' | 'components'>): string {
  const rows = plan.map((line): PlanRow => {
    const own = components.filter(({ index }) => line.indexes.includes(index))
    const gaps = [...new Set(own.flatMap(({ coverage_gap: gap }) => gap ?? []))]
    return { line, package: line.package, from_version: line.from_version, gaps }
  })
  const uncovered = components
    .filter(({ verdict }) => verdict === 'not_covered')
    .map(
      ({ interpreted_as, coverage_gap: gap }): PlanRow => ({
        package: interpreted_as,
        from_version: interpreted_as.version,
        gaps: gap === null ? [] : [gap],
        notCoveredBecause: describeGap(gap),
      }),
    )
  return formatCsv(PLAN_COLUMNS, [...rows, ...uncovered])
}
