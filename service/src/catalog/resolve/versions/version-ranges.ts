// Converts a CNA's version ranges to the limits of a CPE match.
import { isBuildOf, isCommitHash, isUnreadable, isVersion, parseSeries } from '../../../domain/version/version-form.ts'
import { compareVersions } from '../../../domain/version/version-order.ts'
import type { Affected, AffectedRange, CpeMatch } from '../../model/claim.ts'
import { findGaps, type Gap, type UnaffectedRange } from './version-gaps.ts'

/** A single version, a range, or any version if both are absent. */
export interface VersionLimits {
  readonly version?: string
  /** Update of the version, such as `p2` in `3.2.0 p2`. */
  readonly update?: string
  readonly between?: Pick<CpeMatch, `version${'Start' | 'End'}${'Including' | 'Excluding'}`>
  /** The first unaffected version after `versionEndIncluding`. */
  readonly fixedAt?: string
  /** `versionEndExcluding` is the start of the next branch, which can be affected too. */
  readonly endsBranch?: true
  /** The source names versions, or a start or end of a range, in a form that cannot be read. */
  readonly isUnknown?: true
  /** The limits are not those that the source writes, but follow from them, as in `5.x`. */
  readonly isDerived?: true
}

export const ANY_VERSION: VersionLimits = {}

const UNKNOWN_VERSIONS: VersionLimits = { isUnknown: true }

/**
 * A version that cannot be parsed does not limit the range, and the limits are marked as unknown. Returns an empty list if the ranges name only unaffected
 * versions, versions of unknown status, or commits. Ranges of a package inside the product say nothing about the
 * product's versions, so any version of the product is affected.
 */
export function toVersionLimits(affected: Affected): readonly VersionLimits[] {
  const limits = readVersionLimits(affected)
  return affected.areVersionsOfPackage && limits.length > 0 ? [ANY_VERSION] : limits
}

/** False for the many products that CNAs list only to say that they are not affected. */
export function isAffectedAtAll(affected: Affected): boolean {
  return affected.ranges.some((each) => each.isAffected) || readVersionLimits(affected).length > 0
}

/** The source names the product and says that it does not know whether it is affected. */
export function isStatusUnknown({ ranges, isAffectedByDefault, isUnaffectedByDefault }: Affected): boolean {
  return ranges.length === 0 && isAffectedByDefault === false && !isUnaffectedByDefault
}

function readVersionLimits({ ranges, isAffectedByDefault }: Affected): readonly VersionLimits[] {
  if (ranges.length === 0) return listWithoutVersions(isAffectedByDefault)
  const affected = ranges.filter((each) => each.isAffected && !each.isCommit)
  const toLimits = (each: AffectedRange) =>
    affected.length > 1 && isEmpty(each) ? UNKNOWN_VERSIONS : toRangeLimits(each)
  if (!isAffectedByDefault) return affected.map(toLimits)
  // Even with defaultStatus `affected`, a CNA can state where the affected versions end: then only the listed ranges
  // count.
  const isBounded = affected.some((each) => each.lessThan !== null || each.lessThanOrEqual !== null)
  return isBounded ? affected.map(toLimits) : invertRanges(ranges)
}

/**
 * True for `7.3` before `7.3.0`. Alone, such a range means every version before 7.3.0; beside the ranges of other
 * branches, nobody knows what it means.
 */
function isEmpty({ version, lessThan }: AffectedRange): boolean {
  return version !== null && lessThan !== null && version !== '0' && isSameVersion(version, lessThan)
}

/** A source that gives neither versions nor a default does not say which versions are affected. */
function listWithoutVersions(isAffectedByDefault: boolean | undefined): readonly VersionLimits[] {
  if (isAffectedByDefault === undefined) return [UNKNOWN_VERSIONS]
  return isAffectedByDefault ? [ANY_VERSION] : []
}

/** Every version is affected, except those in the listed unaffected ranges. */
function invertRanges(listed: readonly AffectedRange[]): readonly VersionLimits[] {
  const unaffected = listed.filter((each) => !each.isAffected && !each.isCommit)
  const branches = toFixedBranches(unaffected)
  const ranges = branches ?? unaffected.map(toUnaffectedRange)
  const gaps = ranges.every((each) => each !== undefined) ? findGaps(ranges) : undefined
  if (gaps === undefined) return [{ ...limitToAffectedSpan(unaffected), isDerived: true }]
  const limits = gaps.map(toGapLimits)
  return branches === undefined ? limits : limits.map((each) => ({ ...each, isDerived: true as const }))
}

