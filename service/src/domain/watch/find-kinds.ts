// Decides what a watch tells about one change of a CVE, from whether the CVE was in the search before the change and is
// after it.
import type { ChangeCause, Diff } from '../change/change.ts'
import { EXPLOIT_MATURITIES, type ExploitMaturity, rankMaturity } from '../exploitation/exploit-maturity.ts'
import { isTypeKind, type WatchKind } from './kinds.ts'

export interface WatchedChange {
  readonly types: readonly string[]
  readonly diff: Diff | null
  readonly cause: ChangeCause
}

/** Whether the CVE was in the search before the change, and is after it. */
export interface Membership {
  readonly before: boolean
  readonly after: boolean
}

/** A cause of our own: upstream data did not change. */
export type OwnCause = Exclude<ChangeCause, 'data'>

/** The release of a new EPSS model moves nearly every score, so what moves with it counts as our own change. */
export function findOwnCause({ types, cause }: Pick<WatchedChange, 'types' | 'cause'>): OwnCause | undefined {
  if (types.includes('epss_model_changed')) return 'epss_model'
  return cause === 'data' ? undefined : cause
}

/** All words of `on` that apply, whatever the watch asks for. A change of our own gives `exploited` alone. */
export function findKinds(change: WatchedChange, { before, after }: Membership): readonly WatchKind[] {
  const exploited: readonly WatchKind[] = after && becomesExploited(change) ? ['exploited'] : []
  if (findOwnCause(change) !== undefined) return exploited
  if (!after) return before ? ['left'] : []
  return [
    ...(before ? [] : (['entered'] as const)),
    ...exploited,
    ...findEpssKinds(change),
    ...change.types.filter(isTypeKind),
  ]
}

const EXPLOITED_TYPES = ['kev_added', 'eu_kev_added']
const ACTIVE_RANK = rankMaturity('active')

/** A CVE that is exploited when it is published enters; it does not become exploited. */
function becomesExploited({ types, diff }: WatchedChange): boolean {
  if (types.some((type) => EXPLOITED_TYPES.includes(type))) return true
  const maturity = diff?.['exploits.maturity']
  return maturity !== undefined && toRank(maturity.new) >= ACTIVE_RANK && toRank(maturity.new) > toRank(maturity.old)
}

function toRank(value: unknown): number {
  const maturity = EXPLOIT_MATURITIES.find((each): each is ExploitMaturity => each === value)
  return maturity === undefined ? 0 : rankMaturity(maturity)
}

function findEpssKinds({ types, diff }: WatchedChange): readonly WatchKind[] {
  const score = diff?.['epss.score']
  if (!types.includes('epss_jump') || score === undefined) return []
  return [Number(score.new) > Number(score.old) ? 'epss_rise' : 'epss_fall']
}
