// Compares a served range with the ranges that its source states for the product.
import type { DifferenceKind } from './kinds.ts'
import type { StatedRange, Statement } from './statement.ts'
import {
  findNextBranch,
  foldVersion,
  isCommit,
  isEvery,
  isPlainVersion,
  isSameNumber,
  type Said,
  says,
} from './version-words.ts'

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

/** Undefined: the source says it word for word. */
export type Found = DifferenceKind | undefined

/** `statements` are those of the source about the product. Returns what differs in the statement that comes closest. */
export function compareRange(served: ServedRange, statements: readonly Statement[]): Found {
  const same = statements.filter((each) => hasStatus(each, served.isAffected))
  // A row without versions stands for the source's doubt, too.
  if (served.isVague) return same.length > 0 || statements.some(isDoubt) ? undefined : 'status'
  if (same.length === 0) return 'status'
  if (served.versions !== null) return chooseWorst(served.versions.map((each) => findVersion(each, served, same)))
  return chooseClosest(same.map((each) => compareWithStatement(served, each)))
}

/** In the order in which they come closest to the source's words; `undefined` comes closest of all. */
const CLOSEST: readonly Found[] = [
  undefined,
  'series',
  'words',
  'start-is-end',
  'commit-start',
  'branch-start',
  'between-unaffected',
  'end-included',
  'end-excluded',
  'start-included',
  'open-end-from-text',
  'open-end',
  'end-dropped',
  'start-dropped',
  'mixed-ends',
  'range-as-version',
  'end',
  'start',
  'version',
]
const EXPLAINED: readonly Found[] = [undefined, 'series', 'words', 'start-is-end', 'commit-start', 'branch-start']

function chooseClosest(found: readonly Found[]): Found {
  return CLOSEST.find((kind) => found.includes(kind))
}

function chooseWorst(found: readonly Found[]): Found {
  return CLOSEST.findLast((kind) => found.includes(kind))
}

function hasStatus({ ranges, isAffectedByDefault, isUnaffectedByDefault }: Statement, isAffected: boolean): boolean {
  const isDefault = isAffected ? isAffectedByDefault : isUnaffectedByDefault
  return isDefault || ranges.some(({ status }) => status === toStatus(isAffected))
}

function isDoubt({ ranges, isUnknownByDefault }: Statement): boolean {
  return isUnknownByDefault || ranges.some(({ status }) => status === 'unknown')
}

function toStatus(isAffected: boolean): StatedRange['status'] {
  return isAffected ? 'affected' : 'unaffected'
}

function compareWithStatement(served: ServedRange, statement: Statement): Found {
  const { ranges, isAffectedByDefault, isUnaffectedByDefault } = statement
  if (isSeriesInName(served, statement)) return 'series'
  const own = ranges.filter((each) => each.status === toStatus(served.isAffected))
  const isUnlimited = served.low === null && served.high === null
  if (isUnlimited && (served.isAffected ? isAffectedByDefault && ranges.length === 0 : isUnaffectedByDefault))
    return undefined
  const sides = own.map((range) => [compareStart(served, range, statement), compareEnd(served, range, statement)])
  const found = chooseClosest(sides.length === 0 ? ['end'] : sides.map(chooseWorst))
  if (EXPLAINED.includes(found)) return found
  if (served.isAffected && isAffectedByDefault && liesBetweenUnaffected(served, ranges)) return 'between-unaffected'
  return describeDifference(served, sides)
}

/** Some CNAs write a series such as `7.2.*` only into a CPE name. */
function isSeriesInName({ low, high }: ServedRange, { versionsInNames }: Statement): boolean {
  const names = (text: string) => [low, high].every((end) => end !== null && says(text, end, false) === 'series')
  return versionsInNames.some(names)
}

/** A range with one right end shows best what differs. */
function describeDifference({ low, high }: ServedRange, sides: readonly (readonly Found[])[]): Found {
  const [starts, ends] = [0, 1].map((side) => sides.filter((each) => EXPLAINED.includes(each[side])))
  const near = [...(starts ?? []).map(([, end]) => end), ...(ends ?? []).map(([start]) => start)]
  const found = chooseClosest(near.length > 0 ? near : sides.length > 0 ? sides.map(chooseWorst) : ['end'])
  const isMixed = (found === 'end' || found === 'start') && low !== null && high !== null
  return isMixed && starts?.length !== 0 && ends?.length !== 0 ? 'mixed-ends' : found
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
  const isEnd = high === null ? unaffected.every(hasEnd) : ends.some((text) => says(text, high, true) !== undefined)
  return isStart && isEnd
}

function toBranchEnd({ only }: StatedRange): string | null {
  return only === null ? null : (findNextBranch(only) ?? null)
}

function hasEnd({ before, through }: StatedRange): boolean {
  return (before ?? through ?? '*') !== '*'
}

/** A single version is neither the start nor the end of a range; a text can contain both. */
function findInText(text: string | null, version: string, isProse: boolean): Said {
  const said = says(text, version, isProse)
  return said === 'exact' ? undefined : said
}