/** At least three numbers: all but the last name the branch. */
const IN_BRANCH = /^(\d{1,9}(?:\.\d{1,9}){0,8})\.(\d{1,9})\.\d{1,9}$/

/**
 * Single unaffected versions, such as `1.3.2, 1.4.4, 4.0.4`, are the first fixed versions of their branches: versions
 * from 1.3.2 up to 1.4 are unaffected, and so are all versions after the last one. Returns undefined for other lists.
 */
function toFixedBranches(unaffected: readonly AffectedRange[]): readonly UnaffectedRange[] | undefined {
  if (unaffected.length < 2) return undefined
  const ranges: UnaffectedRange[] = []
  for (const { version, lessThan, lessThanOrEqual } of unaffected) {
    const [, stem, last] = IN_BRANCH.exec(version ?? '') ?? []
    if (version === null || stem === undefined || lessThan !== null || lessThanOrEqual !== null) return undefined
    // Leading zeros are kept: 23.04 is followed by 23.05.
    const next = String(Number(last) + 1).padStart(last?.length ?? 0, '0')
    ranges.push({ start: version, end: `${stem}.${next}`, isEndIncluded: false })
  }
  const sorted = ranges.sort((a, b) => compareVersions(a.start, b.start) ?? 0)
  return sorted.map((each, index) => (index === sorted.length - 1 ? { ...each, end: null } : each))
}

/** Returns undefined if an end is missing or cannot be parsed, or for an empty range such as `2022 SU3 < 2022 SU3`. */
function toUnaffectedRange({ version, lessThan, lessThanOrEqual }: AffectedRange): UnaffectedRange | undefined {
  const start = startsAtFirstVersion(version) ? '0' : parseVersion(version)
  const end = lessThan ?? lessThanOrEqual
  if (start === undefined || end === null) return undefined
  if (end === '*') return { start, end: null, isEndIncluded: false }
  const next = nextAfterSeries(end)
  const last = next ?? parseVersion(end)
  const isEndIncluded = lessThan === null && next === undefined
  if (last === undefined || (!isEndIncluded && isSameVersion(start, last))) return undefined
  return { start, end: last, isEndIncluded }
}

/** Words that CNAs write in place of a start that they do not give. */
const PLACEHOLDER = /^(?:-|n\/?a|none|unknown|unspecified|not (?:specified|applicable|available))$/i

function isPlaceholder(version: string): boolean {
  return PLACEHOLDER.test(version)
}

function startsAtFirstVersion(version: string | null): boolean {
  return version === null || version === '0' || version === '*' || /^unspecified$/i.test(version)
}

function toGapLimits({ start, isStartIncluded, end }: Gap): VersionLimits {
  if (isStartIncluded || start === '0') return between(start, end ?? undefined, undefined)
  return { between: { versionStartExcluding: start, ...(end !== null && { versionEndExcluding: end }) } }
}

/** Used if the order of versions is not known: one range from the first to the last affected version. */
function limitToAffectedSpan(unaffected: readonly AffectedRange[]): VersionLimits {
  const before = unaffected.find(
    ({ version, lessThan }) => startsAtFirstVersion(version) && parseVersion(lessThan) !== undefined,
  )
  const [after, ...others] = unaffected.filter(hasNoEnd)
  const end = after === undefined || others.length > 0 ? undefined : parseVersion(after.version)
  return between(parseVersion(before?.lessThan ?? null), end === '0' ? undefined : end, undefined)
}

function hasNoEnd({ lessThan, lessThanOrEqual }: AffectedRange): boolean {
  const end = lessThan ?? lessThanOrEqual
  return end === null || (parseVersion(end) ?? nextAfterSeries(end)) === undefined
}

/** Texts that are not versions do not limit the range, and the limits are marked as unknown. */
export function toRangeLimits(range: AffectedRange): VersionLimits {
  const limits = readRangeLimits(range)
  const isUnknown = hasUnreadableLimit(range)
  const isDerived = range.isDerived === true || isWrittenDifferently(range)
  const fixedAt = limits.between?.versionEndIncluding === undefined ? undefined : findLaterFix(range)
  const endsBranch = limits.between?.versionEndExcluding !== undefined && isEndOfBranch(range)
  if (!isUnknown && !isDerived && !endsBranch && fixedAt === undefined) return limits
  return {
    ...limits,
    ...(fixedAt !== undefined && { fixedAt }),
    ...(endsBranch && { endsBranch }),
    ...(isUnknown && { isUnknown }),
    ...(isDerived && { isDerived }),
  }
}

