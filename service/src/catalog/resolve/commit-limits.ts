// CPE matches whose versions are commit hashes. A commit hash is not a version: hashes have no order, and no inventory
// lists them.
import { formatCpe, parseCpe } from '../../domain/cpe.ts'
import { ANY, unescapeCpeValue } from '../../domain/cpe-value.ts'
import { isCommitHash } from '../../domain/version-form.ts'
import type { CpeMatch } from '../model/claim.ts'

/** Finds candidates for a hash as the version of a CPE name, so that few names must be parsed. */
const HASH_IN_NAME = /:[\da-f]{7,64}:/

/** Returns whether a limit or the version of the match is a commit hash. */
export function isLimitedByCommits(match: CpeMatch): boolean {
  return (
    isCommitHash(match.versionStartIncluding ?? '') ||
    isCommitHash(match.versionStartExcluding ?? '') ||
    isCommitHash(match.versionEndIncluding ?? '') ||
    isCommitHash(match.versionEndExcluding ?? '') ||
    hasCommitVersion(match)
  )
}

function hasCommitVersion({ criteria }: CpeMatch): boolean {
  return HASH_IN_NAME.test(criteria) && isCommitHash(unescapeCpeValue(parseCpe(criteria)?.version ?? ANY) ?? '')
}

/** Removes limits by commits from a match and marks it, because it then covers any version. Returns other matches as is. */
export function dropCommits(match: CpeMatch): CpeMatch {
  if (!isLimitedByCommits(match)) return match
  const name = parseCpe(match.criteria)
  const { matchCriteriaId, vulnerable } = match
  const criteria = name && hasCommitVersion(match) ? formatCpe({ ...name, version: ANY }) : match.criteria
  const byCommits = true
  return { vulnerable, criteria, ...(matchCriteriaId !== undefined && { matchCriteriaId }), byCommits }
}
