// Cache of the records of batch-cves, as JSON text. See ADR 0012.
//
// Each text in the cache is the record at the position that this process has read from the change log: a text is stored
// only if it was read at exactly this position, and it is removed when the log names its CVE. Texts from the cache
// therefore belong to one state of the database, like the rows of one statement. Two nodes may have read the log to
// different positions, so the same batch may differ between them for up to two seconds, like single CVEs. The cache is
// lost with the process.

import { isSamePosition, type Position } from '../../domain/change/position.ts'
import type { CveKey } from '../../domain/cve-id.ts'
import { createLruCache } from './lru-cache.ts'

export interface BatchRecord {
  readonly key: string
  /** The JSON text of the CVE. */
  readonly text: string
  readonly isEnriched: boolean
}

export interface BatchRecords {
  /** Returns the records in the order of the keys; undefined if one of them must be read from the database. */
  get(keys: readonly CveKey[]): readonly BatchRecord[] | undefined
  /** Keeps records that one statement has read together with the newest position of the change log. */
  keep(records: readonly BatchRecord[], position: Position): void
}

/** Number of batches since the process started by how they were answered, and the current size of the cache. */
export interface BatchCounts {
  readonly hits: number
  readonly misses: number
  readonly bytes: number
}

export interface BatchCache extends BatchRecords {
  counts(): BatchCounts
  evict(key: string): void
  clear(): void
}

/**
 * Creates the cache. `getFollowedPosition` returns the position that this process has read from the change log, or
 * undefined while it cannot read the log. The cache is not used then.
 */
export function createBatchCache(getFollowedPosition: () => Position | undefined, maxBytes: number): BatchCache {
  const records = createLruCache<BatchRecord>(maxBytes, estimateBytes)
  const lookups = { hits: 0, misses: 0 }
  const find = (keys: readonly CveKey[]) => {
    if (getFollowedPosition() === undefined) return undefined
    const found: BatchRecord[] = []
    for (const key of keys) {
      const record = records.get(key)
      if (!record) return undefined
      found.push(record)
    }
    return found
  }
  return {
    get: (keys) => {
      const found = find(keys)
      lookups[found ? 'hits' : 'misses'] += 1
      return found
    },
    keep: (read, position) => {
      const followed = getFollowedPosition()
      if (followed === undefined || !isSamePosition(followed, position)) return
      for (const record of read) records.set(record.key, record)
    },
    counts: () => ({ ...lookups, bytes: records.total }),
    evict: (key) => records.delete(key),
    clear: () => records.clear(),
  }
}

/** Two bytes per character of the text, although most text needs only one, and the memory of the entry itself. */
const estimateBytes = ({ text }: BatchRecord) => text.length * 2 + 256
