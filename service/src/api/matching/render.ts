// Renders matched components as JSON text: one piece per component, because a long answer is sent in pieces.
import { prioritizeRow } from '../../contract/add-ons/priority.ts'
import type { CveRow } from '../../contract/cve-fields.ts'
import type { Database } from '../../database/postgres.ts'
import type { CveKey } from '../../domain/cve-id.ts'
import { loadRecords } from '../cve-record/load.ts'
import { select } from '../cve-record/selection.ts'
import { type Component, renderName } from './component.ts'
import { describeReason, renderRange } from './describe.ts'
import type { Match } from './match.ts'
import { placeVersion } from './place-version.ts'
import type { SelectedComponent } from './select-matches.ts'
import { suggestProducts } from './suggest-products.ts'

/** Where a component is in the request, and how the caller names it. */
export interface ComponentPlace {
  readonly index: number
  readonly ref: string | undefined
}

/** Returns the JSON text of each component. `maxSuggested` limits the components that get similar names. */
export async function renderComponents(
  db: Database,
  selected: readonly SelectedComponent[],
  places: readonly ComponentPlace[],
  maxSuggested: number,
): Promise<readonly string[]> {
  const priorities = await readPriorities(
    db,
    selected.flatMap(({ shown }) => shown),
  )
  const matched = selected.map((each) => each.matched)
  const suggestions = await suggestProducts(db, matched, maxSuggested)
  return selected.map(({ matched: each, listed, shown }, position) => {
    const { index = position, ref } = places[position] ?? {}
    const names = suggestions.get(each)
    return JSON.stringify({
      index,
      ...(ref !== undefined && { ref }),
      interpreted_as: renderName(each.component),
      verdict: each.verdict,
      matches_total: listed.length,
      weaker_total: each.weakerCount,
      unordered_total: each.unorderedCount,
      suppressed_total: each.suppressed.length,
      matches: shown.map((match) => renderMatch(match, each.component, priorities)),
      suppressed: each.suppressed.map(({ match, entry }) => ({ id: match.subject.id, reason: entry.reason })),
      ...(each.upgrade && { upgrade_to: { version: each.upgrade.version, seen_in: each.upgrade.seenIn } }),
      ...(names && { did_you_mean: names }),
    })
  })
}

function renderMatch(match: Match, component: Component, priorities: ReadonlyMap<string, CveRow>) {
  const { row, others, fixes, requires, subject } = match
  return {
    id: subject.id,
    verdict: match.verdict,
    confidence: match.confidence,
    reason: {
      source: row.source,
      range: renderRange(row, component),
      text: describeReason(row, component, placeVersion(row, component.version)),
    },
    others: others.map((each) => ({
      source: each.row.source,
      says: each.says,
      range: renderRange(each.row, component),
    })),
    fixed_in: fixes.map(({ version, source }) => ({ version, source })),
    ...(requires.length > 0 && { requires: requires.map(({ vendor, product }) => ({ vendor, product })) }),
    severity: subject.score,
    kev: subject.isInKev,
    epss: subject.epss,
    priority: renderPriority(priorities.get(match.subjectKey)),
  }
}

function renderPriority(row: CveRow | undefined) {
  if (row === undefined) return { level: null, ssvc: null, reason: null }
  const { priority } = prioritizeRow(row)
  return { level: priority.level, ssvc: priority.ssvc?.decision ?? null, reason: priority.reasons[0] ?? null }
}

const SELECTION = select('batch', { fields: ['priority'], include: ['priority'] })

async function readPriorities(db: Database, matches: readonly Match[]): Promise<ReadonlyMap<string, CveRow>> {
  const keys = new Set(matches.filter(({ subject }) => subject.isCve).map(({ subjectKey }) => subjectKey as CveKey))
  const rows = await loadRecords(db, SELECTION, [...keys])
  return new Map(rows.map((row) => [row.cve_key, row]))
}
