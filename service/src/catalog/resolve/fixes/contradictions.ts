// Finds the sources that list a fixed version as affected: as a single version, as the last one of a range, or inside
// such a range. The vendor's ranges and those of the fix's own source also count if they end with a fixed version.
// Ranges of the fix's own source that begin with the version count too: `8.9 before 8.10` and `8.10 before 8.10.4`.
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
 * `statements` and `spans` are about one product. What the vendor calls fixed is doubted only if the vendor also calls
 * it affected. Otherwise a source does not count that also calls the version fixed.
 */
export function findContradictions(
  stated: FixStatement,
  { statements, spans, rankSource }: ProductStatements,
): readonly AffectedSpan[] {
  const { version, isCommit } = stated
  if (isCommit || spans.length === 0) return []
  const key = toVersionKey(version)
  const same = statements.filter((each) => toVersionKey(each.version) === key)
  const isContradicted = (each: FixStatement) => spans.some((span) => contradictsItself(each, span))
  const isAgreed = same.some((each) => each.by !== stated.by && !isContradicted(each))
  const ofItself = isAgreed ? [] : spans.filter((each) => contradictsItself(stated, each))
  const rank = Math.min(...same.map(rankSource))
  if (rank < 0 || ofItself.length > 0) return dropRepeated(ofItself)
  const isFixedBy = (each: AffectedSpan) => !each.isEndAffected && toVersionKey(each.end) === key
  const fixedBy = new Set([...same, ...spans.filter(isFixedBy)].map(({ by }) => by))
  const own = statements.filter(({ by }) => fixedBy.has(by))
  const others = spans.filter((each) => !each.isStartOnly && !fixedBy.has(each.by) && mayShareScope(each, stated))
  const surrounds = (each: AffectedSpan) =>
    rankSource(each) < rank && isInside(version, each, others) && !spansBranches(version, each, own)
  const found = others.filter((each) =>
    each.isEndAffected ? toVersionKey(each.end) === key || surrounds(each) : rankSource(each) < 0 && surrounds(each),
  )
  return dropRepeated(found)
}

function dropRepeated(spans: readonly AffectedSpan[]): readonly AffectedSpan[] {
  return [...new Map(spans.map((each) => [`${each.by} ${each.end}`, each])).values()]
}

/**
 * An entry of the same source calls the version affected. A range without a start is left out: some sources write
 * `before 3.0.3` and `before 2.35.1` for two branches.
 */
function contradictsItself({ by, version, platform, edition }: FixStatement, span: AffectedSpan): boolean {
  if (span.by !== by || span.platform !== platform || span.edition !== edition) return false
  if (span.isEndAffected && isSameVersion(span.end, version)) return true
  const hasStart = span.start !== null && span.start !== '0'
  return span.isOfEntry && hasStart && isBefore(span.start, version) && isBefore(version, span.end)
}

/**
 * Finds the ranges on which a conclusion rests that another fix of the source is affected: if 11.10 is affected because
 * NVD lists `through 11.10`, so are the versions 11.8 and 11.9 that the source calls fixed with it (CVE-2023-35078).
 */
export function findConcluded(
  stated: FixStatement,
  { statements, spans }: Pick<ProductStatements, 'statements' | 'spans'>,
): readonly AffectedSpan[] {
  const ofSource = statements.filter(({ by, isDoubted }) => isDoubted && by === stated.by)
  if (ofSource.length === 0 || stated.isCommit || stated.isDoubted) return []
  const doubted = new Set(ofSource.map(({ version }) => toVersionKey(version)))
  return spans.filter(
    (each) =>
      each.by !== stated.by &&
      each.isEndAffected &&
      doubted.has(toVersionKey(each.end)) &&
      mayShareScope(each, stated) &&
      (each.start === null || isBefore(each.start, stated.version)) &&
      isBefore(stated.version, each.end),
  )
}

type Scope = Pick<AffectedSpan, 'platform' | 'edition'>

function mayShareScope(a: Scope, b: Scope): boolean {
  const mayBeSame = (one?: string, other?: string) => one === undefined || other === undefined || one === other
  return mayBeSame(a.platform, b.platform) && mayBeSame(a.edition, b.edition)
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

function isSameVersion(a: string, b: string): boolean {
  return toVersionKey(a) === toVersionKey(b) || compareVersions(a, b) === 0
}

function isBefore(version: string, later: string): boolean {
  return (compareVersions(version, later) ?? 1) < 0
}
