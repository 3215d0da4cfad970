// The attacks of the isolation measurements.
import type { Plan } from '../../../src/domain/plan.ts'
import type { AttackTask } from './attacker.ts'

export interface Attack {
  readonly plan: Plan
  readonly accounts: number
  readonly calls: AttackTask['calls']
  /** Concurrent calls of each account. */
  readonly concurrency: number
  readonly burstEveryMs?: number
}

export const ATTACKS = {
  search: { plan: 'pro', accounts: 1, calls: 'searches', concurrency: 64 },
  batch: { plan: 'pro', accounts: 1, calls: 'batches', concurrency: 32 },
  'batch-gzip': { plan: 'pro', accounts: 1, calls: 'gzip batches', concurrency: 32 },
  // The free plan allows 60 calls per minute. Bursts follow each other after a little more than a minute, so that the
  // rate limit accepts every call of the next burst.
  burst: { plan: 'free', accounts: 5, calls: 'slowest searches', concurrency: 60, burstEveryMs: 60_500 },
} as const satisfies Record<string, Attack>

export type AttackName = keyof typeof ATTACKS

export const ATTACK_NAMES = Object.keys(ATTACKS) as AttackName[]
