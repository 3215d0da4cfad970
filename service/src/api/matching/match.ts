// Matches components with the catalog: reads what it says about their products, judges each of them, and finds the
// version to upgrade to.
import type { Database } from '../../database/postgres.ts'
import type { ComponentVerdict, Confidence } from '../../domain/match-words.ts'
import type { Component } from './component.ts'
import { createInventory, type Inventory } from './conditions.ts'
import { isAtLeast } from './confidence.ts'
import type { Hit } from './judge.ts'
import { decideVerdict, type JudgedHits, judgeComponent } from './judge-component.ts'
import { readRows } from './read-rows.ts'
import { readSubjects, type Subject } from './read-subjects.ts'
import { runInSlices } from './slices.ts'
import type { Suppression } from './suppress.ts'
import { findUpgrade, type Upgrade } from './upgrade.ts'

export interface Match extends Hit {
  readonly subject: Subject
}

interface SuppressedMatch {
  readonly match: Match
  readonly entry: Suppression
}

export interface MatchedComponent {
  readonly component: Component
  readonly verdict: ComponentVerdict
  /** Most urgent first. */
  readonly matches: readonly Match[]
  readonly suppressed: readonly SuppressedMatch[]
  /** Number of hits below the requested confidence. */
  readonly weakerCount: number
  /** Number of CVEs and advisories whose versions have no known order to the version of the component. */
  readonly unorderedCount: number
  /** Undefined if the component has no match. */
  readonly upgrade: Upgrade | undefined
}

export interface MatchOptions {
  readonly confidenceMin: Confidence
  /** All components of the machine, which meet each other's conditions; undefined if each is on a machine of its own. */
  readonly inventory: Inventory | undefined
  readonly findSuppression: (id: string, component: Component) => Suppression | undefined
}

/** Returns undefined if the catalog says more about the products than one call may compare. */
export async function matchComponents(
  db: Database,
  components: readonly Component[],
  options: MatchOptions,
): Promise<readonly MatchedComponent[] | undefined> {
  const rows = await readRows(db, components)
  if (rows === undefined) return undefined
  const judged: JudgedHits[] = []
  for (const [index, component] of components.entries()) {
    const inventory = options.inventory ?? createInventory([component])
    judged.push(await judgeComponent({ component, rows: rows[index] ?? [], inventory }))
  }
  const keys = new Set(judged.flatMap(({ hits }) => hits.map(({ subjectKey }) => subjectKey)))
  const subjects = await readSubjects(db, [...keys])
  const matched: MatchedComponent[] = []
  for (const each of judged) matched.push(await complete(each, subjects, options))
  return matched
}

async function complete(
  { about, hits, unorderedCount }: JudgedHits,
  subjects: ReadonlyMap<string, Subject>,
  { confidenceMin, findSuppression }: MatchOptions,
): Promise<MatchedComponent> {
  const { component } = about
  const known = hits.flatMap((hit) => {
    const subject = subjects.get(hit.subjectKey)
    return subject === undefined ? [] : [{ ...hit, subject }]
  })
  const suppressed = known.flatMap((match) => {
    const entry = findSuppression(match.subject.id, component)
    return entry === undefined ? [] : [{ match, entry }]
  })
  const hidden = new Set(suppressed.map(({ match }) => match.subjectKey))
  const isListed = (hit: Hit) => isAtLeast(hit.confidence, confidenceMin) && !hidden.has(hit.subjectKey)
  const open = known.filter(({ subjectKey }) => !hidden.has(subjectKey))
  const matches = open.filter(isListed).sort(compareUrgency)
  return {
    component,
    verdict: decideVerdict(about, { listed: matches, hitCount: open.length, unorderedCount }),
    matches,
    suppressed,
    weakerCount: open.length - matches.length,
    unorderedCount,
    upgrade: matches.length === 0 ? undefined : await runInSlices(findUpgrade(about, matches, isListed)),
  }
}

/** Compares as the sort order priority_desc does; an advisory without a CVE comes last. */
function compareUrgency({ subject: a }: Match, { subject: b }: Match): number {
  return (b.rank ?? -1) - (a.rank ?? -1) || (b.score ?? -1) - (a.score ?? -1) || (a.id < b.id ? 1 : -1)
}
