// Answers POST /api/v1/match. Components are compared in batches; the catalog rows of one batch are freed before the
// next one.
import type { Database } from '../../database/postgres.ts'
import { readComponent, type SentComponent } from '../../domain/component/component.ts'
import { formatInstant } from '../../domain/instant.ts'
import type { Confidence } from '../../domain/match-words.ts'
import type { Level } from '../../domain/priority/policy.ts'
import { judgeCoverage } from '../coverage/coverage.ts'
import { readDataSets } from '../coverage/data-sets.ts'
import { createInventory } from '../judge/conditions.ts'
import { matchInBatches } from '../match.ts'
import { estimateWork } from '../read/estimate.ts'
import { createAssess, type Suppression } from '../suppress.ts'
import { limitAnswer } from './answer-limit.ts'
import { createFixPlan } from './fix-plan.ts'
import { createRenderState, renderComponents } from './render.ts'
import { selectMatches } from './select-matches.ts'
import { createMatchSummary } from './summary.ts'
import { type AppliedTriage, createTriageReport } from './triage-report.ts'

/** Sent to another thread, so all values must be cloneable. */
export interface MatchCall {
  readonly components: readonly (SentComponent & { readonly ref?: string | undefined })[]
  readonly confidenceMin: Confidence
  readonly maxLevel: Level
  readonly maxMatches: number
  readonly isSameHost: boolean
  readonly suppressions: readonly Suppression[]
  /** Undefined if the call does not ask for triage. */
  readonly triage?: AppliedTriage | undefined
  readonly now: Date
}

/** Yields the JSON text of `data`. */
export async function* answerMatch(db: Database, call: MatchCall, signal: AbortSignal): AsyncGenerator<string> {
  const { components: sent, now } = call
  const components = sent.map(readComponent)
  const matching = {
    confidenceMin: call.confidenceMin,
    inventory: call.isSameHost ? createInventory(components) : undefined,
    assess: createAssess(call.suppressions, call.triage?.states ?? [], now),
    findCoverage: judgeCoverage(await readDataSets(db), now).findCoverage,
    estimate: await estimateWork(db, components, 'components'),
  }
  const overview = createMatchSummary()
  const triage = createTriageReport(call.triage)
  const [state, countText, plan] = [createRenderState(now), limitAnswer(), createFixPlan(call)]
  let done = 0
  yield '{"components":['
  for await (const matched of matchInBatches(db, components, matching, signal)) {
    const selected = selectMatches(matched, call)
    overview.add(selected)
    triage.add(matched)
    const places = matched.map((_, position) => ({ index: done + position, ref: sent[done + position]?.ref }))
    plan.add(selected, places, countText)
    const texts = await renderComponents(db, selected, places, state)
    for (const [position, text] of texts.entries()) yield countText(done + position === 0 ? text : `,${text}`)
    done += matched.length
  }
  yield `],"fix_plan":${plan.render(countText)},"overview":${overview.render()},${triage.render()}`
  yield `"timestamp":"${formatInstant(now)}"}`
}
