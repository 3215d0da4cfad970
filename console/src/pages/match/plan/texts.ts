// Texts about the fix plan.
import type { PlannedFix } from 'vis-sdk'
import { formatNumber } from '../../../text/format.ts'
import type { Answer, Upgrade } from '../result.ts'
import { describeCount } from '../texts.ts'

type Dependency = PlannedFix['direct_dependencies'][number]

/** Describes what all lines together achieve: "Upgrade 2 packages: 5 matches go, 1 remains." */
export function describePlan({ fix_plan: plan }: Pick<Answer, 'fix_plan'>): string {
  const sum = (count: (line: PlannedFix) => number) => plan.reduce((total, line) => total + count(line), 0)
  const [gone, remaining, added] = [
    sum(({ resolves_total }) => resolves_total),
    sum(({ remains_total }) => remains_total),
    sum(({ introduces_total }) => introduces_total),
  ]
  const parts = [
    describeCount(gone, 'match goes', 'matches go'),
    `${formatNumber(remaining)} ${remaining === 1 ? 'remains' : 'remain'}`,
    added > 0 && describeCount(added, 'new one comes', 'new ones come'),
  ]
  return `Upgrade ${describeCount(plan.length, 'package', 'packages')}: ${parts.filter(Boolean).join(', ')}.`
}

/** Lists the affected components for which no line of the plan stands. */
export function listUnplanned({ fix_plan: plan }: Pick<Answer, 'fix_plan'>, upgrades: readonly Upgrade[]) {
  const planned = new Set(plan.flatMap(({ indexes }) => indexes))
  return upgrades.filter(({ component }) => !planned.has(component.index))
}

export function describeUnplanned(count: number): string {
  if (count === 0) return ''
  return `For ${describeCount(count, 'affected component', 'affected components')}, no version with fewer or less urgent matches is known.`
}

/** Says that more may remain after the upgrade, because not every database that judges the packages is complete. */
export function describeDoubt({ fix_plan: plan, components }: Pick<Answer, 'fix_plan' | 'components'>): string {
  const doubtful = new Set(components.filter(({ coverage_gap }) => coverage_gap !== null).map(({ index }) => index))
  const count = plan.filter(({ indexes }) => indexes.some((index) => doubtful.has(index))).length
  if (count === 0) return ''
  return `The data about ${formatNumber(count)} of these packages is not complete and current, so more CVEs may remain than the plan knows.`
}

/** Names the dependencies that bring the component in. Undefined if the document shows none. */
export function describePath({ path, direct_dependencies: direct }: PlannedFix): string | undefined {
  if (path === null) return undefined
  const [first, ...rest] = path
  if (first === undefined || rest.length === 0) return 'direct dependency'
  const between = rest.slice(0, -1).map(nameDependency)
  const others = direct.filter((each) => !isSame(each, first)).map(nameDependency)
  return [
    `brought in by ${nameDependency(first)}`,
    between.length > 0 && `through ${between.join(' → ')}`,
    others.length > 0 && `also by ${others.join(', ')}`,
  ]
    .filter(Boolean)
    .join(', ')
}

function nameDependency({ name, version }: Dependency): string {
  return [name === '' ? 'an entry without a name' : name, version].filter(Boolean).join(' ')
}

function isSame(one: Dependency, other: Dependency): boolean {
  return one.index === other.index && nameDependency(one) === nameDependency(other)
}

/** The most urgent level that the line resolves; null if its matches have none. */
export function findTopLevel({ resolves: [first] }: PlannedFix) {
  return first?.level ?? null
}
