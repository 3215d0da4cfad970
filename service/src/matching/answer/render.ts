// Renders one JSON text per component, because a long answer is sent in chunks.
import { prioritizeRow } from '../../contract/record/add-ons/priority.ts'
import type { CveRow } from '../../contract/record/cve-fields.ts'
import type { Database } from '../../database/postgres.ts'
import { type Component, renderName } from '../../domain/component/component.ts'
import type { CveKey } from '../../domain/cve-id.ts'
import { rateAdvisory } from '../../domain/priority/advisory-level.ts'
import { readFacts } from '../../domain/priority/facts.ts'
import { loadRecords } from '../../record/load.ts'
import { select } from '../../record/selection-parameters.ts'
import { MAX_SUGGESTED, type SuggestionState, suggestProducts } from '../../search/names/suggest-products.ts'
import { findFixBranch } from '../judge/fix-branch.ts'
import type { NamedFix } from '../judge/list-fixes.ts'
import type { Match } from '../match.ts'
import { readCycles } from '../read/read-cycles.ts'
import type { Suppression } from '../suppress.ts'
import { describeReason, renderRange } from './describe.ts'
import { describeEndOfLife, type EndOfLife, findEndOfLife, renderEndOfLife } from './end-of-life.ts'
import { renderCoverage } from './render-coverage.ts'
import type { SelectedComponent } from './select-matches.ts'

export interface ComponentPlace {
  readonly index: number
  readonly ref: string | undefined
}

export interface RenderState {
  /** Keyed by CVE key, so each CVE is read once per answer. */
  readonly priorities: Map<string, ReturnType<typeof renderPriority>>
  readonly suggestions: SuggestionState
  readonly now: Date
}

export const createRenderState = (now: Date): RenderState => ({
  now,
  priorities: new Map(),
  suggestions: { left: MAX_SUGGESTED },
})

export async function renderComponents(
  db: Database,
  selected: readonly SelectedComponent[],
  places: readonly ComponentPlace[],
  { priorities, suggestions: state, now }: RenderState,
): Promise<readonly string[]> {
  await readPriorities(
    db,
    selected.flatMap(({ shown }) => shown),
    priorities,
  )
  const matched = selected.map((each) => each.matched)
  const suggestions = await suggestProducts(db, matched, state)
  const affected = selected.filter(({ shown }) => shown.length > 0).map(({ matched: each }) => each.component)
  const findProduct = await readCycles(db, affected)
  return selected.map(({ matched: each, listed, shown }, position) => {
    const { index = position, ref } = places[position] ?? {}
    const names = suggestions.get(each)
    return JSON.stringify({
      index,
      ...(ref !== undefined && { ref }),
      interpreted_as: renderName(each.component),
      verdict: each.verdict,
      ...renderCoverage(each),
      matches_total: listed.length,
      weaker_total: each.weakerCount,
      unordered_total: each.unorderedCount,
      suppressed_total: each.suppressed.length,
      matches: shown.map((match) => {
        const end = findEndOfLife(match, each.component, findProduct(each.component), now)
        return renderMatch(match, each.component, end, priorities)
      }),
      suppressed: each.suppressed.map(({ match, entry }) => renderSuppressed(match, entry)),
      ...(each.upgrade && { upgrade_to: renderUpgrade(each.upgrade) }),
      ...(names && { similar_products: names }),
    })
  })
}

function renderSuppressed({ subject }: Match, { reason, state }: Suppression) {
  return {
    id: subject.id,
    reason,
    ...(state && {
      state: state.state,
      scope: state.scope,
      version_range: state.versions === '' ? null : state.versions,
      set_by: state.actor,
    }),
  }
}

function renderMatch(
  match: Match,
  component: Component,
  end: EndOfLife | undefined,
  priorities: RenderState['priorities'],
) {
  const { row, others, fixes, requires, subject } = match
  return {
    id: subject.id,
    cve_id: subject.isCve ? subject.id : null,
    aliases: subject.aliases,
    ...(subject.kind !== null && { kind: subject.kind }),
    verdict: match.verdict,
    confidence: match.confidence,
    statement: {
      source: row.source,
      range: renderRange(row, component),
      text: [describeReason(match, component), ...(end ? [describeEndOfLife(end)] : [])].join(' '),
    },
    ...(end && { end_of_life: renderEndOfLife(end) }),
    ...(row.state && { distribution_state: row.state }),
    ...(row.urgency && { distribution_urgency: row.urgency }),
    other_statements: others.map((each) => ({
      source: each.row.source,
      says: each.says,
      ...(each.row.justification && { justification: each.row.justification }),
      range: renderRange(each.row, component),
    })),
    fixed_in: fixes.map(renderFix),
    ...(requires.length > 0 && { requires: requires.map(({ vendor, product }) => ({ vendor, product })) }),
    severity: subject.score,
    ...(subject.severityWord !== null && { severity_word: subject.severityWord }),
    in_kev: subject.isInKev,
    epss_score: subject.epss,
    ...(priorities.get(match.subjectKey) ?? renderAdvisoryPriority(subject)),
  }
}

function renderFix(fix: NamedFix) {
  const { product, source } = fix.row
  return { product, branch: findFixBranch(fix), version: fix.version, source }
}

function renderUpgrade({ version, seenIn, clean }: NonNullable<SelectedComponent['matched']['upgrade']>) {
  return { version, seen_in: seenIn, clean_version: clean.version, branch: clean.branch, not_clean: clean.reason }
}

const NO_PRIORITY = { priority_level: null, priority_reason: null, ssvc_decision: null }

function renderPriority(row: CveRow) {
  const { priority } = prioritizeRow(row)
  const { level, reasons, ssvc } = priority
  return { priority_level: level, priority_reason: reasons[0] ?? null, ssvc_decision: ssvc?.decision ?? null }
}

function renderAdvisoryPriority({ kind, facts }: Match['subject']) {
  if (facts === null) return NO_PRIORITY
  const { level, ssvc, reason } = rateAdvisory(kind, readFacts(facts))
  return { priority_level: level, priority_reason: reason, ssvc_decision: ssvc }
}

const SELECTION = select('batch', { fields: ['priority'], include: ['priority'] })

async function readPriorities(
  db: Database,
  matches: readonly Match[],
  known: RenderState['priorities'],
): Promise<void> {
  const keys = new Set<CveKey>()
  for (const { subject, subjectKey } of matches)
    if (subject.isCve && !known.has(subjectKey)) keys.add(subjectKey as CveKey)
  for (const row of await loadRecords(db, SELECTION, [...keys])) known.set(row.cve_key, renderPriority(row))
}
