// Finds the lowest later version in the branch of a component's fix without a known urgent hit (decision E36). Each
// candidate is judged like the component itself, with every CVE of the product.
import type { UncleanReason } from '../../domain/match-words.ts'
import { listRanks } from '../../domain/priority/policy.ts'
import { isInBranch } from '../../domain/version/find-branches.ts'
import { findFixBranch } from '../judge/fix-branch.ts'
import type { Hit, JudgedComponent } from '../judge/judge.ts'
import { listCandidates, MAX_CANDIDATES, MAX_JUDGED } from '../judge/upgrade.ts'
import { isDivided } from '../versions/divided-range.ts'
import { placeRow } from '../versions/place-version.ts'
import { type PreparedRow, probeVersion } from '../versions/product-rows.ts'
import type { ListedHit, PlanInputs } from './plan-fix.ts'

export interface CleanVersion {
  readonly version: string | null
  /** The branch within which versions were compared; null if no source shows one. */
  readonly branch: string | null
  readonly reason: UncleanReason | null
}

const LEAST_URGENT_RANK = listRanks('P2').min

export async function findCleanVersion(
  judged: JudgedComponent,
  { matches, versions, addSubjects }: PlanInputs,
): Promise<CleanVersion> {
  const { component, product } = judged
  const urgent = selectUrgent(matches)
  const branch = findOwnBranch(judged, urgent)
  const scheme = urgent.find(({ row }) => row.scheme !== 'commit')?.row.scheme
  if (urgent.length === 0) return { version: null, branch, reason: 'no_urgent_match' }
  if (scheme === undefined || scheme === 'commit' || component.version === null)
    return { version: null, branch, reason: 'unordered' }
  const current = probeVersion(product, component.version)
  const blocking = urgent.map(({ prepared }) => prepared).filter(isFirm)
  let left = MAX_JUDGED
  for (const candidate of listCandidates(judged, current, scheme).slice(0, MAX_CANDIDATES)) {
    if (branch !== null && !isInBranch(candidate.version, branch)) continue
    const version = { text: candidate.version, base: candidate.version, update: null }
    const probe = probeVersion(product, version)
    if (blocking.some((row) => placeRow(row, probe) === 'inside' && !isDivided(row, probe))) continue
    const known = versions.get(candidate.version)
    if (known === undefined && left === 0) return { version: null, branch, reason: 'too_many' }
    if (known === undefined) left -= 1
    const { listed, hasUnordered } = known ?? (await versions.judge(candidate.version))
    const reached = selectUrgent(await addSubjects(listed))
    if (reached.length > 0) blocking.push(...reached.map(({ prepared }) => prepared).filter(isFirm))
    else if (hasUnordered) return { version: null, branch, reason: 'unordered' }
    else return { version: candidate.version, branch, reason: null }
  }
  return { version: null, branch, reason: 'none_known' }
}

function selectUrgent(hits: readonly ListedHit[]): readonly ListedHit[] {
  return hits.filter(({ subject }) => (subject.rank ?? -1) >= LEAST_URGENT_RANK)
}

function isFirm({ mayEndEarlier }: PreparedRow): boolean {
  return !mayEndEarlier
}

/** The branch of the most urgent fix to which the component's version belongs. */
function findOwnBranch({ component: { version } }: JudgedComponent, urgent: readonly Hit[]): string | null {
  if (version === null) return null
  for (const { fixes } of urgent)
    for (const fix of fixes) {
      const branch = findFixBranch(fix)
      if (branch !== null && isInBranch(version.text, branch)) return branch
    }
  return null
}
