// The findings of a check, each counted once: CVEs, and advisories without a CVE. One finding can hit several components.
import type { MatchedComponent } from 'vis-sdk'
import { type Answer, compareHits, type Hit, type Match } from '../result.ts'

export interface Finding {
  readonly id: string
  readonly isCve: boolean
  readonly match: Match
  readonly components: readonly MatchedComponent[]
  /** Whether the plan resolves it in every component that it hits. */
  readonly goes: boolean
}

export type Checked = Pick<Answer, 'components' | 'fix_plan'>

/** Lists the findings, the most urgent first. */
export function listFindings({ components, fix_plan: plan }: Checked): readonly Finding[] {
  const hits = components.flatMap((component) => component.matches.map((match) => ({ component, match })))
  const resolved = new Set(plan.flatMap(({ indexes, resolves }) => listKeys(indexes, resolves)))
  const byId = Map.groupBy(hits.toSorted(compareHits), ({ match }) => match.id)
  return [...byId].flatMap(([id, same]) => {
    const [first] = same
    if (!first) return []
    const goes = same.every(({ component }) => resolved.has(toKey(component.index, id)))
    return { id, isCve: first.match.cve_id !== null, match: first.match, components: same.map(toComponent), goes }
  })
}

const toComponent = ({ component }: Hit) => component
const toKey = (index: number, id: string) => `${index} ${id}`

function listKeys(
  indexes: readonly number[],
  resolves: readonly { readonly ids: readonly string[] }[],
): readonly string[] {
  return indexes.flatMap((index) => resolves.flatMap(({ ids }) => ids.map((id) => toKey(index, id))))
}

export interface FindingCounts {
  /** Distinct CVEs and advisories. */
  readonly total: number
  readonly cves: number
  readonly going: number
  readonly remaining: number
  /** Whether every finding is counted. If not, the numbers are lower bounds. */
  readonly isExact: boolean
}

/**
 * Counts findings by id. A component lists its most urgent matches only, but the plan names further ids that go or
 * remain, so that the numbers can be exact although not every match is listed.
 */
export function countFindings({ components, fix_plan: plan }: Checked): FindingCounts {
  const going = new Set<string>()
  const remaining = new Set<string>()
  let isExact = true
  for (const { index, matches, matches_total: total } of components) {
    const lines = plan.filter(({ indexes }) => indexes.includes(index))
    const resolved = new Set(lines.flatMap(({ resolves }) => resolves.flatMap(({ ids }) => ids)))
    const known = new Set([...matches.map(({ id }) => id), ...resolved, ...lines.flatMap(({ remains }) => remains)])
    if (known.size < total) isExact = false
    for (const id of known) (resolved.has(id) ? going : remaining).add(id)
  }
  // A finding that remains in one component does not go.
  for (const id of remaining) going.delete(id)
  const ids = [...going, ...remaining]
  const cves = ids.filter((id) => id.startsWith('CVE-')).length
  return { total: ids.length, cves, going: going.size, remaining: remaining.size, isExact }
}

/** Returns whether nothing is known from which a level could follow. Such a finding can turn out to be urgent. */
export function isUnranked({ match: { priority_level: level } }: Finding): boolean {
  return level === null || level === 'unrated'
}
