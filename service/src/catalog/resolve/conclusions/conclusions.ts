// Draws conclusions where sources contradict each other about affected versions (decision E31).
import type { Claim } from '../../model/claim.ts'
import type { AffectedVersion, Conclusion } from '../../model/conclusion.ts'
import type { IsDoubted } from '../../sources/fields/read-fix.ts'
import { toVersionKey } from '../fixes/affected-ends.ts'
import { concludeAgainstAdp } from './adp-limits.ts'
import { findAffectedFixes } from './affected-fixes.ts'

export function drawConclusions(claims: readonly Claim[]): readonly Conclusion[] {
  const againstAdp = concludeAgainstAdp(claims)
  const others = findAffectedFixes(claims).filter((each) => !againstAdp.some((known) => isRepeated(each, known)))
  return [...againstAdp, ...others]
}

/** True if the other conclusion is about the same version and contradicts the same providers. */
function isRepeated({ version, against }: AffectedVersion, other: Conclusion): boolean {
  return other.kind === 'affected' && other.version === version && against.every((by) => other.against.includes(by))
}

/** Returns undefined if no fixed version is doubted. */
export function createDoubt(conclusions: readonly Conclusion[]): IsDoubted | undefined {
  const affected = conclusions.filter((each) => each.kind === 'affected')
  if (affected.length === 0) return undefined
  return (version, by) => {
    const key = toVersionKey(version)
    return affected.some((each) => each.version === key && each.against.includes(by))
  }
}
