// Limits of concurrent lookups of API keys and of sessions in the accounts database. Lookups of keys and sessions that the node
// has not seen before may be guesses: networks take turns, so that the guesses of one network do not keep the callers of
// others waiting. Lookups of known ones never wait for them, and sessions never delay programs.
import type { LookupLimits } from '../../accounts/keys/caller-cache.ts'
import { createSemaphore, SemaphoreFullError } from '../../accounts/keys/semaphore.ts'
import { type Owner, toNetworkOwner } from './owner.ts'
import { createQuota, type Holding } from './quota.ts'

interface FirstLookupLimits {
  /** Plural name of what is looked up, for error messages. */
  readonly tasks: string
  readonly maxConcurrent: number
  readonly maxWaitingPerNetwork: number
  readonly maxWaitMs: number
}

/** Guessed keys use at most 4 of the connections to the accounts database. */
const FIRST_KEYS: FirstLookupLimits = {
  tasks: 'API keys that this node has not seen before',
  maxConcurrent: 4,
  maxWaitingPerNetwork: 1000,
  maxWaitMs: 1000,
}
/**
 * Without a limit, the calls of a few hundred accounts whose cache entries end at the same moment would fill the queue of the
 * connection pool, which refuses further lookups.
 */
const REPEATED_KEYS = { tasks: 'API keys', maxConcurrent: 6, maxWaiting: 10_000, maxWaitMs: 1000 }
const FIRST_SESSIONS: FirstLookupLimits = {
  tasks: 'sessions that this node has not seen before',
  maxConcurrent: 2,
  maxWaitingPerNetwork: 200,
  maxWaitMs: 1000,
}
const REPEATED_SESSIONS = { tasks: 'sessions', maxConcurrent: 2, maxWaiting: 1000, maxWaitMs: 1000 }

const monotonicMs = () => performance.now()

export function createKeyLookupLimits(nowMs = monotonicMs): LookupLimits {
  return { first: limitFirstLookups(FIRST_KEYS, nowMs), repeated: createSemaphore(REPEATED_KEYS, nowMs) }
}

export function createSessionLookupLimits(nowMs = monotonicMs): LookupLimits {
  return { first: limitFirstLookups(FIRST_SESSIONS, nowMs), repeated: createSemaphore(REPEATED_SESSIONS, nowMs) }
}

const NEVER_ABORTED = new AbortController().signal

function limitFirstLookups(limits: FirstLookupLimits, nowMs: () => number): LookupLimits['first'] {
  const { tasks, maxConcurrent, maxWaitingPerNetwork, maxWaitMs } = limits
  const quota = createQuota({ perOwner: maxConcurrent, perNode: maxConcurrent })
  const acquire = async (network: Owner): Promise<Holding> => {
    const waiting = quota.countWaiting(network)
    if (waiting >= maxWaitingPerNetwork)
      throw new SemaphoreFullError(tasks, `${waiting} lookups of this network are already waiting`)
    const sinceMs = nowMs()
    const slot = await quota.wait(network, 1, NEVER_ABORTED)
    if (nowMs() - sinceMs <= maxWaitMs) return slot
    slot.release()
    throw new SemaphoreFullError(tasks, `the lookup has waited longer than ${maxWaitMs} ms`)
  }
  return async (lookUp, address) => {
    const slot = await acquire(toNetworkOwner(address))
    try {
      return await lookUp()
    } finally {
      slot.release()
    }
  }
}
