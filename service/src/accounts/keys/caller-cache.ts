// Caches callers (the accounts that API keys and sessions of the console belong to) for a few seconds, by the digest of
// the key or of the session id. Keys and sessions have a cache each.
//
// Each process fills its own cache from the primary of the accounts database, never from a replica. When an account
// changes, a PostgreSQL notification (account-changes.ts) removes its cache entries at once. If the notification is
// lost, an entry is used for at most FRESH_MS. While the database is unreachable, calls that cost nothing and read no
// account may use an entry for LAST_KNOWN_MS.
import type { FoundKey } from './find-caller.ts'

/** Lifetime of a cached API key. A revocation must take effect within two seconds even if its notification is lost. */
const FRESH_MS = 2000
/**
 * Time after its last lookup for which a valid API key counts as last known. This is the longest time that a revoked key
 * can be used on a node that cannot reach the database.
 */
const LAST_KNOWN_MS = 60_000
/**
 * Lifetime of a cache entry for an unknown API key. Repeated requests with the same unknown key cause one lookup in
 * this time.
 */
const UNKNOWN_FRESH_MS = 5000
const MAX_KNOWN_KEYS = 100_000
const MAX_UNKNOWN_KEYS = 10_000
/** An API key or a session that a lookup has found, with its account. */
interface Credential {
  readonly caller: { readonly accountId: string }
  /** Reason why the key or session is refused now; undefined if it is valid. */
  readonly refusal: string | undefined
  /** Seconds until the key or session expires; undefined if it never expires. */
  readonly expiresInSeconds: number | undefined
}

interface Entry<Found> {
  readonly found: Found | undefined
  readonly freshUntilMs: number
  /** End of the time for which a valid API key counts as last known. */
  readonly lastKnownUntilMs: number
}

/** Replaces an evicted entry of a valid key, whose next lookup then still precedes those of guessed keys. */
const EVICTED: Entry<never> = { found: undefined, freshUntilMs: 0, lastKnownUntilMs: 0 }

export interface CallerCache<Found extends Credential = FoundKey> {
  /**
   * Finds the caller of an API key. `digest` is the key's digest in hexadecimal, `address` the client's, whose network
   * shares the database with others while its keys are unknown. Returns undefined for an unknown key. Throws a
   * TooManyLookupsError if too many lookups are waiting.
   */
  find(digest: string, address: string | undefined): Promise<Found | undefined>
  /**
   * Returns the caller of an API key that was valid at its last lookup, less than a minute ago. Use it only after `find`
   * failed because the database is unreachable: the key may have been revoked since.
   */
  findLastKnown(digest: string): Found['caller'] | undefined
  evict(accountId: string): void
  evictAll(): void
}

/** Runs a lookup as soon as the network of the client's address may run one. */
type RunLookup = <T>(lookUp: () => Promise<T>, address: string | undefined) => Promise<T>

/** Limits of concurrent lookups: of keys or sessions that the node has not seen before, and of known valid ones. */
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
      // A database lookup that began before an eviction from the cache may return old data, so its result is not
      // cached.
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
    /**
     * Counts the evictions from the cache, so that a database lookup can detect an eviction that happened while it ran.
     */
    get generation() {
      return generation
    },
    /**
     * Returns whether this API key was valid at its last lookup, even if its cache entry is no longer fresh. A refused key
     * has no precedence over guessed ones.
     */
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

/** Finds the keys of an account, so that an eviction does not read all cached keys. */
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
    /** Returns the keys of an account and removes them from the index. */
    take: (accountId: string): Iterable<string> => {
      const digests = byAccount.get(accountId) ?? []
      byAccount.delete(accountId)
      return digests
    },
    clear: () => byAccount.clear(),
  }
}

/**
 * Returns how long an API key is cached. A key that will expire soon is cached only until its expiry. A key that has
 * already expired never becomes valid again, so it is cached for the usual time.
 */
function chooseLifetimeMs(found: Credential | undefined, usualMs: number): number {
  if (!found) return UNKNOWN_FRESH_MS
  const { expiresInSeconds = Number.POSITIVE_INFINITY } = found
  return expiresInSeconds > 0 ? Math.min(usualMs, expiresInSeconds * 1000) : usualMs
}

/** Returns the digest that was added first: a Map iterates in the order of insertion. */
function findOldest(entries: ReadonlyMap<string, unknown>): string | undefined {
  return entries.keys().next().value
}
