// Drops commit hashes from CPE matches. They are not versions: hashes have no order, and no inventory lists them.
import { formatCpe, parseCpe } from '../../../domain/cpe/cpe.ts'
import { ANY, unescapeCpeValue } from '../../../domain/cpe/cpe-value.ts'
import { isCommitHash } from '../../../domain/version/version-form.ts'
import type { CpeMatch } from '../../model/claim.ts'

/** A cheap test, so that only a few names have to be parsed. */
const HASH_IN_NAME = /:[\da-f]{7,64}:/

const LIMITS = ['versionStartIncluding', 'versionStartExcluding', 'versionEndIncluding', 'versionEndExcluding'] as const

export function isLimitedByCommits(match: CpeMatch): boolean {
  return LIMITS.some((each) => isCommitHash(match[each] ?? '')) || hasCommitVersion(match)
}

function hasCommitVersion({ criteria }: CpeMatch): boolean {
  return HASH_IN_NAME.test(criteria) && isCommitHash(unescapeCpeValue(parseCpe(criteria)?.version ?? ANY) ?? '')
}

/** If no other limit is left, the match covers any version and is marked as `byCommits`. */
export function dropCommits(match: CpeMatch): CpeMatch {
  if (!isLimitedByCommits(match)) return match
  const name = parseCpe(match.criteria)
  const criteria = name && hasCommitVersion(match) ? formatCpe({ ...name, version: ANY }) : match.criteria
  const { versionStartIncluding, versionStartExcluding, versionEndIncluding, versionEndExcluding, ...others } = match
  const limits = {
    ...keepVersion('versionStartIncluding', versionStartIncluding),
    ...keepVersion('versionStartExcluding', versionStartExcluding),
    ...keepVersion('versionEndIncluding', versionEndIncluding),
    ...keepVersion('versionEndExcluding', versionEndExcluding),
  }
  const isUnlimited = Object.keys(limits).length === 0
  return { ...others, criteria, ...limits, ...(isUnlimited && { byCommits: true as const }) }
}

function keepVersion(member: (typeof LIMITS)[number], version: string | undefined): Partial<CpeMatch> {
  return version === undefined || isCommitHash(version) ? {} : { [member]: version }
}
