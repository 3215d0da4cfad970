// Caches single CVEs, and CVE ids without a record (ADR 0012). follow-changes.ts evicts CVEs that the change log lists;
// while the log cannot be read, the cache is not used.
import { type CveId, type CveKey, toCveKey } from '../../domain/cve-id.ts'
import type { KevAndEpss, RecordRow } from '../load.ts'
import { createLruCache, type LruCache } from './lru-cache.ts'

export interface Records {
  /** Returns undefined if the database must be read. */
  get(id: CveId): RecordRow | Absence | undefined
  find(id: CveId): Promise<RecordRow | Absence>
}

/** What is known about an id without a record. */
export interface Absence {
  /** Sources that have the CVE but do not describe it (decision E32). Can be outdated until the next EPSS release. */
  readonly knownTo: readonly string[]
}

export function isAbsence(found: RecordRow | Absence | undefined): found is Absence {
  return found !== undefined && 'knownTo' in found
}

const UNKNOWN: Absence = { knownTo: [] }

/** Numbers of lookups since the process started, and the cache's size. */
export interface RecordCounts {
  readonly hits: number
  readonly misses: number
  /** Lookups of ids that are known to have no record. */
  readonly absent: number
  readonly kept: number
  readonly bytes: number
}

export interface RecordCache extends Records {
  counts(): RecordCounts
  evict(key: string): void
  /** Keeps the other members in the cache. */
  evictKevAndEpss(): void
  evictAll(): void
}

interface Source {
  read(key: CveKey): Promise<RecordRow | Absence>
  readKevAndEpss(key: CveKey): Promise<KevAndEpss | undefined>
  /** Returns false while this process cannot read the change log. */
  isFollowed(): boolean
}

interface Entry {
  readonly row: RecordRow
  /**
   * A new generation starts when KEV or EPSS data changes. The KEV entry and EPSS score of a record from an older
   * generation are stale.
   */
  readonly generation: number
}

const MAX_ABSENT_IDS = 10_000

export function createRecordCache(source: Source, maxBytes: number): RecordCache {
  const store = createStore(maxBytes)
  const reads = createSharedReads(source, store)
  const lookups = { hits: 0, misses: 0, absent: 0 }
  const look = (id: CveId) => {
    const key = toCveKey(id)
    if (key === undefined) return UNKNOWN
    return source.isFollowed() ? store.get(key) : undefined
  }
  const count = (row: ReturnType<typeof look>) => {
    lookups[isAbsence(row) ? 'absent' : row ? 'hits' : 'misses'] += 1
  }
  return {
    get: (id) => {
      const row = look(id)
      // If this returns undefined, the caller calls `find`, which counts the miss.
      if (row) count(row)
      return row
    },
    counts: () => ({ ...lookups, ...store.size() }),
    find: async (id) => {
      const [row, key] = [look(id), toCveKey(id)]
      count(row)
      if (key === undefined) return UNKNOWN
      if (row) return row
      return source.isFollowed() ? reads.read(key) : source.read(key)
    },
    evict: (key) => {
      store.delete(key)
      reads.detach(key)
    },
    evictKevAndEpss: () => {
      store.startGeneration()
      reads.detachAll()
    },
    evictAll: () => {
      store.clear()
      reads.detachAll()
    },
  }
}

/**
 * Concurrent requests for a record share one database read. If the record changes in the meantime, the read is
 * detached: its result goes to the requests that are already waiting, but it is not cached, and later requests read
 * again.
 */
function createSharedReads(source: Source, store: Store) {
  const pending = new Map<string, Promise<RecordRow | Absence>>()
  const start = async (key: CveKey) => {
    const generation = store.generation
    const outdated = store.getAnyGeneration(key)
    const read = outdated ? refreshKevAndEpss(source, key, outdated) : source.read(key)
    pending.set(key, read)
    try {
      const row = await read
      if (pending.get(key) === read) store.set(key, row, generation)
      return row
    } finally {
      if (pending.get(key) === read) pending.delete(key)
    }
  }
  return {
    read: (key: CveKey) => pending.get(key) ?? start(key),
    detach: (key: string) => void pending.delete(key),
    detachAll: () => pending.clear(),
  }
}

type Store = ReturnType<typeof createStore>

function createStore(maxBytes: number) {
  const records: LruCache<Entry> = createLruCache(maxBytes, estimateBytes)
  const absent: LruCache<Absence> = createLruCache(MAX_ABSENT_IDS, () => 1)
  let generation = 0
  return {
    get generation() {
      return generation
    },
    size: () => ({ kept: records.count, bytes: records.total }),
    startGeneration: () => {
      generation += 1
      absent.clear()
    },
    get: (key: CveKey): RecordRow | Absence | undefined => {
      const entry = records.get(key)
      if (entry) return entry.generation === generation ? entry.row : undefined
      return absent.get(key)
    },
    /** The KEV entry and EPSS score may be stale. */
    getAnyGeneration: (key: CveKey): RecordRow | undefined => records.get(key)?.row,
    set: (key: CveKey, found: RecordRow | Absence, readInGeneration: number) => {
      if (!isAbsence(found)) records.set(key, { row: found, generation: readInGeneration })
      else if (readInGeneration === generation) absent.set(key, found)
    },
    delete: (key: string) => {
      records.delete(key)
      absent.delete(key)
    },
    clear: () => {
      records.clear()
      absent.clear()
    },
  }
}

async function refreshKevAndEpss(source: Source, key: CveKey, row: RecordRow): Promise<RecordRow> {
  return { ...row, ...(await source.readKevAndEpss(key)) }
}

/**
 * Returns an upper estimate: two bytes per character, although most text needs one, and as much again for the plain and
 * compressed response bytes (rendered-record.ts).
 */
function estimateBytes({ row }: Entry): number {
  const texts = Object.values(row).filter((value) => typeof value === 'string')
  return texts.reduce((total, text) => total + text.length * 4, 1024)
}
