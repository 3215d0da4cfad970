// Finds the branch to which each fixed version of a product belongs, if the ranges of one source show it.
import { compareVersions } from './version-order.ts'

interface Fixed {
  readonly version: string
  /** First affected version of the range that the fix ends; null if the source names none. */
  readonly start: string | null
  /** The series that the source names, such as `6.1` for `6.1.*`. */
  readonly series: string | null
}

/**
 * Returns one branch per statement, such as `2.12` for 2.12.2, or null. `statements` are those of one source about one
 * product, without commits.
 *
 * A branch is the series that the source names (`6.1.*`), else the numbers of the fixed version without the last one.
 * The ranges must show these: the range begins in the branch (10.2.0 before 10.2.9), or the next range begins after it
 * (2.4.0 before 2.12.2, followed by a range from 2.13.0), and no other version is fixed in it. If the range begins
 * before these numbers, the branch is what its start and its fix have in common (18 for 18.0.0 before 18.18.2), unless
 * another range has that in common too. The fix of the newest branch often has none, because no later range shows where
 * the branch ends.
 */
export function findBranches(statements: readonly Fixed[]): readonly (string | null)[] {
  const isOnly = new Set(statements.map(({ version }) => version)).size < 2
  const read = isOnly ? [] : statements.map(readFixed)
  const found = statements.map(({ series }, at) => {
    if (series !== null) return stripV(series)
    const each = read[at]
    return each === undefined ? null : findBranch(each, read)
  })
  const isClear = (branch: string, { version }: Fixed) =>
    statements.every((other, at) => other.version === version || found[at] !== branch)
  return statements.map((each, at) => {
    const branch = found[at] ?? null
    return branch !== null && isClear(branch, each) ? branch : null
  })
}

/** Each statement is compared with all others. */
interface ReadFixed extends Pick<Fixed, 'version' | 'start'> {
  readonly numbers: readonly string[]
  readonly startNumbers: readonly string[]
}

function readFixed({ version, start }: Fixed): ReadFixed {
  return { version, start, numbers: readNumbers(version), startNumbers: start === null ? [] : readNumbers(start) }
}

function findBranch({ version, numbers, startNumbers }: ReadFixed, all: readonly ReadFixed[]): string | null {
  const branch = numbers.slice(0, -1)
  const others = all.filter((each) => each.version !== version)
  if (branch.length === 0 || others.some((each) => beginsWith(each.numbers, branch))) return null
  const later = others.flatMap((each) =>
    each.start !== null && (compareVersions(each.start, version) ?? 0) > 0 ? [each.startNumbers] : [],
  )
  const isEnded = later.length > 0 && later.every((each) => !beginsIn(each, branch))
  if (beginsIn(startNumbers, branch)) return branch.join('.')
  if (!isEnded) return null
  const wider = findCommonStart(startNumbers, branch)
  const isShared = others.some((each) => beginsWith(each.numbers, wider) || beginsWith(each.startNumbers, wider))
  return (wider.length === 0 || isShared ? branch : wider).join('.')
}

function findCommonStart(a: readonly string[], b: readonly string[]): readonly string[] {
  const differing = a.findIndex((each, at) => each !== b[at])
  return differing < 0 ? a : a.slice(0, differing)
}

/** A range that begins at 22 begins in the branch 22.0. */
function beginsIn(numbers: readonly string[], branch: readonly string[]): boolean {
  const zeros = branch.slice(numbers.length).map(() => '0')
  return numbers.length > 0 && beginsWith([...numbers, ...zeros], branch)
}

/** True for 6.1.103 in the branch 6.1, and false for 6.10. */
export function isInBranch(version: string, branch: string): boolean {
  return beginsWith(readNumbers(version), readNumbers(branch))
}

/** True for 8.9.0.0 before 8.10.0.0, which is the first version of the next branch. */
export function isWholeBranch({ start, version }: Pick<Fixed, 'start' | 'version'>): boolean {
  const [first, next] = [start === null ? [] : readNumbers(start), readNumbers(version)]
  const at = next.findIndex((each, index) => each !== first[index])
  const isZero = (each: string) => Number(each) === 0
  const hasBranch = at >= 0 && at < next.length - 1 && first.length === next.length
  if (!hasBranch || Number(next[at]) !== Number(first[at]) + 1) return false
  return [...first.slice(at + 1), ...next.slice(at + 1)].every(isZero)
}

function beginsWith(numbers: readonly string[], start: readonly string[]): boolean {
  return start.length > 0 && start.every((each, at) => numbers[at] === each)
}

const NUMBERS = /^v?(\d{1,9}(?:\.\d{1,9}){0,8})(?:r(\d{1,9}))?/i

/** Returns 10, 2 and 9 for `10.2.9-h1`, and 21, 4 and 3 for the release `21.4R3-S6` of the branch 21.4. */
function readNumbers(version: string): readonly string[] {
  const [, numbers, release] = NUMBERS.exec(version) ?? []
  return [...(numbers?.split('.') ?? []), ...(release === undefined ? [] : [release])]
}

function stripV(version: string): string {
  return version.replace(/^v(?=\d)/i, '')
}
