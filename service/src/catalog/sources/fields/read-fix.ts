// Finds the first fixed version in a source's structured data.
import { unescapeLimit } from '../../../domain/cpe/cpe-value.ts'
import { isSeries, parseSeries } from '../../../domain/version/version-form.ts'
import { compareVersions } from '../../../domain/version/version-order.ts'
import type { Affected, AffectedRange, Claim, Configuration, Provider } from '../../model/claim.ts'
import type { FixEvidence } from '../../model/fix-evidence.ts'
import { listFixedMatches } from './fixed-matches.ts'

const IS_VERSION = /\d/
/** Matches prose such as `All versions < V5.4.0`. */
const IS_BEFORE = /^(?:all )?(?:versions? )?(?:before|prior to|earlier than|<(?!=)) ?(?:the )?(?:versions? )?v?\d/i
const MAX_PROSE_LENGTH = 80

interface NamedFix {
  readonly fix: FixEvidence | null
  readonly fixBy?: Provider
}

/** True if other sources contradict that the version, which the provider names, is fixed. */
export type IsDoubted = (version: string, by: Provider) => boolean

type FixSources = Pick<Claim, 'configurations' | 'configurationsBy' | 'affected' | 'description'>

/** Reads the fix from CPE matches, else from affected products. */
export function readFix({ configurations, configurationsBy, affected, description }: FixSources): NamedFix {
  const fix = fixInConfigurations(configurations, description)
  return fix === null ? fixInAffected(affected) : { fix, fixBy: configurationsBy }
}

export function fixInConfigurations(
  configurations: readonly Configuration[],
  description: string | null,
): FixEvidence | null {
  const [fixed] = listFixedMatches(configurations, description)
  return fixed === undefined ? null : toEvidence('versionEndExcluding', unescapeLimit(fixed.versionEndExcluding))
}

/** Versions come before commits: the Linux kernel lists both. */
function fixInAffected(affected: readonly Affected[]): NamedFix {
  return findFix(affected, ({ isCommit }) => !isCommit) ?? findFix(affected, () => true) ?? { fix: null }
}

function findFix(affected: readonly Affected[], isWanted: (range: AffectedRange) => boolean): NamedFix | undefined {
  for (const { by, ranges } of affected)
    for (const range of orderByAffected(ranges)) {
      const fix = isWanted(range) && !isOlderThanAffected(range, ranges) ? readEvidence(range) : null
      if (fix !== null) return { fix, fixBy: by }
    }
  return undefined
}

/**
 * The end of an affected range is a fix. An unaffected version may be one, or may be a later version that was never
 * affected.
 */
export function orderByAffected(ranges: readonly AffectedRange[]): readonly AffectedRange[] {
  return ranges.toSorted((a, b) => Number(b.isAffected) - Number(a.isAffected))
}

/** An unaffected range before every affected version contains no fix. */
export function isOlderThanAffected(range: AffectedRange, ranges: readonly AffectedRange[]): boolean {
  const { isAffected, version } = range
  if (isAffected || version === null || isFixOfBranch(range)) return false
  const affected = ranges.filter((each) => each.isAffected)
  return (
    affected.length > 0 &&
    affected.every((each) => each.version !== null && (compareVersions(version, each.version) ?? 1) < 0)
  )
}

/**
 * `6.1.103` to `6.1.*` begins inside a branch and extends to its end. Its first version is the fix for the branch: a
 * backport brought the flaw there, and the Linux kernel's CNA lists as affected only the mainline version that
 * introduced it.
 */
function isFixOfBranch({ version, lessThanOrEqual }: AffectedRange): boolean {
  const branch = lessThanOrEqual === null ? undefined : parseSeries(lessThanOrEqual)
  if (version === null || branch === undefined) return false
  return version.startsWith(`${branch.first}.`) && (compareVersions(version, branch.first) ?? 0) > 0
}

function toEvidence(member: Extract<FixEvidence, { kind: 'version' }>['member'], version: string): FixEvidence {
  return { kind: 'version', member, version }
}

function readEvidence({ isAffected, version, lessThan, fixedAt, endsBranch }: AffectedRange): FixEvidence | null {
  if (isAffected && fixedAt !== undefined) return toEvidence('changes.at', fixedAt)
  if (isAffected && lessThan !== null && !endsBranch && IS_VERSION.test(lessThan) && !isSeries(lessThan))
    return toEvidence('lessThan', lessThan)
  if (isAffected)
    return version !== null && IS_BEFORE.test(version)
      ? { kind: 'range-in-words', words: version.slice(0, MAX_PROSE_LENGTH) }
      : null
  // A product that is unaffected from version 0 onwards was never affected.
  if (version === null || !IS_VERSION.test(version) || version === '0') return null
  return isSeries(version) ? { kind: 'range-in-words', words: version } : toEvidence('unaffected', version)
}
