import type { Database } from '../database/postgres.ts'
import type { Component } from '../domain/component/component.ts'
import type { ComponentVerdict, Confidence, CoverageGap } from '../domain/match-words.ts'
import { toComponentKey } from './component-key.ts'
import type { Coverage, Coverages } from './coverage/coverage.ts'
import { createInventory, type Inventory } from './judge/conditions.ts'
import { isAtLeast } from './judge/confidence.ts'
import { type Hit, prepareComponent } from './judge/judge.ts'
import { decideVerdict, type JudgedHits, judgeComponent } from './judge/judge-component.ts'
import { runInSlices } from './judge/slices.ts'
import { findUpgrade, type Upgrade } from './judge/upgrade.ts'
import { createVersionJudge } from './judge/version-judge.ts'
import { type CleanVersion, findCleanVersion } from './plan/clean-version.ts'
import { compareUrgency, type ListedHit, type PlannedFix, planFix } from './plan/plan-fix.ts'
import { type Estimate, estimateWork } from './read/estimate.ts'
import { createProductCache } from './read/product-cache.ts'
import { readSubjects, type Subject } from './read/read-subjects.ts'
import { createRepeats, type Repeats } from './repeats.ts'
import type { Assess, Suppression } from './suppress.ts'
import type { FoundState } from './triage/account-states.ts'

export type Match = ListedHit

/** A CVE or an advisory of which it is not known whether it affects the component. */
interface Undecided {
  readonly subject: Subject
  /** The caller's statement that hides the match. */
  readonly entry: Suppression | undefined
}

interface SuppressedMatch {
  readonly match: Match
  readonly entry: Suppression
}

interface ReopenedMatch {
  readonly match: Match
  readonly found: FoundState
}

export interface MatchedComponent {
  readonly component: Component
  readonly verdict: ComponentVerdict
  /** The databases that judge the component. */
  readonly coverage: Coverage
  /** Why the silence of these databases proves nothing; undefined if it does prove something. */
  readonly gap: CoverageGap | undefined
  /** Most urgent first. */
  readonly matches: readonly Match[]
  readonly suppressed: readonly SuppressedMatch[]
  /** Hits that a state of the account hid until it was open again. They are among the others as well. */
  readonly reopened: readonly ReopenedMatch[]
  /** Hits below the requested confidence. */
  readonly weaker: readonly Match[]
  readonly weakerCount: number
  /** Number of CVEs and advisories whose versions cannot be compared with the component's version. */
  readonly unorderedCount: number
  /** These CVEs and advisories, most urgent first; empty unless they were requested. */
  readonly unordered: readonly Undecided[]
  /** Undefined if the component has no match. */
  readonly upgrade: (Upgrade & { readonly clean: CleanVersion }) | undefined
  /** Undefined if no version with fewer or less urgent hits is known. */
  readonly fix: PlannedFix | undefined
}

export interface MatchOptions {
  readonly confidenceMin: Confidence
  /**
   * All components of one machine, which can meet each other's conditions; undefined if each component is on its own
   * machine.
   */
  readonly inventory: Inventory | undefined
  readonly assess: Assess
  readonly findCoverage: Coverages['findCoverage']
  /** True if the answer has no fix plan. */
  readonly skipsPlan?: boolean
  /** True if the answer names the CVEs and advisories whose versions cannot be compared. */
  readonly namesUnordered?: boolean
}

/** Keeps all hits in memory at once. */
export async function matchComponents(
  db: Database,
  components: readonly Component[],
  options: MatchOptions,
  signal: AbortSignal = new AbortController().signal,
): Promise<readonly MatchedComponent[]> {
  const matched: MatchedComponent[] = []
  const estimate = await estimateWork(db, components, 'components')
  for await (const batch of matchInBatches(db, components, { ...options, estimate }, signal)) matched.push(...batch)
  return matched
}

/** A batch ends after this many hits, because all its hits are in memory at once. */
const BATCH_HITS = 10_000

/** Keeps the order of the components. Each product is read once, and equal components are judged once. */
export async function* matchInBatches(
  db: Database,
  components: readonly Component[],
  { estimate, ...options }: MatchOptions & { readonly estimate: Estimate },
  signal: AbortSignal,
): AsyncGenerator<readonly MatchedComponent[]> {
  const products = createProductCache(db, components, estimate)
  const keys = components.map(toComponentKey)
  const completed = createRepeats<MatchedComponent>(keys)
  const subjects = new Map<string, Subject>()
  let batch: Judged[] = []
  const finish = async () => {
    const finished = await completeBatch(db, batch, { ...options, subjects, completed }, signal)
    batch = []
    return finished
  }
  for (let [position, loaded] = [0, 0]; position < components.length; position += 1) {
    if (position === loaded) {
      // Loading may drop the rows of earlier products, to which this batch refers.
      if (batch.length > 0) yield await finish()
      loaded = await products.load(position)
    }
    const component = components[position]
    if (component === undefined) continue
    const key = keys[position] ?? ''
    if (completed.has(key) || batch.some((each) => each.key === key)) batch.push({ key, component, hits: undefined })
    else {
      const inventory = options.inventory ?? createInventory([component])
      const about = prepareComponent({ component, product: products.get(component), inventory })
      batch.push({ key, component, hits: await judgeComponent(about, signal) })
    }
    if (countHits(batch) >= BATCH_HITS) yield await finish()
  }
  if (batch.length > 0) yield await finish()
}

