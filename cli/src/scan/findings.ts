// The matches of a scan, most urgent first. Components with the same name and version form one finding: a Linux
// distribution builds several packages from one source package, and all of them have the same CVEs.
import type { Level, MatchedComponent } from 'vis-sdk'

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
}

export function listFindings(components: readonly MatchedComponent[]): readonly Finding[] {
  const alike = Map.groupBy(components, describeComponent)
  const findings = [...alike].flatMap(([component, group]) => {
    const refs = group.flatMap(({ ref }) => (ref === undefined ? [] : [ref]))
    const [first] = group
    const upgradeTo = first === undefined ? '-' : describeUpgrade(first)
    const matches = new Map(group.flatMap((each) => each.matches).map((match) => [match.id, match]))
    return [...matches.values()].map((match) => ({ match, component, refs, count: group.length, upgradeTo }))
  })
  return findings.toSorted(compareUrgency)
}

export function describeComponent({ interpreted_as }: MatchedComponent): string {
  const { vendor, product, version } = interpreted_as
  return [vendor === null ? product : `${vendor}/${product}`, version ?? 'without a version'].join(' ')
}

/** A component without a match has no upgrade advice, because it does not need to change. */
function describeUpgrade({ upgrade_to }: MatchedComponent): string {
  if (upgrade_to === undefined) return '-'
  return upgrade_to.version ?? 'none known'
}

function compareUrgency(one: Finding, other: Finding): number {
  return (
    rankLevel(one.match.priority.level) - rankLevel(other.match.priority.level) ||
    rankVerdict(one.match) - rankVerdict(other.match) ||
    (other.match.severity ?? 0) - (one.match.severity ?? 0) ||
    one.match.id.localeCompare(other.match.id, 'en', { numeric: true }) ||
    one.component.localeCompare(other.component, 'en')
  )
}

const LEVEL_RANKS: Readonly<Record<Level, number>> = { P0: 0, P1: 1, P2: 2, unrated: 3, P3: 4, P4: 5 }

/** Returns the rank of a level, 0 for the most urgent one. Advisories without a CVE have no level and come last. */
export function rankLevel(level: Level | null): number {
  return level === null ? 6 : LEVEL_RANKS[level]
}

function rankVerdict({ verdict }: Match): number {
  return verdict === 'affected' ? 0 : 1
}