/** A commit or the name of a patch cannot be installed as a version. */
function findLaterFix({ fixedAt }: AffectedRange): string | undefined {
  return fixedAt !== undefined && isVersion(fixedAt) && !isCommitHash(fixedAt) ? withoutV(fixedAt) : undefined
}

/** A word such as `unspecified` in place of the start stands for the first version. */
export function hasUnreadableLimit({ version, lessThan, lessThanOrEqual, isCommit }: AffectedRange): boolean {
  if (isCommit) return false
  const end = lessThan ?? lessThanOrEqual
  if (end !== null && isUnreadable(end) && !isBuildOf(end, version ?? '')) return true
  if (version === null || !isUnreadable(version)) return false
  return end === null || !isPlaceholder(version)
}

/** True for `16.x` and for `16.0` through `16.*`: no source calls 17 fixed. */
function isEndOfBranch(range: AffectedRange): boolean {
  return range.endsBranch === true || nextAfterSeries(readLast(range)) !== undefined
}

function readLast({ version, lessThan, lessThanOrEqual }: AffectedRange): string {
  return lessThan ?? lessThanOrEqual ?? version ?? ''
}

/** True for the series `5.x`, and for a start that equals the end, which is ignored. */
function isWrittenDifferently(range: AffectedRange): boolean {
  return parseSeries(readLast(range)) !== undefined || isEmpty(range)
}

/** Returns no limits if the texts are not versions. */
function readRangeLimits({ version, lessThan, lessThanOrEqual }: AffectedRange): VersionLimits {
  // `2022.1.2` to `2022.1.2 (Patch)` are builds of one version.
  if (version !== null && isBuildOf(lessThan ?? lessThanOrEqual ?? '', version)) return toSingleVersion(version)
  const series = version === null ? undefined : parseSeries(version)
  const start = series === undefined ? parseVersion(version) : withoutV(series.first)
  if (lessThan !== null) return between(start, nextAfterSeries(lessThan) ?? parseVersion(lessThan), undefined)
  const after = lessThanOrEqual === null ? undefined : nextAfterSeries(lessThanOrEqual)
  if (lessThanOrEqual !== null) return between(start, after, parseVersion(lessThanOrEqual))
  if (series?.next !== undefined) return between(start, withoutV(series.next), undefined)
  return version === null || start === undefined ? ANY_VERSION : toSingleVersion(version)
}

/**
 * Splits `3.2.0 p2` into version and update, as NVD does. Words before a version, as in `SAP_BASIS 731`, belong to it.
 */
function toSingleVersion(text: string): VersionLimits {
  const [, version = text, update] = /^(v?\d\S*) (.+)$/i.exec(text) ?? []
  const limits = { version: joinWords(withoutV(version)) }
  return update === undefined ? limits : { ...limits, update: joinWords(update) }
}

function between(
  start: string | undefined,
  endExcluding: string | undefined,
  endIncluding: string | undefined,
): VersionLimits {
  // Some CNAs write the fixed version into both `version` and `lessThan`. If the start were not ignored, the range
  // would be empty.
  const isStart = start !== undefined && start !== '0' && !isSameVersion(start, endExcluding)
  if (!isStart && endExcluding === undefined && endIncluding === undefined) return ANY_VERSION
  return {
    between: {
      ...(isStart && { versionStartIncluding: start }),
      ...(endIncluding !== undefined && endExcluding === undefined && { versionEndIncluding: endIncluding }),
      ...(endExcluding !== undefined && { versionEndExcluding: endExcluding }),
    },
  }
}

function isSameVersion(start: string, end: string | undefined): boolean {
  return end !== undefined && (start === end || compareVersions(start, end) === 0)
}

/** Returns undefined for `*`, `n/a`, `unspecified`, commit hashes and prose. */
function parseVersion(text: string | null): string | undefined {
  if (text === null || !isVersion(text) || isCommitHash(text)) return undefined
  return joinWords(withoutV(text))
}

/** Returns 6.2 for `6.1.*`. */
function nextAfterSeries(text: string): string | undefined {
  const next = parseSeries(text)?.next
  return next === undefined ? undefined : withoutV(next)
}

function joinWords(version: string): string {
  return version.includes(' ') ? version.replaceAll(/ +/g, '_') : version
}

function withoutV(version: string): string {
  return /^v\.?\d/i.test(version) ? version.replace(/^v\.?/i, '') : version
}
