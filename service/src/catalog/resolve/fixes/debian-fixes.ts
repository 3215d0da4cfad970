// Reads the fixed versions of Debian's packages, which are listed by release.
import type { DebianStatus } from '../../model/source-data.ts'
import type { FixStatement } from './fix-statements.ts'

/** The tracker writes version 0 for a release that never had the vulnerability. */
const NEVER_AFFECTED = '0'

/** True if the release has, or had, a version of the package with the vulnerability. */
export function isAffected({ status, fixedVersion }: DebianStatus): boolean {
  return status === 'open' || (status === 'resolved' && fixedVersion !== NEVER_AFFECTED)
}

export function readDebianFixes(states: readonly DebianStatus[]): readonly FixStatement[] {
  return states.flatMap(({ package: product, release, status, fixedVersion }) => {
    if (status !== 'resolved' || fixedVersion === null || fixedVersion === NEVER_AFFECTED) return []
    const name = { vendor: `Debian:${release}`, product, packageUrl: `pkg:deb/debian/${encodeURIComponent(product)}` }
    return [{ ...FIX, ...name, version: fixedVersion }]
  })
}

const FIX: Omit<FixStatement, 'vendor' | 'product' | 'packageUrl' | 'version'> = {
  source: 'debian',
  by: 'debian',
  time: null,
  member: 'fixed',
  isCommit: false,
  start: null,
  series: null,
  isRedistributed: true,
  isDoubted: false,
  contradictedBy: [],
}