interface Judged {
  readonly key: string
  readonly component: Component
  /** Undefined for a component that is equal to an earlier one. */
  readonly hits: JudgedHits | undefined
}

const countHits = (batch: readonly Judged[]) => batch.reduce((sum, { hits }) => sum + (hits?.hits.length ?? 0), 0)

interface BatchOptions extends MatchOptions {
  /** The CVEs and advisories read so far for this call. */
  readonly subjects: Map<string, Subject>
  readonly completed: Repeats<MatchedComponent>
}

async function completeBatch(
  db: Database,
  batch: readonly Judged[],
  options: BatchOptions,
  signal: AbortSignal,
): Promise<readonly MatchedComponent[]> {
  const { subjects, completed } = options
  const keys = new Set(batch.flatMap(({ hits }) => (hits === undefined ? [] : listKeys(hits, options))))
  for (const [key, subject] of await readSubjects(
    db,
    [...keys].filter((each) => !subjects.has(each)),
  ))
    subjects.set(key, subject)
  const finished = new Map<string, MatchedComponent>()
  const matched: MatchedComponent[] = []
  for (const { key, component, hits } of batch) {
    const found = finished.get(key) ?? completed.get(key) ?? (hits && (await complete(db, hits, options, signal)))
    if (found === undefined) throw new Error('An equal component was not judged.')
    finished.set(key, found)
    matched.push({ ...found, component })
  }
  for (const [key, found] of finished)
    completed.keep(key, found, found.matches.length + found.suppressed.length + found.unordered.length)
  return matched
}

function listKeys({ hits, unordered }: JudgedHits, { namesUnordered = false }: MatchOptions): readonly string[] {
  return [...hits.map(({ subjectKey }) => subjectKey), ...(namesUnordered ? unordered : [])]
}

async function complete(
  db: Database,
  judged: JudgedHits,
  { confidenceMin, assess, findCoverage, skipsPlan = false, namesUnordered = false, subjects }: BatchOptions,
  signal: AbortSignal,
): Promise<MatchedComponent> {
  const { about, hits } = judged
  const { component } = about
  const [open, suppressed, reopened]: [Match[], SuppressedMatch[], ReopenedMatch[]] = [[], [], []]
  for (const hit of hits) {
    const subject = subjects.get(hit.subjectKey)
    if (subject === undefined) continue
    const match = { ...hit, subject }
    const { entry, reopened: found } = assess(subject, component)
    if (entry === undefined) open.push(match)
    else suppressed.push({ match, entry })
    if (found !== undefined) reopened.push({ match, found })
  }
  const toUndecided = (key: string): readonly Undecided[] => {
    const subject = subjects.get(key)
    return subject === undefined ? [] : [{ subject, entry: assess(subject, component).entry }]
  }
  const hidden = new Map(suppressed.map(({ match }) => [match.subjectKey, match.subject]))
  const isListed = (hit: Hit, at = component) => {
    const subject = hidden.get(hit.subjectKey)
    // What hides a hit may be about some versions only, and other versions of the component are judged as well.
    const isHidden = subject !== undefined && (at === component || assess(subject, at).entry !== undefined)
    return isAtLeast(hit.confidence, confidenceMin) && !isHidden
  }
  const matches = open.filter((match) => isListed(match)).sort(compareUrgency)
  const coverage = findCoverage(component)
  const findings = { listed: matches, hitCount: open.length, unordered: judged.unordered }
  const { verdict, gap, unordered } = decideVerdict(about, findings, coverage)
  return {
    component,
    verdict,
    coverage,
    gap,
    unordered: namesUnordered ? unordered.flatMap(toUndecided).sort(compareUrgency) : [],
    matches,
    suppressed,
    reopened,
    weaker: open.filter((match) => !isListed(match)),
    weakerCount: open.length - matches.length,
    unorderedCount: unordered.length,
    ...(await findTargets(db, { about, matches, isListed, skipsPlan, subjects }, signal)),
  }
}

/** The component may have another version than the one that was asked about. */
type IsListed = (hit: Hit, at?: Component) => boolean

interface Targets {
  readonly about: JudgedHits['about']
  readonly matches: readonly Match[]
  readonly isListed: IsListed
  readonly skipsPlan: boolean
  readonly subjects: Map<string, Subject>
}

async function findTargets(
  db: Database,
  { about, matches, isListed, skipsPlan, subjects }: Targets,
  signal: AbortSignal,
): Promise<Pick<MatchedComponent, 'upgrade' | 'fix'>> {
  if (matches.length === 0) return { upgrade: undefined, fix: undefined }
  const addSubjects = async (hits: readonly Hit[]): Promise<readonly Match[]> => {
    const unread = new Set(hits.flatMap(({ subjectKey }) => (subjects.has(subjectKey) ? [] : subjectKey)))
    for (const [key, subject] of await readSubjects(db, [...unread])) subjects.set(key, subject)
    return hits.flatMap((hit) => {
      const subject = subjects.get(hit.subjectKey)
      return subject === undefined ? [] : [{ ...hit, subject }]
    })
  }
  const versions = createVersionJudge(about, isListed, signal)
  const fix = skipsPlan ? undefined : await planFix(about, { matches, versions, addSubjects })
  const upgrade = await runInSlices(findUpgrade(about, matches, isListed, versions), signal)
  return { fix, upgrade: { ...upgrade, clean: await findCleanVersion(about, { matches, versions, addSubjects }) } }
}
