// Plans the next version of a component: which hits it resolves, and which remain or are new. The answer names only
// what judging that version has shown.
import { classifyStep, type StepKind } from '../../domain/version/step-kind.ts'
import type { Hit, JudgedComponent } from '../judge/judge.ts'
import { type Candidate, listLater } from '../judge/upgrade.ts'
import type { VersionJudge } from '../judge/version-judge.ts'
import type { Subject } from '../read/read-subjects.ts'
import { probeVersion } from '../versions/product-rows.ts'
import { chooseStep } from './choose-step.ts'
import { createSpanFinder } from './find-spans.ts'
import { countLevels, type LevelCounts } from './level-counts.ts'

export interface PlannedFix {
  readonly from: string
  readonly to: string
  readonly seenIn: Candidate['seenIn']
  readonly kind: StepKind
  /** Matches of the installed version that the planned version does not have, most urgent first. */
  readonly resolves: readonly Subject[]
  /** Matches that the planned version has too, or of which it is not known whether it has them. */
  readonly remains: readonly Subject[]
  /** Matches that only the planned version has. */
  readonly introduces: readonly Subject[]
}

export interface ListedHit extends Hit {
  readonly subject: Subject
}

export interface PlanInputs {
  /** The component's matches, most urgent first. */
  readonly matches: readonly ListedHit[]
  readonly versions: VersionJudge
  /** Reads the CVEs and advisories of hits. */
  readonly addSubjects: (hits: readonly Hit[]) => Promise<readonly ListedHit[]>
}

/** Returns undefined if no version with fewer or less urgent hits is known. */
export async function planFix(judged: JudgedComponent, inputs: PlanInputs): Promise<PlannedFix | undefined> {
  const { component, product } = judged
  const { matches } = inputs
  const scheme = matches.find(({ row }) => row.scheme !== 'commit')?.row.scheme
  if (scheme === undefined || scheme === 'commit' || component.version === null) return undefined
  const from = component.version.text
  const candidates = listLater(judged, probeVersion(product, component.version), scheme)
  const kinds = candidates.map(({ version }) => classifyStep(from, version))
  const findSpans = createSpanFinder(product, candidates, scheme)
  const outcomes = new Map<number, Outcome>()
  const steps = chooseStep(kinds, countHits(matches), findSpans(matches))
  for (let step = steps.next(); ; ) {
    const position = step.value
    const [candidate, kind] = position === undefined ? [] : [candidates[position], kinds[position]]
    if (position === undefined || candidate === undefined || kind === undefined) return undefined
    const outcome = outcomes.get(position) ?? (await judgeVersion(candidate.version, inputs))
    outcomes.set(position, outcome)
    const { resolves, remains, introduces } = outcome
    if (step.done) return { from, to: candidate.version, seenIn: candidate.seenIn, kind, resolves, remains, introduces }
    step = steps.next({ counts: outcome.counts, spans: findSpans(outcome.listed) })
  }
}

interface Outcome extends Pick<PlannedFix, 'resolves' | 'remains' | 'introduces'> {
  readonly counts: LevelCounts
  readonly listed: readonly ListedHit[]
}

async function judgeVersion(version: string, { matches, versions, addSubjects }: PlanInputs): Promise<Outcome> {
  const { listed, open } = await versions.judge(version)
  const known = new Set(matches.map(({ subjectKey }) => subjectKey))
  const hits = await addSubjects(listed)
  const [remains, introduces] = [
    matches.filter(({ subjectKey }) => open.has(subjectKey)),
    hits.filter(({ subjectKey }) => !known.has(subjectKey)).toSorted(compareUrgency),
  ]
  return {
    resolves: matches.filter(({ subjectKey }) => !open.has(subjectKey)).map(({ subject }) => subject),
    remains: remains.map(({ subject }) => subject),
    introduces: introduces.map(({ subject }) => subject),
    counts: countHits([...remains, ...introduces]),
    listed: hits,
  }
}

const countHits = (hits: readonly ListedHit[]) => countLevels(hits.map(({ subject }) => subject.rank))

type WithSubject = Pick<ListedHit, 'subject'>

/** Sorts like sort=priority_desc; a rejected CVE comes last. */
export function compareUrgency({ subject: a }: WithSubject, { subject: b }: WithSubject): number {
  return (b.rank ?? -1) - (a.rank ?? -1) || (b.score ?? -1) - (a.score ?? -1) || (a.id < b.id ? 1 : -1)
}
