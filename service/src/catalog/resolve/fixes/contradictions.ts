// Finds the sources that list a fixed version as affected: as a single version, as the last one of a range, or inside
// such a range.
import { compareVersions } from '../../../domain/version/version-order.ts'
import { toVersionKey } from './affected-ends.ts'
import type { AffectedSpan } from './affected-spans.ts'
import type { FixStatement } from './fix-statements.ts'

interface ProductStatements {
  readonly statements: readonly FixStatement[]
  readonly spans: readonly AffectedSpan[]
  /** Lower for sources that come first, and below zero for the vendor. */
  readonly rankSource: (statement: Pick<FixStatement, 'by' | 'source'>) => number
}

/**
 * `statements` and `spans` are about one product. What the vendor calls fixed is not doubted, nor does a source count
 * that also calls the version fixed. A range before a fixed version is no contradiction: the two fixed versions are
 * rivals.
 */
export function findContradictions(
  { version, platform, isCommit }: FixStatement,
  { statements, spans, rankSource }: ProductStatements,
): readonly AffectedSpan[] {
  if (isCommit || spans.length === 0) return []
  const key = toVersionKey(version)
  const same = statements.filter((each) => toVersionKey(each.version) === key)
  const rank = Math.min(...same.map(rankSource))
  if (rank < 0) return []
  const isFixedBy = (each: AffectedSpan) => !each.isEndAffected && toVersionKey(each.end) === key
  const fixedBy = new Set([...same, ...spans.filter(isFixedBy)].map(({ by }) => by))
  const own = statements.filter(({ by }) => fixedBy.has(by))
  const others = spans.filter((each) => !fixedBy.has(each.by) && isOfPlatform(each, platform))
  const surrounds = (each: AffectedSpan) =>
    rankSource(each) < rank && isInside(version, each, others) && !spansBranches(version, each, own)
  const found = others.filter((each) => each.isEndAffected && (toVersionKey(each.end) === key || surrounds(each)))
  return [...new Map(found.map((each) => [`${each.by} ${each.end}`, each])).values()]
}

function isOfPlatform(span: AffectedSpan, platform: string | undefined): boolean {
  return span.platform === undefined || platform === undefined || span.platform === platform
}

/**
 * A version whose order is unknown counts as outside. A range without a start begins after the earlier ranges of its
 * source: some sources list only the last affected version of each branch.
 */
function isInside(version: string, { by, start, end }: AffectedSpan, others: readonly AffectedSpan[]): boolean {
  if (!isBefore(version, end)) return false
  if (start !== null) return isBefore(start, version)
  return !others.some((each) => each.by === by && !isBefore(version, each.end))
}

/**
 * True if the sources of the fix know of branches where the range is one: a later branch begins inside the range, or the
 * version fixes a branch of a range that has no start.
 */
function spansBranches(version: string, { start, end }: AffectedSpan, own: readonly FixStatement[]): boolean {
  return own.some((each) => {
    if (each.start === null || each.start === '0') return false
    const isLaterBranch = isBefore(version, each.start) && !isBefore(end, each.start)
    return isLaterBranch || (start === null && toVersionKey(each.version) === toVersionKey(version))
  })
}

function isBefore(version: string, later: string): boolean {
  return (compareVersions(version, later) ?? 1) < 0
}
