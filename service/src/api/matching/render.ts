// Renders matched components as JSON text: one piece per component, because a long answer is sent in pieces.
import { prioritizeRow } from '../../contract/add-ons/priority.ts'
import type { CveRow } from '../../contract/cve-fields.ts'
import type { Database } from '../../database/postgres.ts'
import type { CveKey } from '../../domain/cve-id.ts'
import { COMPONENT_VERDICTS } from '../../domain/match-words.ts'
import { LEVELS, type Level, listRanks } from '../../domain/priority/policy.ts'
import { loadRecords } from '../cve-record/load.ts'
import { select } from '../cve-record/selection.ts'
import { type Component, renderName } from './component.ts'
import { describeReason, renderRange } from './describe.ts'
import type { Match, MatchedComponent } from './match.ts'
import { placeVersion } from './place-version.ts'
import { suggestProducts } from './suggest-products.ts'

interface RenderOptions {
  /** The refs of the components, in their order. */
  readonly refs: readonly (string | undefined)[]
  readonly maxLevel: Level
  readonly maxMatches: number
  readonly hasCurrentData: (component: Component) => boolean
}

interface RenderedMatches {
  /** JSON text of each component, with a comma before each but the first. */
  readonly components: readonly string[]
  readonly summary: string
}

export async function renderMatched(
  db: Database,
  matched: readonly MatchedComponent[],
  options: RenderOptions,
): Promise<RenderedMatches> {
  const listed = matched.map((each) => each.matches.filter(({ subject }) => isWithin(subject.rank, options.maxLevel)))
  const shown = listed.map((matches) => matches.slice(0, options.maxMatches))
  const priorities = await readPriorities(db, shown.flat())
  const suggestions = await suggestProducts(db, matched)
  const components = matched.map((each, index) => {
    const matches = (shown[index] ?? []).map((match) => renderMatch(match, each.component, priorities))
    const names = suggestions.get(each)
    const data = {
      index,
      ...(options.refs[index] !== undefined && { ref: options.refs[index] }),
      interpreted_as: renderName(each.component),
      verdict: each.verdict,
      matches_total: listed[index]?.length ?? 0,
      weaker_total: each.weakerCount,
      unordered_total: each.unorderedCount,
      suppressed_total: each.suppressed.length,
      matches,
      suppressed: each.suppressed.map(({ match, entry }) => ({ id: match.subject.id, reason: entry.reason })),
      ...(each.upgrade && { upgrade_to: { version: each.upgrade.version, seen_in: each.upgrade.seenIn } }),
      ...(names && { did_you_mean: names }),
    }
    return `${index === 0 ? '' : ','}${JSON.stringify(data)}`
  })
  return { components, summary: JSON.stringify(summarise(matched, listed.flat(), options)) }
}

/** A CVE without a rank is rejected, and an advisory has no rank: both are listed with the least urgent level only. */
function isWithin(rank: number | null, maxLevel: Level): boolean {
  return (rank ?? 0) >= listRanks(maxLevel).min
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

function summarise(matched: readonly MatchedComponent[], listed: readonly Match[], { hasCurrentData }: RenderOptions) {
  const ranks = new Map(listed.map(({ subject }) => [subject.id, subject.rank]))
  const countLevel = (level: Level) => {
    const { min, max } = listRanks(level)
    return [...ranks.values()].filter((rank) => rank !== null && rank >= min && rank <= max).length
  }
  return {
    components: matched.length,
    ...Object.fromEntries(
      COMPONENT_VERDICTS.map((verdict) => [verdict, matched.filter((each) => each.verdict === verdict).length]),
    ),
    cves: ranks.size,
    by_level: {
      ...Object.fromEntries(LEVELS.map((level) => [level, countLevel(level)])),
      none: [...ranks.values()].filter((rank) => rank === null).length,
    },
    data_gaps: matched.filter(({ component }) => !hasCurrentData(component)).length,
  }
}
