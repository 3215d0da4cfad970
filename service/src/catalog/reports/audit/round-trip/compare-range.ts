// Compares a served range with the ranges that its source states for the product.
import type { DifferenceKind } from './kinds.ts'
import type { StatedRange, Statement } from './statement.ts'
import { findNextBranch, foldVersion, isEvery, isPlainVersion, type Said, says } from './version-words.ts'

export interface ServedRange {
  readonly isAffected: boolean
  readonly isVague: boolean
  readonly low: string | null
  readonly isLowIncluded: boolean
  readonly high: string | null
  readonly isHighIncluded: boolean
  /** Single versions; null for a range. */
  readonly versions: readonly string[] | null
}

export const OPEN_RANGE: ServedRange = {
  isAffected: true,
  isVague: false,
  low: null,
  isLowIncluded: false,
  high: null,
  isHighIncluded: false,
  versions: null,
}

/** Undefined: the source says it. */
export type Found = DifferenceKind | undefined

/** `statements` are those of the source about the product. Returns what differs in the statement that comes closest. */
export function compareRange(served: ServedRange, statements: readonly Statement[]): Found {
  const same = statements.filter((each) => hasStatus(each, served.isAffected))
  if (same.length === 0) return 'status'
  if (served.isVague) return undefined
  if (served.versions !== null)
    return served.versions.map((version) => findVersion(version, served, same)).find((each) => each !== undefined)
  const found: Found[] = []
  for (const statement of same) {
    const each = compareWithStatement(served, statement)
    if (each === undefined) return undefined
    found.push(each)
  }
  return chooseClosest(found)
}

/** The first kinds describe the difference best: only one end differs. */
const CLOSEST: readonly DifferenceKind[] = [
  'end-included',
  'end-excluded',
  'start-included',
  'open-end-from-text',
  'end-dropped',
  'start-dropped',
  'end',
  'start',
  'mixed-ends',
]

function chooseClosest(found: readonly Found[]): Found {
  return CLOSEST.find((kind) => found.includes(kind)) ?? found[0] ?? 'end'
}

function hasStatus({ ranges, isAffectedByDefault, isUnaffectedByDefault }: Statement, isAffected: boolean): boolean {
  const isDefault = isAffected ? isAffectedByDefault : isUnaffectedByDefault
  return isDefault || ranges.some(({ status }) => status === (isAffected ? 'affected' : 'unaffected'))
}

function compareWithStatement(served: ServedRange, statement: Statement): Found {
  const { ranges, isAffectedByDefault, isUnaffectedByDefault } = statement
  const status = served.isAffected ? 'affected' : 'unaffected'
  const own = ranges.filter((each) => each.status === status)
  const isUnlimited = served.low === null && served.high === null
  const isDefault = served.isAffected ? isAffectedByDefault && own.length === 0 : isUnaffectedByDefault
  if (isUnlimited && isDefault && !(served.isAffected && ranges.length > 0)) return undefined
  if (served.isAffected && isAffectedByDefault && liesBetweenUnaffected(served, ranges)) return undefined
  const sides = own.map((range) => [compareStart(served, range, statement), compareEnd(served, range, statement)])
  if (sides.some(([start, end]) => start === undefined && end === undefined)) return undefined
  const [isStart, isEnd] = [0, 1].map((side) => sides.some((each) => each[side] === undefined))
  if (isStart && isEnd) return sides.length > 1 && hasBothEnds(served) ? 'mixed-ends' : findOneSided(sides)
  return chooseClosest(sides.flatMap(([start, end]) => (isStart ? end : isEnd ? start : (end ?? start)) ?? []))
}

function hasBothEnds({ low, high }: ServedRange): boolean {
  return low !== null && high !== null
}

/** Used if one end of the served range is missing: the statement with the other end shows what was dropped. */
function findOneSided(sides: readonly (readonly Found[])[]): Found {
  return chooseClosest(sides.map(([start, end]) => start ?? end))
}

