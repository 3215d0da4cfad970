import { type ApiError, unavailable } from '../../../contract/response/errors.ts'
import type { KindQueue, TurnQueue, WorkKind } from './queue.ts'
import type { SharePolicy } from './share.ts'

/**
 * `share`: the account uses more than its fair share. `long`: long calls of other accounts did not end in time. `busy`:
 * no slot became free in time.
 */
export type TurnRefusal = 'share' | 'long' | 'busy'

interface RefusalState {
  readonly queue: TurnQueue
  readonly policy: SharePolicy
  readonly maxWaitMs: number
}

export function chooseRefusal(
  { queue, policy, maxWaitMs }: RefusalState,
  calls: KindQueue,
  waitedMs: number,
): TurnRefusal | undefined {
  const doOthersWait = queue.waiting > calls.account.waiting
  if (doOthersWait && policy.isOverShare(calls)) return 'share'
  if (waitedMs < maxWaitMs) return undefined
  if (policy.isOverShare(calls) || policy.isBlockedByOwnCalls(calls)) return 'share'
  return policy.isBlockedByLongCalls(calls) ? 'long' : 'busy'
}

const PLURALS: Readonly<Record<WorkKind, string>> = {
  record: 'calls for single CVEs',
  search: 'searches',
  batch: 'batch calls',
  account: 'usage calls',
}

export function refuse(kind: WorkKind, reason: TurnRefusal): ApiError {
  return unavailable(REASONS[reason](PLURALS[kind]))
}

const REASONS: Readonly<Record<TurnRefusal, (calls: string) => string>> = {
  share: (calls) => `This account's ${calls} use more than its share of the database right now.`,
  long: (calls) => `Too many long calls of other accounts run right now, and this account's ${calls} may be long too.`,
  busy: () => 'No database connection became free for this call in time.',
}
