// Versions in a CNA's words, as limits of a CPE match.

import type { Affected, AffectedRange, CpeMatch } from '../model/claim.ts'
import { type Gap, gapsBetween, type Stretch } from './version-gaps.ts'

/** Which versions of a product: one, a range, or none of both for any version. */
export interface Limits {
  readonly version?: string
  readonly between?: Omit<CpeMatch, 'vulnerable' | 'criteria' | 'matchCriteriaId'>
}

export const ANY_VERSION: Limits = {}

const VERSION = /^[a-z]{0,8}[._-]?\d[\w.+~:()-]{0,62}$/i
const WILDCARD = /^(.*\d)\.[*x]$/i

/** Longer ones are no versions, and would take long to search. */
const MAX_LENGTH = 64

/**
 * Versions in prose are not guessed at: the product is affected, in whatever version. Empty where only versions are
 * named that are not affected, or of which nothing is known, or only commits.
 */
export function limitsOf(affected: Affected): readonly Limits[] {
  const limits = limitsSaid(affected)
  return affected.areVersionsOfPackage && limits.length > 0 ? [ANY_VERSION] : limits
}

/** Whether any version or commit of it is affected: many are listed only to say that they are not. */
export function isAffectedAtAll(affected: Affected): boolean {
  return affected.ranges.some((each) => each.isAffected) || limitsSaid(affected).length > 0
}

function limitsSaid({ ranges, isAffectedByDefault }: Affected): readonly Limits[] {
  if (ranges.length === 0) return isAffectedByDefault === false ? [] : [ANY_VERSION]
  const affected = ranges.filter((each) => each.isAffected && !each.isCommit)
  if (!isAffectedByDefault) return affected.map(limitsOfRange)
  // Whoever says where the affected versions end does not mean all the others by the default.
  const bounded = affected.filter((each) => each.lessThan !== null || each.lessThanOrEqual !== null)
  return bounded.length > 0 ? bounded.map(limitsOfRange) : limitsByDefault(ranges)
}

/** All versions are affected but those listed. */
function limitsByDefault(ranges: readonly AffectedRange[]): readonly Limits[] {
  const unaffected = ranges.filter((each) => !each.isAffected && !each.isCommit)
  const stretches = unaffected.map(stretchOf)
  const gaps = stretches.every((each) => each !== undefined) ? gapsBetween(stretches) : undefined
  return gaps?.map(limitsOfGap) ?? [limitsAround(unaffected)]
}

/** Undefined where it is not said to where. */
function stretchOf({ version, lessThan, lessThanOrEqual }: AffectedRange): Stretch | undefined {
  const start = isFromTheFirst(version) ? '0' : versionOf(version)
  const end = lessThan ?? lessThanOrEqual
  if (start === undefined || end === null) return undefined
  if (end === '*') return { start, end: null, isEndIncluded: false }
  const after = afterWildcard(end)
  const last = after ?? versionOf(end)
  return last === undefined ? undefined : { start, end: last, isEndIncluded: lessThan === null && after === undefined }
}

function isFromTheFirst(version: string | null): boolean {
  return version === null || version === '0' || version === '*' || /^unspecified$/i.test(version)
}

function limitsOfGap({ start, isStartIncluded, end }: Gap): Limits {
  if (isStartIncluded || start === '0') return between(start, end ?? undefined, undefined)
  return { between: { versionStartExcluding: start, ...(end !== null && { versionEndExcluding: end }) } }
}

/** Where not every end is a number: from where the first are affected to where the last are. */
function limitsAround(unaffected: readonly AffectedRange[]): Limits {
  const before = unaffected.find(
    ({ version, lessThan }) => isFromTheFirst(version) && versionOf(lessThan) !== undefined,
  )
  const [after, ...others] = unaffected.filter(hasNoEnd)
  const end = after === undefined || others.length > 0 ? undefined : versionOf(after.version)
  return between(versionOf(before?.lessThan ?? null), end === '0' ? undefined : end, undefined)
}

function hasNoEnd({ lessThan, lessThanOrEqual }: AffectedRange): boolean {
  const end = lessThan ?? lessThanOrEqual
  return end === null || (versionOf(end) ?? afterWildcard(end)) === undefined
}

function limitsOfRange({ version, lessThan, lessThanOrEqual }: AffectedRange): Limits {
  const start = versionOf(version) ?? seriesOf(version)
  if (lessThan !== null) return between(start, afterWildcard(lessThan) ?? versionOf(lessThan), undefined)
  const after = lessThanOrEqual === null ? undefined : afterWildcard(lessThanOrEqual)
  if (lessThanOrEqual !== null) return between(start, after, versionOf(lessThanOrEqual))
  const next = version === null ? undefined : afterWildcard(version)
  if (next !== undefined) return between(start, next, undefined)
  return start === undefined ? ANY_VERSION : { version: start }
}

function between(
  start: string | undefined,
  endExcluding: string | undefined,
  endIncluding: string | undefined,
): Limits {
  // Some say only where it was fixed, in both members: a range from there to there would hold nothing.
  const isStart = start !== undefined && start !== '0' && start !== endExcluding
  if (!isStart && endExcluding === undefined && endIncluding === undefined) return ANY_VERSION
  return {
    between: {
      ...(isStart && { versionStartIncluding: start }),
      ...(endIncluding !== undefined && endExcluding === undefined && { versionEndIncluding: endIncluding }),
      ...(endExcluding !== undefined && { versionEndExcluding: endExcluding }),
    },
  }
}

/** Undefined for `*`, `n/a`, `unspecified` and prose. */
function versionOf(text: string | null): string | undefined {
  if (text === null || !VERSION.test(text) || WILDCARD.test(text)) return undefined
  return withoutV(text)
}

/** `6.1.*` begins with 6.1. */
function seriesOf(text: string | null): string | undefined {
  const stem = text === null || text.length > MAX_LENGTH ? undefined : WILDCARD.exec(text)?.[1]
  return stem === undefined ? undefined : versionOf(stem)
}

/** `6.1.*` ends before 6.2. */
function afterWildcard(text: string): string | undefined {
  const stem = text.length > MAX_LENGTH ? undefined : WILDCARD.exec(text)?.[1]
  const last = stem === undefined ? undefined : /\d+$/.exec(stem)?.[0]
  if (stem === undefined || last === undefined || last.length > 9) return undefined
  return withoutV(`${stem.slice(0, -last.length)}${Number(last) + 1}`)
}

function withoutV(version: string): string {
  return /^v\d/i.test(version) ? version.slice(1) : version
}