/** A CNA that calls every other version affected states only the versions between them. */
function liesBetweenUnaffected({ low, isLowIncluded, high }: ServedRange, ranges: readonly StatedRange[]): boolean {
  const unaffected = ranges.filter(({ status }) => status === 'unaffected')
  if (unaffected.length === 0) return false
  const starts = unaffected.flatMap((range) =>
    isLowIncluded ? [range.before, range.through, toBranchEnd(range)] : [range.through],
  )
  const ends = unaffected.flatMap(({ only, from }) => [only, from])
  const isStart = low === null || starts.some((text) => says(text, low, true) !== undefined)
  const isEnd = high === null ? unaffected.every((range) => hasEnd(range)) : ends.some((text) => says(text, high, true))
  return isStart && isEnd
}

function toBranchEnd({ only }: StatedRange): string | null {
  return only === null ? null : (findNextBranch(only) ?? null)
}

function hasEnd({ before, through }: StatedRange): boolean {
  return (before ?? through ?? '*') !== '*'
}

function compareStart({ low, isLowIncluded, high }: ServedRange, range: StatedRange, { isProse }: Statement): Found {
  const stated = range.from ?? range.after
  if (low === null) {
    if (stated === null || isEvery(stated) || !isPlainVersion(stated)) return undefined
    return high !== null && foldVersion(stated) === foldVersion(high) ? undefined : 'start-dropped'
  }
  if (says(range.after, low, isProse)) return isLowIncluded ? 'start-included' : undefined
  const isSaid = [range.from, range.only].some((text) => says(text, low, isProse))
  return isSaid && (isLowIncluded || isProse) ? undefined : 'start'
}

function compareEnd(served: ServedRange, range: StatedRange, statement: Statement): Found {
  if (served.high === null) return compareOpenEnd(served, range, statement)
  const { high, isHighIncluded } = served
  const { isProse } = statement
  const [before, through] = [says(range.before, high, isProse), says(range.through, high, isProse)]
  if (says(range.only, high, isProse)) return undefined
  if (isHighIncluded) {
    if (through !== undefined) return undefined
    return before === undefined ? 'end' : saysBelow(range.before) ? undefined : 'end-included'
  }
  if (before !== undefined || range.changes.some((text) => says(text, high, isProse))) return undefined
  // `6.1.*` as the last version means the same as 6.2 as the first version that is not affected.
  return through === undefined ? 'end' : isExactly(through) ? 'end-excluded' : undefined
}

function isExactly(said: Said): boolean {
  return said === 'exact'
}

/** `9.18.0 and below` in the member for the first version that is not affected. */
function saysBelow(text: string | null): boolean {
  return /(?:below|earlier|prior|older|lower|previous)\b/i.test(text ?? '')
}

const LATER = /\b(?:all|any|every|later|above|newer|higher|greater|onwards?|up|after|since|beyond|latest)\b|>|\+\s*$/i

function compareOpenEnd({ low }: ServedRange, range: StatedRange, { isProse, isOpenEnded, ranges }: Statement): Found {
  const end = range.before ?? range.through
  if (end === null) {
    if (range.only === null) return isOpenEnded || ranges.length === 0 || low === null ? undefined : 'open-end'
    const isAll = isEvery(range.only) || !/\d/.test(range.only) || (isProse && LATER.test(range.only))
    return isAll ? undefined : 'open-end'
  }
  if (end === '*' || (isProse && LATER.test(end) && !isPlainVersion(end))) return undefined
  return isPlainVersion(end) ? 'end-dropped' : 'open-end-from-text'
}

function findVersion(version: string, served: ServedRange, statements: readonly Statement[]): Found {
  const status = served.isAffected ? 'affected' : 'unaffected'
  let found: Found = 'version'
  for (const { ranges, isProse, product } of statements)
    for (const range of ranges.filter((each) => each.status === status)) {
      if (says(range.only, version, isProse)) return undefined
      const end = range.through ?? range.before
      // The product's name can end with its version, such as `15 SP5`.
      if (isProse && says(product, version.replace(/ -$/, ''), true)) return undefined
      if (!says(range.from, version, isProse)) continue
      if (end === null || says(end, version, isProse)) return undefined
      found = 'range-as-version'
    }
  return found
}
