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

/** A line of the plan with the reasons for which more may affect its components than is known. */
interface PlanRow extends PlannedFix {
  readonly gaps: readonly string[]
}

const PLAN_COLUMNS: readonly CsvColumn<PlanRow>[] = [
  ['package', ({ package: { vendor, product } }) => [vendor, product].filter(Boolean).join('/')],
  ['from_version', ({ from_version }) => from_version],
  ['to_version', ({ to_version }) => to_version],
  ['kind', ({ kind }) => kind],
  ['seen_in', ({ seen_in }) => seen_in],
  ['resolves_total', ({ resolves_total }) => resolves_total],
  [
    'resolves',
    ({ resolves }) =>
      resolves.map(({ level, total, ids }) => `${level ?? 'no level'}: ${joinIds(ids, total)}`).join('; '),
  ],
  ['remains_total', ({ remains_total }) => remains_total],
  ['remains', ({ remains, remains_total }) => joinIds(remains, remains_total)],
  ['introduces_total', ({ introduces_total }) => introduces_total],
  ['introduces', ({ introduces, introduces_total }) => joinIds(introduces, introduces_total)],
  ['path', (line) => describePath(line)],
  ['coverage_gap', ({ gaps }) => gaps.join('; ')],
]

export function toPlanCsv({ fix_plan: plan, components }: Pick<Answer, 'fix_plan' | 'components'>): string {
  const rows = plan.map((line) => {
    const own = components.filter(({ index }) => line.indexes.includes(index))
    return { ...line, gaps: [...new Set(own.flatMap(({ coverage_gap: gap }) => gap ?? []))] }
  })
  return formatCsv(PLAN_COLUMNS, rows)
}
