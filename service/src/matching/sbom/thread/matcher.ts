// Matches components in a separate thread, so that ordinary calls never wait for a long document. The thread alternates
// between several small calls.
import type { MatchCall } from '../../answer/answer.ts'
import type { ComponentCves } from '../../find-cves.ts'
import type { ComponentSearch, ThreadSettings, WorkSize } from './messages.ts'
import { createThread, type Thread, type ThreadLimits } from './thread.ts'

export interface Matcher extends Omit<Thread, 'run'> {
  readonly estimate: (components: MatchCall['components'], signal: AbortSignal) => Promise<WorkSize>
  readonly match: (call: MatchCall, signal: AbortSignal) => Promise<readonly string[]>
  readonly find: (search: ComponentSearch, signal: AbortSignal) => Promise<ComponentCves>
}

/**
 * Terminating the thread would fail its other calls, so aborted work gets more time to end than in the document thread.
 */
export const MATCHER_LIMITS: ThreadLimits = { timeLimitMs: 9000, heapMegabytes: 192, abortGraceMs: 1000 }

export function createMatcher(settings: ThreadSettings, limits: ThreadLimits = MATCHER_LIMITS): Matcher {
  const { run, ...thread } = createThread(settings, limits)
  return {
    ...thread,
    estimate: async (components, signal) => (await run({ kind: 'estimate', components }, signal)).result,
    match: async (call, signal) => (await run({ kind: 'match', call }, signal)).pieces,
    find: async (search, signal) => (await run({ kind: 'find', search }, signal)).result,
  }
}
