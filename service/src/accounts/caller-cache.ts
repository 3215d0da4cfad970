// Who is behind a key, remembered for a few seconds.
//
// Written by: this process alone, from the accounts' primary. Told by the database (see changes.ts) to forget an account
// at once; without that hint a copy is at most FRESH_MS old. If the process dies, nothing is lost. A replica is never asked.
import type { FoundKey } from './find-caller.ts'
import { createLane } from './semaphore.ts'

/** Below the five seconds in which a revocation must count even when no hint arrives. */
const FRESH_MS = 4000
/** Unknown keys are remembered too, so that hammering with one costs one look-up in this time. */
const UNKNOWN_FRESH_MS = 5000
const MAX_KNOWN = 100_000
/** Keys never seen before share a few connections: a flood of guesses must not keep the others from being looked up. */
const STRANGERS_AT_ONCE = 4
const MAX_UNKNOWN = 10_000

interface Entry {
  readonly found: FoundKey | undefined
  readonly freshUntilMs: number
}

export interface Callers {
  /** `digest`: in hexadecimal digits. */
  find(digest: string): Promise<FoundKey | undefined>
  /** What is known about this account is no longer true. */
  forget(accountId: string): void
  forgetAll(): void
}

export function createCallerCache(
  lookUp: (digest: string) => Promise<FoundKey | undefined>,
  nowMs = () => performance.now(),
): Callers {
  const memory = createMemory(nowMs)
  const lane = createLane(STRANGERS_AT_ONCE)
  const underWay = new Map<string, Promise<FoundKey | undefined>>()

  const ask = async (digest: string) => {
    const [begunMs, changesThen] = [nowMs(), memory.changes]
    try {
      const found = memory.hasMet(digest) ? await lookUp(digest) : await lane(() => lookUp(digest))
      // A look-up that began before a change must not be remembered after it.
      if (memory.changes === changesThen) memory.keep(digest, found, begunMs)
      return found
    } finally {
      underWay.delete(digest)
    }
  }

  return {
    forget: memory.forget,
    forgetAll: memory.forgetAll,
    find: (digest) => {
      const entry = memory.recall(digest)
      if (entry) return Promise.resolve(entry.found)
      const asked = underWay.get(digest) ?? ask(digest)
      underWay.set(digest, asked)
      return asked
    },
  }
}

function createMemory(nowMs: () => number) {
  const [known, unknown] = [new Map<string, Entry>(), new Map<string, Entry>()]
  let changes = 0
  return {
    get changes() {
      return changes
    },
    /** Once known, however long ago. */
    hasMet: (digest: string) => known.has(digest),
    recall: (digest: string): Entry | undefined => {
      const entry = known.get(digest) ?? unknown.get(digest)
      return entry && entry.freshUntilMs > nowMs() ? entry : undefined
    },
    keep: (digest: string, found: FoundKey | undefined, begunMs: number) => {
      const entry = { found, freshUntilMs: begunMs + freshForMs(found) }
      if (found) put(known, digest, entry, MAX_KNOWN)
      else put(unknown, digest, entry, MAX_UNKNOWN)
    },
    forget: (accountId: string) => {
      changes += 1
      for (const [id, { found }] of known) if (found?.caller.accountId === accountId) known.delete(id)
    },
    forgetAll: () => {
      changes += 1
      known.clear()
      unknown.clear()
    },
  }
}

/** A key that is about to expire is remembered until then; one that has expired stays so. */
function freshForMs(found: FoundKey | undefined): number {
  if (!found) return UNKNOWN_FRESH_MS
  const { expiresInSeconds = Number.POSITIVE_INFINITY } = found
  return expiresInSeconds > 0 ? Math.min(FRESH_MS, expiresInSeconds * 1000) : FRESH_MS
}

/** The oldest entry makes room: a bounded Map in order of insertion. */
function put(entries: Map<string, Entry>, id: string, entry: Entry, most: number): void {
  entries.delete(id)
  if (entries.size >= most) {
    const { value: oldest } = entries.keys().next()
    if (oldest !== undefined) entries.delete(oldest)
  }
  entries.set(id, entry)
}
