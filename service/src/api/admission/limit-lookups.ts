// Limits concurrent lookups of API keys and sessions in the accounts database. Credentials that this node has not seen
// before may be guesses: networks take turns, so one network's guesses do not delay other callers. Known credentials
// never wait for guesses, and sessions never delay programs.
import type { LookupLimits } from '../../accounts/keys/caller-cache.ts'
import { type Owner, toNetworkOwner } from './owner.ts'
import { createQuota, type Holding } from './quota.ts'

/** Too many lookups are waiting, or this one has waited too long. */
export class TooManyLookupsError extends Error {
  /** What is looked up, in the plural, for messages. */
  readonly tasks: string

  constructor(tasks: string, message: string) {
    super(message)
    this.name = 'TooManyLookupsError'
    this.tasks = tasks
  }
}

interface Limits {
  readonly tasks: string
  readonly maxConcurrent: number
  /** Maximum number of waiting lookups per owner. */
  readonly maxWaiting: number
  /** A lookup that has waited longer than this is refused when its turn comes. */
  readonly maxWaitMs: number
}

/** Guesses use at most 4 connections to the accounts database. */
const FIRST_KEYS: Limits = {
  tasks: 'API keys that this node has not seen before',
  maxConcurrent: 4,
  maxWaiting: 1000,
  maxWaitMs: 1000,
}
/**
 * Without a limit, a few hundred accounts whose cache entries expire at the same time would fill the queue of the
 * connection pool, which would then refuse further lookups.
 */
const REPEATED_KEYS = { tasks: 'API keys', maxConcurrent: 6, maxWaiting: 10_000, maxWaitMs: 1000 }
const FIRST_SESSIONS: Limits = {
  tasks: 'sessions that this node has not seen before',
  maxConcurrent: 2,
  maxWaiting: 200,
  maxWaitMs: 1000,
}
const REPEATED_SESSIONS = { tasks: 'sessions', maxConcurrent: 2, maxWaiting: 1000, maxWaitMs: 1000 }

const monotonicMs = () => performance.now()

export function createKeyLookupLimits(nowMs = monotonicMs): LookupLimits {
  return {
    first: limitLookups(FIRST_KEYS, toNetworkOwner, nowMs),
    repeated: limitLookups(REPEATED_KEYS, toOneOwner, nowMs),
  }
}

export function createSessionLookupLimits(nowMs = monotonicMs): LookupLimits {
  return {
    first: limitLookups(FIRST_SESSIONS, toNetworkOwner, nowMs),
    repeated: limitLookups(REPEATED_SESSIONS, toOneOwner, nowMs),
  }
}

/** Known keys and sessions are looked up in order of arrival. */
const toOneOwner = (): Owner => 'all'

const NEVER_ABORTED = new AbortController().signal

function limitLookups(
  { tasks, maxConcurrent, maxWaiting, maxWaitMs }: Limits,
  toOwner: (address: string | undefined) => Owner,
  nowMs: () => number,
): LookupLimits['first'] {
  const quota = createQuota({ perOwner: maxConcurrent, perNode: maxConcurrent })
  const acquire = async (owner: Owner): Promise<Holding> => {
    const waiting = quota.countWaiting(owner)
    if (waiting >= maxWaiting) throw new TooManyLookupsError(tasks, `${waiting} lookups are already waiting`)
    const sinceMs = nowMs()
    const slot = await quota.wait(owner, 1, NEVER_ABORTED)
    if (nowMs() - sinceMs <= maxWaitMs) return slot
    slot.release()
    throw new TooManyLookupsError(tasks, `the lookup has waited longer than ${maxWaitMs} ms`)
  }
  return async (lookUp, address) => {
    const slot = await acquire(toOwner(address))
    try {
      return await lookUp()
    } finally {
      slot.release()
    }
  }
}
