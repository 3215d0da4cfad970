// Versions in a CNA's words, as limits of a CPE match.
import type { Affected, AffectedRange, CpeMatch } from './statement.ts'

/** Which versions of a product: one, a range, or none of both for any version. */
export interface Limits {
  readonly version?: string
  readonly between?: Pick<CpeMatch, 'versionStartIncluding' | 'versionEndIncluding' | 'versionEndExcluding'>
}

export const ANY_VERSION: Limits = {}

const VERSION = /^[a-z]{0,8}[._-]?\d[\w.+~:()-]{0,62}$/i
const WILDCARD = /^(.*\d)\.[*x]$/i

/**
 * Versions in prose are not guessed at: the product is affected, in whatever version. Empty where only versions are
 * named that are not affected, or only commits.
 */
export function limitsOf({ ranges, isAffectedByDefault }: Affected): readonly Limits[] {
  if (ranges.length === 0) return [ANY_VERSION]
  const affected = ranges.filter((each) => each.isAffected && !each.isCommit)
  const bounded = affected.filter((each) => each.lessThan !== null || each.lessThanOrEqual !== null)
  if (!isAffectedByDefault) return affected.map(limitsOfRange)
  return bounded.length > 0 ? bounded.map(limitsOfRange) : [limitsByDefault(ranges)]
}

/** All versions are affected but those listed; where that is one range up to today, they end where it begins. */
function limitsByDefault(ranges: readonly AffectedRange[]): Limits {
  const [range, ...others] = ranges.filter(({ isAffected }) => !isAffected)
  const start = range === undefined || range.isCommit || others.length > 0 ? undefined : versionOf(range.version)
  const isOpen = range !== undefined && versionOf(range.lessThan ?? range.lessThanOrEqual) === undefined
  return isOpen && start !== undefined ? { between: { versionEndExcluding: start } } : ANY_VERSION
}

function limitsOfRange({ version, lessThan, lessThanOrEqual }: AffectedRange): Limits {
  const start = versionOf(version)
  if (lessThan !== null) return between(start, afterWildcard(lessThan) ?? versionOf(lessThan), undefined)
  const after = lessThanOrEqual === null ? undefined : afterWildcard(lessThanOrEqual)
  if (lessThanOrEqual !== null) return between(start, after, versionOf(lessThanOrEqual))
  const next = version === null ? undefined : afterWildcard(version)
  if (next !== undefined) return between(version?.replace(WILDCARD, '$1'), next, undefined)
  return start === undefined ? ANY_VERSION : { version: start }
}

function between(
  start: string | undefined,
  endExcluding: string | undefined,
  endIncluding: string | undefined,
): Limits {
  if (start === undefined && endExcluding === undefined && endIncluding === undefined) return ANY_VERSION
  return {
    between: {
      ...(start !== undefined && start !== '0' && { versionStartIncluding: start }),
      ...(endIncluding !== undefined && endExcluding === undefined && { versionEndIncluding: endIncluding }),
      ...(endExcluding !== undefined && { versionEndExcluding: endExcluding }),
    },
  }
}

/** Undefined for `*`, `n/a`, `unspecified` and prose. */
function versionOf(text: string | null): string | undefined {
  if (text === null || !VERSION.test(text) || WILDCARD.test(text)) return undefined
  return /^v\d/i.test(text) ? text.slice(1) : text
}

/** `6.1.*` ends before 6.2. */
function afterWildcard(text: string): string | undefined {
  const stem = WILDCARD.exec(text)?.[1]
  const last = stem === undefined ? undefined : /\d+$/.exec(stem)?.[0]
  if (stem === undefined || last === undefined || last.length > 9) return undefined
  return `${stem.slice(0, -last.length).replace(/^v(?=\d)/i, '')}${Number(last) + 1}`
}
