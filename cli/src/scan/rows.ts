// The rows that `visctl scan --rows` prints: the matches, and the components without a listed match about which too
// little is known.
import type { MatchedComponent } from 'vis-sdk'
import { describeComponent, formatCount, listFixedVersions } from '../components/describe.ts'
import { explainSilence, isUndecided } from '../components/unjudged.ts'
import { findLevelStyle } from '../render/priority.ts'
import { type Column, renderTable } from '../render/table.ts'
import type { Style, Terminal } from '../render/terminal.ts'
import type { Finding } from './findings.ts'

interface Row {
  readonly level: string
  readonly style: Style
  readonly id: string
  readonly component: string
  readonly verdict: string
  readonly fixed: string
  readonly planned: string
  readonly upgradeTo: string
  readonly reason: string
}

const COLUMNS: readonly Column<Row>[] = [
  { title: 'LEVEL', text: ({ level }) => level, style: ({ style }) => style },
  { title: 'ID', text: ({ id }) => id, style: () => 'bold' },
  { title: 'COMPONENT', maxWidth: 48, text: ({ component }) => component },
  { title: 'VERDICT', text: ({ verdict }) => verdict },
  { title: 'FIXED IN', maxWidth: 24, text: ({ fixed }) => fixed },
  { title: 'PLANNED', maxWidth: 24, text: ({ planned }) => planned },
  { title: 'UPGRADE TO', maxWidth: 24, text: ({ upgradeTo }) => upgradeTo },
  { title: 'REASON', text: ({ reason }) => reason },
]

export function renderRows(
  terminal: Terminal,
  findings: readonly Finding[],
  components: readonly MatchedComponent[],
): string {
  const rows = [...findings.map(toMatchRow), ...listSilent(components)]
  return rows.length === 0 ? '' : renderTable(terminal, COLUMNS, rows)
}

function toMatchRow({ match, component, count, fix, upgradeTo }: Finding): Row {
  return {
    level: match.priority_level ?? '-',
    style: findLevelStyle({ level: match.priority_level }),
    id: match.id,
    component: nameGroup(component, count),
    verdict: match.verdict,
    fixed: listFixedVersions(match.fixed_in),
    planned: fix?.to_version ?? '-',
    upgradeTo,
    reason: match.statement.text,
  }
}

function listSilent(components: readonly MatchedComponent[]): readonly Row[] {
  const silent = components.filter((each) => each.verdict === 'not_covered' || isUndecided(each))
  const groups = Map.groupBy(silent, (each) => `${describeComponent(each)}\n${each.verdict}\n${each.coverage_gap}`)
  return [...groups.values()].flatMap(([first, ...rest]) => {
    if (first === undefined) return []
    const none = { level: '-', style: 'gray', id: '-', fixed: '-', planned: '-', upgradeTo: '-' } as const
    const component = nameGroup(describeComponent(first), rest.length + 1)
    return [{ ...none, component, verdict: first.verdict, reason: explainSilence(first) }]
  })
}

function nameGroup(component: string, count: number): string {
  return count === 1 ? component : `${component} (${formatCount(count)} components)`
}