function compareStart({ low, isLowIncluded, high }: ServedRange, range: StatedRange, { isProse }: Statement): Found {
  const stated = range.from ?? range.after
  if (low === null) {
    if (stated === null || isEvery(stated) || !isPlainVersion(stated)) return undefined
    if (isComparison(range.before ?? range.through)) return undefined
    if (high === null) return 'start-dropped'
    return isCommit(stated) ? 'commit-start' : isSameNumber(stated, high) ? 'start-is-end' : 'start-dropped'
  }
  const after = says(range.after, low, isProse)
  if (after !== undefined) return isLowIncluded ? 'start-included' : toFound(after)
  const from = says(range.from, low, isProse)
  if (from !== undefined) return toFound(from)
  if (high !== null && startsBranch(low, high, range)) return 'branch-start'
  // Without an end, a single version differs from the range only in its end.
  return toFound(high === null ? says(range.only, low, isProse) : findInText(range.only, low, isProse), 'start')
}

/** 1.16 is the start of the next branch after the change 1.15.15, and 22.3R3 that of the end 22.3R3-S1 in a list. */
function startsBranch(low: string, high: string, { before, through, changes }: StatedRange): boolean {
  const ends = [...changes, ...(before ?? through ?? '').split(',')].map((text) => text.trim())
  if (ends.filter((end) => end !== '' && end !== '*').length < 2) return false
  const isOfList = ends.includes(high) && high.startsWith(low) && !/^[\d.]/.test(high.slice(low.length))
  return isOfList || ends.some((end) => findNextBranch(end.replace(/-h\d+$/, '.0')) === low)
}

function toFound(said: Said, otherwise?: DifferenceKind): Found {
  return said === 'exact' ? undefined : (said ?? otherwise)
}

function compareEnd(served: ServedRange, range: StatedRange, statement: Statement): Found {
  if (served.high === null) return compareOpenEnd(served, range, statement)
  const { high, isHighIncluded } = served
  const { isProse } = statement
  const inText = findInText(range.only, high, isProse)
  if (inText !== undefined) return toFound(inText)
  // Some CNAs write the end into `version`.
  if (isComparison(range.before ?? range.through)) return toFound(says(range.from, high, isProse), 'end')
  const [before, through] = [says(range.before, high, isProse), says(range.through, high, isProse)]
  if (isHighIncluded) {
    if (through !== undefined) return toFound(through)
    return before === undefined ? 'end' : saysBelow(range.before) ? 'words' : 'end-included'
  }
  const change = range.changes.map((text) => says(text, high, isProse)).find((each) => each !== undefined)
  if (before !== undefined || change !== undefined) return toFound(before ?? change)
  // `6.1.*` as the last version means the same as 6.2 as the first version that is not affected.
  return through === 'exact' ? 'end-excluded' : toFound(through, 'end')
}

/** True if the member for the end has only the comparison. */
function isComparison(text: string | null): boolean {
  return /^\s*(?:<=?|(?:and |or )?(?:prior|earlier|below)(?: versions?)?)\s*$/i.test(text ?? '')
}

/** `9.18.0 and below` or `<= 9.18.0` in the member for the first version that is not affected. */
function saysBelow(text: string | null): boolean {
  return /(?:<=|below\b|earlier\b|prior\b|older\b|lower\b|previous\b)/i.test(text ?? '')
}

const LATER = /\b(?:all|any|every|later|above|newer|higher|greater|onwards?|up|after|since|beyond|latest)\b|>|\+\s*$/i

function compareOpenEnd({ low }: ServedRange, range: StatedRange, statement: Statement): Found {
  const { isProse, isOpenEnded, ranges } = statement
  const end = range.before ?? range.through
  if (end === null) {
    if (range.only === null) return isOpenEnded || ranges.length === 0 || low === null ? undefined : 'open-end'
    const isAll = isEvery(range.only) || !/\d/.test(range.only)
    return isAll ? undefined : isProse && LATER.test(range.only) ? 'words' : 'open-end'
  }
  if (end === '*') return undefined
  if (isProse && LATER.test(end) && !isPlainVersion(end)) return 'words'
  return isPlainVersion(end) ? 'end-dropped' : 'open-end-from-text'
}

function findVersion(version: string, served: ServedRange, statements: readonly Statement[]): Found {
  // Lists of a thousand single versions are common, and nearly all of them are word for word.
  const folded = foldVersion(version)
  const isSaid = ({ status, only }: StatedRange) =>
    status === toStatus(served.isAffected) && only !== null && foldVersion(only) === folded
  if (statements.some(({ ranges }) => ranges.some(isSaid))) return undefined
  return chooseClosest([
    'version',
    ...statements.flatMap(({ versionsInNames }) =>
      versionsInNames.some((text) => says(text, version, false) === 'exact') ? [undefined] : [],
    ),
    ...statements.flatMap((statement) =>
      statement.ranges
        .filter(({ status }) => status === toStatus(served.isAffected))
        .map((range) => findInRange(version, range, statement)),
    ),
  ])
}

function findInRange(version: string, range: StatedRange, { isProse, product }: Statement): Found {
  const only = says(range.only, version, isProse)
  if (only !== undefined) return toFound(only)
  // The product's name can end with its version, such as `15 SP5`.
  if (isProse && says(product, version.replace(/ -$/, ''), true)) return 'words'
  const from = says(range.from, version, isProse)
  if (from === undefined) return 'version'
  const end = range.through ?? range.before
  const isSame = end === null || says(end, version, isProse) !== undefined
  return isSame ? toFound(from) : 'range-as-version'
}
