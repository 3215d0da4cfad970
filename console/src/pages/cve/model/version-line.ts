// Lays out version ranges on a line. The versions are spread evenly, because the distance between two versions has no
// meaning. A range with an open end extends to the end of the line.

import { compareVersions } from '../../../text/verdict/version-order.ts'
import type { FixedVersion, VersionRange } from './product-versions.ts'

export interface LineBar {
  /** Start and end as fractions of the line, from 0 to 1. */
  readonly from: number
  readonly to: number
  readonly hasStart: boolean
  readonly hasEnd: boolean
}

export interface VersionLine {
  /** One bar per range, in the order of the ranges; undefined if the range cannot be drawn. */
  readonly bars: readonly (LineBar | undefined)[]
  /** One position per single version; undefined for ranges. */
  readonly points: readonly (number | undefined)[]
  /** Positions of the fixed versions, in the same order; undefined for commits. */
  readonly fixes: readonly (number | undefined)[]
}

export function layOutVersions(ranges: readonly VersionRange[], fixes: readonly FixedVersion[]): VersionLine {
  const drawable = ranges.map(isDrawable)
  const named = ranges.flatMap((range, index) => (drawable[index] ? listVersions(range) : []))
  const fixed = fixes.filter(({ isCommit }) => !isCommit).map(({ version }) => version)
  const places = spread([...named, ...fixed])
  return {
    bars: ranges.map((range, index) => (drawable[index] ? layOutRange(range, places) : undefined)),
    points: ranges.map(({ kind, version }, index) =>
      drawable[index] && kind === 'exact' && version !== undefined ? places.get(version) : undefined,
    ),
    fixes: fixes.map(({ version, isCommit }) => (isCommit ? undefined : places.get(version))),
  }
}

/** Commits have no order, an inverted range contains no version, and an end in words is nowhere on the line. */
function isDrawable({ kind, end, isCommit, isInverted, isInWords }: VersionRange): boolean {
  const isEndUnknown = isInWords && kind === 'range' && end === undefined
  return kind !== 'unstated' && kind !== 'words' && !isCommit && !isInverted && !isEndUnknown
}

function listVersions({ start, end, version }: VersionRange): readonly string[] {
  return [start?.version, end?.version, version].filter((each) => each !== undefined)
}

/** Gives each version a position strictly between 0 and 1. Versions that compare as equal share a position. */
function spread(versions: readonly string[]): ReadonlyMap<string, number> {
  const sorted = [...new Set(versions)].sort(compareVersions)
  const groups: string[][] = []
  for (const version of sorted) {
    const last = groups.at(-1)
    if (last?.[0] !== undefined && compareVersions(last[0], version) === 0) last.push(version)
    else groups.push([version])
  }
  return new Map(
    groups.flatMap((group, index) => group.map((version) => [version, (index + 1) / (groups.length + 1)] as const)),
  )
}

function layOutRange({ kind, start, end }: VersionRange, places: ReadonlyMap<string, number>): LineBar | undefined {
  if (kind === 'exact') return undefined
  const from = start && places.get(start.version)
  const to = end && places.get(end.version)
  // The order of unusual versions is a guess, so a bar may run backwards. Such a bar is not drawn.
  if (from !== undefined && to !== undefined && from > to) return undefined
  return { from: from ?? 0, to: to ?? 1, hasStart: from !== undefined, hasEnd: to !== undefined }
}
