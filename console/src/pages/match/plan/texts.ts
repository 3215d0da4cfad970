// Texts about the fix plan.
import type { MatchedComponent, PlannedFix } from 'vis-sdk'
import { formatNumber, formatProbability } from '../../../text/format.ts'
import { type Answer, countUnlisted, type Match, type Upgrade } from '../result.ts'
import { describeCount, nameComponent } from '../texts.ts'
import { type Checked, countFindings, type FindingCounts } from './findings.ts'

type Dependency = PlannedFix['direct_dependencies'][number]

/** Names findings as what they are: "119 CVEs", or "3 CVEs and advisories". */
function describeFindings(count: number, { total, cves }: FindingCounts): string {
  if (cves === total) return describeCount(count, 'CVE', 'CVEs')
  if (cves === 0) return describeCount(count, 'advisory', 'advisories')
  return describeCount(count, 'CVE or advisory', 'CVEs and advisories')
}

/** Describes what all lines together achieve: "Upgrade 2 packages: 5 CVEs go, 1 remains". */
export function describePlan(answer: Checked): string {
  const counts = countFindings(answer)
  const { total, going, remaining, isExact } = counts
  const packages = answer.fix_plan.length
  const bound = isExact ? '' : 'at least '
  if (packages === 0) {
    return total === 0
      ? 'No CVE or advisory found in what was checked'
      : `${bound}${describeFindings(total, counts)}, and no version with fewer is known`
  }
  const added = answer.fix_plan.reduce((sum, { introduces_total }) => sum + introduces_total, 0)
  const parts = [
    `${bound}${describeFindings(going, counts)} ${going === 1 ? 'goes' : 'go'}`,
    `${bound}${formatNumber(remaining)} ${remaining === 1 ? 'remains' : 'remain'}`,
    added > 0 && `${formatNumber(added)} new`,
  ]
  return `Upgrade ${describeCount(packages, 'package', 'packages')}: ${parts.filter(Boolean).join(', ')}`
}

/** Counts findings as what they are, and says how many hits the lists below have: one for each CVE and component. */
export function describeKinds(answer: Checked): string {
  const { total, cves, isExact } = countFindings(answer)
  if (total === 0) return ''
  const advisories = total - cves
  const kinds = [
    cves > 0 && describeCount(cves, 'CVE', 'CVEs'),
    advisories > 0 && describeCount(advisories, 'advisory without a CVE', 'advisories without a CVE'),
  ]
  return `${isExact ? '' : 'At least '}${kinds.filter(Boolean).join(' and ')}. ${describeHits(answer, total)}`.trimEnd()
}

/** A hit is one CVE or advisory in one component. */
function describeHits({ components }: Checked, findings: number): string {
  const matches = components.flatMap((component) => component.matches)
  const possible = matches.filter(({ verdict }) => verdict === 'possibly_affected').length
  const unlisted = countUnlisted({ components })
  const all = matches.length + unlisted
  const repeated = all > findings ? `Some hit several components: ${formatNumber(all)} hits in all.` : ''
  if (possible === 0 && unlisted === 0) return repeated
  const listed = [
    `${formatNumber(matches.length - possible)} affected`,
    possible > 0 && `${formatNumber(possible)} possibly affected`,
  ].filter(Boolean)
  const missing =
    unlisted > 0 ? `; the ${formatNumber(unlisted)} least urgent ${unlisted === 1 ? 'is' : 'are'} not` : ''
  const list = `${describeCount(matches.length, 'hit is', 'hits are')} listed below (${listed.join(', ')})${missing}.`
  return [repeated, list].filter(Boolean).join(' ')
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
  const count = plan.filter((line) => isDoubtful(line, components)).length
  if (count === 0) return ''
  const several = count === plan.length ? 'these packages' : `${formatNumber(count)} of these packages`
  const packages = plan.length === 1 ? 'this package' : several
  return `The data about ${packages} is not complete and current, so more CVEs may remain than the plan knows.`
}

/** Returns whether a database that judges the package is incomplete or stale. */
export function isDoubtful({ indexes }: PlannedFix, components: Answer['components']): boolean {
  return components.some(({ index, coverage_gap: gap }) => gap !== null && indexes.includes(index))
}

/** Says in a few words why the most urgent match of a line matters: "in KEV, EPSS 92.0 %". */
export function describeUrgency({ in_kev, epss_score: epss, severity }: Match): string {
  const facts = [
    in_kev && 'in KEV',
    epss !== null && epss >= 0.1 && `EPSS ${epss > 0.99 ? 'above 99 %' : formatProbability(epss)}`,
  ].filter(Boolean)
  if (facts.length > 0) return facts.join(', ')
  return severity === null ? '' : `CVSS ${severity.toFixed(1)}`
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

/** Says about a planned version that no source calls it fixed. Undefined if one does. */
export function describeUnnamed({ seen_in }: { readonly seen_in: PlannedFix['seen_in'] | null }): string | undefined {
  return seen_in === 'range_end' ? 'end of an affected range; check that it was released' : undefined
}

/** Names the version in the installed branch that has no urgent match, if the plan leads elsewhere. */
export function describeInBranch(
  { indexes: [index], to_version: to, kind }: PlannedFix,
  components: Answer['components'],
): string | undefined {
  const target = components.find((each) => each.index === index)?.upgrade_to
  // A patch stays in the branch already.
  if (kind === 'patch' || !target || target.clean_version === null || target.clean_version === to) return undefined
  const branch = target.branch === null ? '' : ` in branch ${target.branch}`
  return `or ${target.clean_version}${branch}: no known match at P0 to P2, others may remain`
}

/** "All known CVEs and advisories of acme router: 2.0 (major upgrade) resolves 75, 44 remain." */
export function describePlanFor(component: MatchedComponent, line: PlannedFix | undefined): string {
  const subject = `All ${formatNumber(component.matches_total)} known CVEs and advisories of ${nameComponent(component)}:`
  if (line === undefined) return `${subject} no version with fewer or less urgent ones is known.`
  const { to_version: to, kind, resolves_total: gone, remains_total: remaining, introduces_total: added } = line
  const counts = [
    `${to} (${kind} upgrade) resolves ${formatNumber(gone)}`,
    `${formatNumber(remaining)} ${remaining === 1 ? 'remains' : 'remain'}`,
    added > 0 && `it brings ${formatNumber(added)} new`,
  ].filter(Boolean)
  const rest = [describeInBranch(line, [component]), describeUnnamed(line)].filter(Boolean)
  return [`${subject} ${counts.join(', ')}`, ...rest].join('; ').concat('.')
}
