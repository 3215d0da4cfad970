// The result of a check as a CSV file: one line per match, and one per component without a listed match.
import type { MatchedComponent } from 'vis-sdk'
import { type CsvColumn, formatCsv } from '../../text/csv.ts'
import { type Answer, groupAnswer, type Match } from './result.ts'
import { describeOther, describeRequirement, isOtherwise, listFixedVersions, nameComponent } from './texts.ts'

interface CsvRow {
  readonly component: MatchedComponent
  readonly match?: Match
}

const COLUMNS: readonly CsvColumn<CsvRow>[] = [
  ['priority', ({ match }) => match?.priority.level],
  ['id', ({ match }) => match?.id],
  ['component', ({ component }) => nameComponent(component)],
  ['version', ({ component }) => component.interpreted_as.version],
  ['ref', ({ component }) => component.ref],
  ['verdict', ({ component, match }) => match?.verdict ?? component.verdict],
  ['confidence', ({ match }) => match?.confidence],
  ['severity', ({ match }) => match?.severity],
  ['kev', ({ match }) => match?.kev],
  ['epss', ({ match }) => match?.epss],
  ['fixed_in', ({ match }) => match && listFixedVersions(match).join('; ')],
  ['upgrade_to', ({ component }) => component.upgrade_to?.version],
  ['clean_version', ({ component }) => component.upgrade_to?.clean_version],
  ['reason', ({ match }) => match?.reason.text],
  ['disagreement', ({ match }) => match?.others.filter(isOtherwise).map(describeOther).join(' ')],
  ['requires', ({ match }) => match && describeRequirement(match)],
  ['priority_reason', ({ match }) => match?.priority.reason],
  [
    'did_you_mean',
    ({ component }) => component.did_you_mean?.map(({ vendor, product }) => `${vendor} ${product}`).join('; '),
  ],
]

export function toCsv(answer: Answer): string {
  const { affected, possible } = groupAnswer(answer)
  const others = answer.components.filter(({ matches }) => matches.length === 0).map((component) => ({ component }))
  return formatCsv<CsvRow>(COLUMNS, [...affected, ...possible, ...others])
}
