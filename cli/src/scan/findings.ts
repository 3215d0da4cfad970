// The matches of a scan, most urgent first. Components with the same name and version form one finding: a Linux
// distribution builds several packages from one source package, and all of them have the same CVEs.
import type { MatchedComponent, PlannedFix } from 'vis-sdk'
import { describeComponent, describeUpgrade } from '../components/describe.ts'
import { indexFixPlan } from '../components/fix-plan.ts'
import { rankLevel } from '../render/priority.ts'

type Match = MatchedComponent['matches'][number]

export interface Finding {
  readonly match: Match
  /** Name and version, as the service understood them. */
  readonly component: string
  /** Refs of the components in the document. */
  readonly refs: readonly string[]
  /** Number of components with this name and version. */
  readonly count: number
  readonly upgradeTo: string
  /** Undefined if no version with fewer or less urgent matches is known. */
  readonly fix: PlannedFix | undefined
}

export function listFindings(components: readonly MatchedComponent[], plan: readonly PlannedFix[]): readonly Finding[] {
  const findFix = indexFixPlan(plan)
  const alike = Map.groupBy(components, describeComponent)
  const findings = [...alike].flatMap(([component, group]) => {
    const refs = group.flatMap(({ ref }) => (ref === undefined ? [] : [ref]))
    const [first] = group
    const upgradeTo = first === undefined ? '-' : describeUpgrade(first)
    const fix = first && findFix(first)
    const matches = new Map(group.flatMap((each) => each.matches).map((match) => [match.id, match]))
    return [...matches.values()].map((match) => ({ match, component, refs, count: group.length, upgradeTo, fix }))
  })
  return findings.toSorted(compareUrgency)
}

function compareUrgency(one: Finding, other: Finding): number {
  return (
    rankLevel(one.match.priority_level) - rankLevel(other.match.priority_level) ||
    rankVerdict(one.match) - rankVerdict(other.match) ||
    (other.match.severity ?? 0) - (one.match.severity ?? 0) ||
    one.match.id.localeCompare(other.match.id, 'en', { numeric: true }) ||
    one.component.localeCompare(other.component, 'en')
  )
}

function rankVerdict({ verdict }: Match): number {
  return verdict === 'affected' ? 0 : 1
}
