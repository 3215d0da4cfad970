// Adds to each fixed version the sources that contradict it, and marks it as doubted.

import { isCsafVendor } from '../../../domain/source/csaf-sources.ts'
import { isWholeBranch } from '../../../domain/version/find-branches.ts'
import { parseSeries } from '../../../domain/version/version-form.ts'
import type { AffectedRange, Claim } from '../../model/claim.ts'
import type { Fix } from '../../model/resolved.ts'
import { isSupplier } from '../../sources/provider.ts'
import { FIX } from '../precedence.ts'
import { toVersionKey } from './affected-ends.ts'
import { type AffectedSpan, readAffectedSpans } from './affected-spans.ts'
import { findConcluded, findContradictions } from './contradictions.ts'
import type { FixStatement } from './fix-statements.ts'
import { isCalledFixed, listFixedInTexts } from './fixed-in-texts.ts'

export const MAX_RIVALS = 10
/** The statements about one product are compared with each other, so a record with thousands would be slow. */
const MAX_STATEMENTS = 200

export interface Checked extends FixStatement {
  /** Only ranges of the vendor that end with a later fixed version contain the version: it is a rival, or doubted. */
  readonly isOvertaken?: boolean
}

/** A doubted version never comes before another one. */
export function compareStatements(a: FixStatement, b: FixStatement): number {
  return Number(a.isDoubted) - Number(b.isDoubted) || rankSource(a) - rankSource(b)
}

/** CNAs, suppliers, MSRC and vendors with CSAF documents state what the vendor says. Other sources keep the order of the table FIX. */
function rankSource({ by, source }: Pick<FixStatement, 'by' | 'source'>): number {
  const isVendor = by.startsWith('cna:') || isSupplier(by) || source === 'msrc' || isCsafVendor(source)
  if (isVendor) return -1
  return FIX.includes(source) ? FIX.indexOf(source) : FIX.length
}

/** A version that its own source calls affected comes last. */
export function rankDoubt(fix: Pick<Fix, 'isDoubted' | 'contradictedBy' | 'by'>): number {
  return Number(fix.isDoubted) + Number(isContradictedByItself(fix))
}

function isContradictedByItself({ by, contradictedBy }: Pick<Fix, 'contradictedBy' | 'by'>): boolean {
  return contradictedBy.some((each) => each.by === by)
}

/**
 * A vendor's statements are compared only with the vendor's own ranges, but the ranges tell which product a name without
 * vendor means.
 */
export function mayBeContradicted(statements: readonly FixStatement[], claims: readonly Claim[]): boolean {
  if (
    statements.some(
      (each) => (each.vendor === '' && each.packageUrl === null) || (!each.isCommit && rankSource(each) >= 0),
    )
  )
    return true
  if (statements.some(({ isDoubted }) => isDoubted)) return true
  const fixed = new Set(statements.map(({ version }) => toVersionKey(version)))
  const isStart = ({ isAffected, version }: AffectedRange) =>
    isAffected && version !== null && fixed.has(toVersionKey(parseSeries(version)?.first ?? version))
  return claims.some(({ affected }) => affected.some(({ ranges }) => ranges.some(isStart)))
}

/** Some CNAs list thousands of single versions; most of them are no fixed versions. */
export function listSpans(claims: readonly Claim[], statements: readonly FixStatement[]): readonly AffectedSpan[] {
  const fixed = new Set(statements.map(({ version }) => toVersionKey(version)))
  const spans = claims
    .flatMap(readAffectedSpans)
    .filter((each) => !each.isStartOnly || fixed.has(toVersionKey(each.end)))
  if (spans.length <= MAX_STATEMENTS) return spans
  return spans.filter(({ start, end }) => start !== end || fixed.has(toVersionKey(end)))
}

/**
 * Keeps only the statements about fixes, and adds to each the sources that contradict it. A version that a text calls
 * fixed is not doubted.
 */
export function markContradicted(
  group: readonly (FixStatement | AffectedSpan)[],
  claims: readonly Claim[],
): readonly Checked[] {
  const statements = group.filter((each) => 'version' in each).slice(0, MAX_STATEMENTS)
  const spans = group.filter((each) => 'end' in each).slice(0, MAX_STATEMENTS)
  const checked = statements.map((each): Checked => {
    const found = [
      ...findContradictions(each, { statements, spans, rankSource }),
      ...findConcluded(each, { statements, spans }),
    ]
    if (found.length === 0 || isFixedInTexts(each, found, claims)) return each
    const isOvertaken = found.every(({ by, isEndAffected }) => by !== each.by && !isEndAffected)
    return { ...each, isDoubted: !isOvertaken, isOvertaken, contradictedBy: found.slice(0, MAX_RIVALS).map(toListed) }
  })
  const doubted = checked.map((each) => (isOfDoubtedKind(each, checked) ? { ...each, isDoubted: true } : each))
  return doubted.sort(compareStatements)
}

/** A text with `before` in it does not count if a range of the source begins with the version. */
function isFixedInTexts({ version }: FixStatement, found: readonly AffectedSpan[], claims: readonly Claim[]): boolean {
  const isStart = found.every(({ isStartOnly }) => isStartOnly)
  return claims.some((claim) =>
    isStart ? isCalledFixed(version, claim) : listFixedInTexts(claim).includes(toVersionKey(version)),
  )
}

/**
 * If the source writes whole branches as ranges whose ends it calls affected itself, as in `8.9.0.0 before 8.10.0.0`, its
 * other whole branches end with no fix either.
 */
function isOfDoubtedKind(stated: Checked, checked: readonly Checked[]): boolean {
  if (stated.isDoubted || !isWholeBranch(stated)) return false
  return checked.some((each) => each.by === stated.by && isContradictedByItself(each) && isWholeBranch(each))
}

function toListed({ end, by, time }: AffectedSpan): Fix['contradictedBy'][number] {
  return { version: end, by, time }
}
