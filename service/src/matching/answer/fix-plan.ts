// Collects the planned fixes of all components of an answer. One line stands for all places of a package at one version.
import { LEVELS, type Level } from '../../domain/priority/policy.ts'
import { STEP_KINDS } from '../../domain/version/step-kind.ts'
import { toComponentKey } from '../component-key.ts'
import { compareCounts, countLevels, type LevelCounts, toLevelIndex } from '../plan/level-counts.ts'
import type { PlannedFix } from '../plan/plan-fix.ts'
import type { Subject } from '../read/read-subjects.ts'
import { isWithin, type SelectedComponent } from './select-matches.ts'

export interface FixPlan {
  /** `countText` counts the text towards the limit of the answer. */
  add(selected: readonly SelectedComponent[], places: readonly PlannedPlace[], countText: CountText): void
  /** Returns the JSON text of the list, the line that removes most urgency first. */
  render(countText: CountText): string
}

type CountText = (text: string) => string

interface PlannedPlace {
  readonly index: number
  readonly ref?: string | undefined
}

export interface PlanLimits {
  readonly maxLevel: Level
  /** Maximum number of ids per list. */
  readonly maxMatches: number
}

/** Describes how the component at one of the places gets into the software. */
export type DescribeOrigin = (refs: readonly string[]) => object

const UNKNOWN_ORIGIN = { path: null, direct_dependencies: [] }

interface Line {
  /** The JSON text of the members that do not depend on the places, without braces. */
  readonly text: string
  readonly removed: LevelCounts
  readonly kind: PlannedFix['kind']
  readonly name: string
  readonly indexes: number[]
  readonly refs: string[]
}

export function createFixPlan(limits: PlanLimits, describeOrigin: DescribeOrigin = () => UNKNOWN_ORIGIN): FixPlan {
  /** Null for a component whose plan has nothing within the limits. */
  const lines = new Map<string, Line | null>()
  const findLine = (matched: SelectedComponent['matched'], countText: CountText) => {
    if (matched.fix === undefined) return null
    const key = toComponentKey(matched.component)
    const known = lines.get(key)
    if (known !== undefined) return known
    const line = createLine(matched.component, matched.fix, limits)
    if (line !== null) countText(line.text)
    lines.set(key, line)
    return line
  }
  return {
    add: (selected, places, countText) => {
      for (const [position, { matched }] of selected.entries()) {
        const line = findLine(matched, countText)
        const { index = position, ref } = places[position] ?? {}
        line?.indexes.push(index)
        if (ref !== undefined) line?.refs.push(ref)
      }
    },
    render: (countText) => {
      const sorted = [...lines.values()].filter((line) => line !== null).sort(compareLines)
      const texts = sorted.map(({ text, indexes, refs }) => {
        const rest = JSON.stringify({ ...describeOrigin(refs), indexes })
        countText(rest)
        return `{${text},${rest.slice(1)}`
      })
      return `[${texts.join(',')}]`
    },
  }
}

function createLine(
  { vendor, product }: SelectedComponent['matched']['component'],
  { from, to, seenIn, kind, resolves, remains, introduces }: PlannedFix,
  { maxLevel, maxMatches }: PlanLimits,
): Line | null {
  const select = (subjects: readonly Subject[]) => subjects.filter(({ rank }) => isWithin(rank, maxLevel))
  const [resolved, remaining, introduced] = [select(resolves), select(remains), select(introduces)]
  const removed = subtract(count(resolved), count(introduced))
  if (compareCounts(removed, NOTHING) <= 0) return null
  const list = (subjects: readonly Subject[]) => subjects.slice(0, maxMatches).map(({ id }) => id)
  const members = {
    package: { vendor, product },
    from_version: from,
    to_version: to,
    seen_in: seenIn,
    kind,
    resolves_total: resolved.length,
    resolves: groupByLevel(resolved, maxMatches),
    remains_total: remaining.length,
    remains: list(remaining),
    introduces_total: introduced.length,
    introduces: list(introduced),
  }
  const text = JSON.stringify(members).slice(1, -1)
  return { text, removed, kind, name: `${vendor ?? ''}/${product}`, indexes: [], refs: [] }
}

const count = (subjects: readonly Subject[]) => countLevels(subjects.map(({ rank }) => rank))
const NOTHING = count([])

function subtract(counts: LevelCounts, others: LevelCounts): LevelCounts {
  return counts.map((each, index) => each - (others[index] ?? 0))
}

/** The subjects are sorted by urgency, so the levels are too. */
function groupByLevel(subjects: readonly Subject[], maxIds: number) {
  const levels = Map.groupBy(subjects.slice(0, maxIds), ({ rank }) => toLevelIndex(rank))
  const totals = count(subjects)
  return totals.flatMap((total, index) => {
    const ids = (levels.get(index) ?? []).map(({ id }) => id)
    return total === 0 ? [] : [{ level: LEVELS[index] ?? null, total, ids }]
  })
}

function compareLines(a: Line, b: Line): number {
  return (
    compareCounts(b.removed, a.removed) ||
    STEP_KINDS.indexOf(a.kind) - STEP_KINDS.indexOf(b.kind) ||
    (a.indexes[0] ?? 0) - (b.indexes[0] ?? 0)
  )
}
