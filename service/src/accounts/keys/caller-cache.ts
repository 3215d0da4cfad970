// Caches callers (the accounts that API keys and console sessions belong to) for a few seconds, by the digest of the
// key or of the session id. Keys and sessions have separate caches.
//
// Each process fills its own cache from the primary of the accounts database, never from a replica. When an account
// changes, a PostgreSQL notification (account-changes.ts) removes its cache entries at once. If the notification is
// lost, an entry is used for at most FRESH_MS. While the database is unreachable, calls that cost nothing and read no
// account may use an entry for LAST_KNOWN_MS.
import type { FoundKey } from './find-caller.ts'

/** Lifetime of a cached API key. A revocation must take effect within two seconds even if its notification is lost. */
const FRESH_MS = 2000
/** A node that cannot reach the database accepts a valid key for this long after its last lookup, even if revoked. */
const LAST_KNOWN_MS = 60_000
/** Repeated requests with the same unknown key cause only one lookup within this time. */
const UNKNOWN_FRESH_MS = 5000
const MAX_KNOWN_KEYS = 100_000
const MAX_UNKNOWN_KEYS = 10_000

interface Credential {
  readonly caller: { readonly accountId: string }
  readonly refusal: string | undefined
  readonly expiresInSeconds: number | undefined
}

interface Entry<Found> {
  readonly found: Found | undefined
  readonly freshUntilMs: number
  readonly lastKnownUntilMs: number
}

/**
 * Replaces the evicted entry of a valid key, so that the key's next lookup still takes precedence over guessed keys.
 */
const EVICTED: Entry<never> = { found: undefined, freshUntilMs: 0, lastKnownUntilMs: 0 }

export interface CallerCache<Found extends Credential = FoundKey> {
  /**
   * Returns undefined for an unknown key. Throws a TooManyLookupsError if too many lookups are waiting. Lookups of
   * unknown keys are queued by the network of `address`, and the networks take turns.
   */
  find(digest: string, address: string | undefined): Promise<Found | undefined>
  /** Use it only after `find` failed because the database is unreachable: the key may have been revoked since. */
  findLastKnown(digest: string): Found['caller'] | undefined
  evict(accountId: string): void
  evictAll(): void
}

type RunLookup = <T>(lookUp: () => Promise<T>, address: string | undefined) => Promise<T>

/** Limits on concurrent lookups: of keys or sessions that the node has not seen before, and of known valid ones. */
export interface LookupLimits {
  readonly first: RunLookup
  readonly repeated: RunLookup
}

export function createCallerCache<Found extends Credential = FoundKey>(
  lookUp: (digest: string) => Promise<Found | undefined>,
  limits: LookupLimits,
  nowMs = () => performance.now(),
): CallerCache<Found> {
  const entries = createEntries<Found>(nowMs)
  const pending = new Map<string, Promise<Found | undefined>>()

  const load = async (digest: string, address: string | undefined) => {
    const [startedMs, generation] = [nowMs(), entries.generation]
    try {
      const withSlot = entries.wasKnown(digest) ? limits.repeated : limits.first
      const found = await withSlot(() => lookUp(digest), address)
      // A lookup that began before an eviction may return old data, so its result is not cached.
      if (entries.generation === generation) entries.set(digest, found, startedMs)
      return found
    } finally {
      pending.delete(digest)
    }
  }

  return {
    evict: entries.evict,
    evictAll: entries.evictAll,
    findLastKnown: entries.getLastKnown,
    find: (digest, address) => {
      const entry = entries.get(digest)
      if (entry) return Promise.resolve(entry.found)
      const loading = pending.get(digest) ?? load(digest, address)
      pending.set(digest, loading)
      return loading
    },
  }
}

function createEntries<Found extends Credential>(nowMs: () => number) {
  const [known, unknown] = [new Map<string, Entry<Found>>(), new Map<string, Entry<Found>>()]
  const digests = createDigestIndex()
  let generation = 0
  const remove = (entries: Map<string, Entry<Found>>, digest: string) => {
    digests.delete(entries.get(digest), digest)
    entries.delete(digest)
  }
  const replaceEvicted = (digest: string) => {
    if (known.get(digest)?.found?.refusal) known.delete(digest)
    else known.set(digest, EVICTED)
  }
  return {
    /** Lets a database lookup detect an eviction that happened while it ran. */
    get generation() {
      return generation
    },
    /** True even if the cache entry is no longer fresh. A refused key takes no precedence over guessed ones. */
    wasKnown: (digest: string) => known.has(digest) && !known.get(digest)?.found?.refusal,
    get: (digest: string): Entry<Found> | undefined => {
      const entry = known.get(digest) ?? unknown.get(digest)
      return entry && entry.freshUntilMs > nowMs() ? entry : undefined
    },
    getLastKnown: (digest: string): Found['caller'] | undefined => {
      const entry = known.get(digest)
      return entry?.found && !entry.found.refusal && entry.lastKnownUntilMs > nowMs() ? entry.found.caller : undefined
    },
    set: (digest: string, found: Found | undefined, startedMs: number) => {
      const entry = {
        found,
        freshUntilMs: startedMs + chooseLifetimeMs(found, FRESH_MS),
        lastKnownUntilMs: startedMs + chooseLifetimeMs(found, LAST_KNOWN_MS),
      }
      for (const entries of [known, unknown]) remove(entries, digest)
      const [own, maxEntries] = found ? [known, MAX_KNOWN_KEYS] : [unknown, MAX_UNKNOWN_KEYS]
      const oldest = own.size >= maxEntries ? findOldest(own) : undefined
      if (oldest !== undefined) remove(own, oldest)
      own.set(digest, entry)
      digests.add(entry, digest)
    },
    evict: (accountId: string) => {
      generation += 1
      for (const digest of digests.take(accountId)) replaceEvicted(digest)
    },
    evictAll: () => {
      generation += 1
      for (const digest of known.keys()) replaceEvicted(digest)
      digests.clear()
      unknown.clear()
    },
  }
}

/** Finds an account's keys, so that an eviction need not scan all cached keys. */
function createDigestIndex() {
  const byAccount = new Map<string, Set<string>>()
  return {
    add: ({ found }: Entry<Credential>, digest: string) => {
      if (!found) return
      const { accountId } = found.caller
      byAccount.set(accountId, (byAccount.get(accountId) ?? new Set()).add(digest))
    },
    delete: (entry: Entry<Credential> | undefined, digest: string) => {
      if (!entry?.found) return
      const { accountId } = entry.found.caller
      const digests = byAccount.get(accountId)
      digests?.delete(digest)
      if (digests?.size === 0) byAccount.delete(accountId)
    },
    take: (accountId: string): Iterable<string> => {
      const digests = byAccount.get(accountId) ?? []
      byAccount.delete(accountId)
      return digests
    },
    clear: () => byAccount.clear(),
  }
}

/**
 * A key that expires soon is cached only until it expires. An expired key never becomes valid again and is cached as
 * usual.
 */
function chooseLifetimeMs(found: Credential | undefined, usualMs: number): number {
  if (!found) return UNKNOWN_FRESH_MS
  const { expiresInSeconds = Number.POSITIVE_INFINITY } = found
  return expiresInSeconds > 0 ? Math.min(usualMs, expiresInSeconds * 1000) : usualMs
}

/** A Map iterates in the order of insertion, so its first key is the oldest. */
function findOldest(entries: ReadonlyMap<string, unknown>): string | undefined {
  return entries.keys().next().value
}
