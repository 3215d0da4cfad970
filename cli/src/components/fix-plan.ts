// The fix plan: the next version of each package, what it resolves and what remains.
import type { Level, MatchedComponent, PlannedFix } from 'vis-sdk'
import { formatParagraph, formatRow } from '../render/layout.ts'
import { rankLevel } from '../render/priority.ts'
import type { Terminal } from '../render/terminal.ts'
import { cleanLine } from '../render/text.ts'
import { describeComponent, describeProduct, formatCount } from './describe.ts'

type Dependency = PlannedFix['direct_dependencies'][number]

/** Maximum number of ids per list; `--csv` and `--json` list more. */
const MAX_IDS = 10

/** Returns the planned fix of a component by its index in the answer. */
export type FindFix = (component: Pick<MatchedComponent, 'index'>) => PlannedFix | undefined

export function indexFixPlan(plan: readonly PlannedFix[]): FindFix {
  const fixes = new Map(plan.flatMap((fix) => fix.indexes.map((index) => [index, fix] as const)))
  return ({ index }) => fixes.get(index)
}

/** Returns whether the planned version resolves a match; undefined if the lists of the plan do not reach that far. */
export function findResolved({ resolves, remains }: PlannedFix, id: string): boolean | undefined {
  if (resolves.some(({ ids }) => ids.includes(id))) return true
  return remains.includes(id) ? false : undefined
}

/** Returns an empty text if no component has a listed match. */
export function renderFixPlan(
  terminal: Terminal,
  plan: readonly PlannedFix[],
  components: readonly MatchedComponent[],
): string {
  const steps = plan.map((fix, index) => renderStep(terminal, fix, index + 1))
  const title = terminal.paint('bold', 'Fix plan, the step that removes most urgency first:')
  return [...(steps.length > 0 ? [`${title}\n`] : []), ...steps, renderUnplanned(terminal, plan, components)].join('')
}

function renderStep(terminal: Terminal, fix: PlannedFix, position: number): string {
  const { from_version, to_version, kind, remains_total, remains, introduces_total, introduces, indexes } = fix
  const size = fix.seen_in === 'range_end' ? `${kind}, end of a range` : kind
  const title = `${position}. ${describeProduct(fix.package)} ${from_version} → ${to_version} (${size})`
  const rows: readonly (readonly [string, string])[] = [
    ['Resolves', fix.resolves.map(({ level, total, ids }) => describeIds(level, total, ids)).join('; ')],
    ['Remains', remains_total === 0 ? 'nothing known' : listIds(remains_total, remains)],
    ...(introduces_total > 0 ? [['Introduces', listIds(introduces_total, introduces)] as const] : []),
    ...describeOrigin(fix),
    ...(indexes.length > 1 ? [['Places', `${formatCount(indexes.length)} components`] as const] : []),
  ]
  return `${terminal.paint('bold', cleanLine(title))}\n${rows.map(([label, text]) => formatRow(terminal, label, text)).join('')}`
}

const describeIds = (level: Level | null, total: number, ids: readonly string[]) =>
  `${level ?? 'no level'} ${listIds(total, ids)}`

function listIds(total: number, ids: readonly string[]): string {
  const shown = ids.slice(0, MAX_IDS)
  const more = total - shown.length
  return `${formatCount(total)}: ${[...shown, ...(more > 0 ? [`and ${formatCount(more)} more`] : [])].join(', ')}`
}

function describeOrigin({ path, direct_dependencies }: PlannedFix): readonly (readonly [string, string])[] {
  if (path === null) return []
  if (path.length === 1) return [['Brought in', 'directly']]
  const direct = direct_dependencies.map(nameDependency).join(', ')
  return [['Brought in', `by ${direct}: ${path.map(nameDependency).join(' → ')}`]]
}

/** Returns the direct dependencies that bring a component in, for a cell of a table. */
export function listDirectDependencies({ direct_dependencies }: PlannedFix): string {
  return direct_dependencies.map(nameDependency).join(', ')
}

function nameDependency({ name, version }: Dependency): string {
  return [name === '' ? 'an entry without a name' : name, ...(version === null ? [] : [version])].join(' ')
}

/** A match that no step of the plan resolves must not be overlooked because the plan does not mention its component. */
function renderUnplanned(
  terminal: Terminal,
  plan: readonly PlannedFix[],
  components: readonly MatchedComponent[],
): string {
  const findFix = indexFixPlan(plan)
  const unplanned = components.filter((each) => each.matches.length > 0 && findFix(each) === undefined)
  if (unplanned.length === 0) return ''
  const lines = [...Map.groupBy(unplanned, describeComponent)]
    .map(([name, group]) => ({ name, levels: groupByLevel(group) }))
    .toSorted((one, other) => rankLevels(one.levels) - rankLevels(other.levels))
    .map(
      ({ name, levels }) => `${name}: ${levels.map(([level, ids]) => describeIds(level, ids.length, ids)).join('; ')}`,
    )
  const title = terminal.paint('bold', 'No version with fewer or less urgent matches is known:')
  return `${title}\n${lines.map((line) => formatParagraph(terminal, line)).join('')}`
}

type Levels = readonly (readonly [Level | null, readonly string[]])[]

function groupByLevel(group: readonly MatchedComponent[]): Levels {
  const matches = new Map(group.flatMap((each) => each.matches).map((match) => [match.id, match]))
  const byLevel = Map.groupBy(matches.values(), ({ priority_level }) => priority_level)
  return [...byLevel]
    .map(([level, found]) => [level, found.map(({ id }) => id)] as const)
    .toSorted(([one], [other]) => rankLevel(one) - rankLevel(other))
}

function rankLevels([first]: Levels): number {
  return rankLevel(first?.[0] ?? null)
}
