// Caches the records for batch-cves, as JSON text (ADR 0012).
//
// A text is stored only if it was read at the position up to which this process has read the change log, and it is
// removed when the log names its CVE. All texts therefore belong to one state of the database, like the rows from a
// single statement. Two nodes may be at different positions, so they may answer the same batch differently for up to
// two seconds.

import { isSamePosition, type Position } from '../../domain/change/position.ts'
import type { CveKey } from '../../domain/cve-id.ts'
import { createLruCache } from './lru-cache.ts'

export interface BatchRecord {
  readonly key: string
  /** The record as JSON text. */
  readonly text: string
  readonly isEnriched: boolean
}

export interface BatchRecords {
  /** Returns the records in the order of the keys, or undefined if one of them must be read from the database. */
  get(keys: readonly CveKey[]): readonly BatchRecord[] | undefined
  /** The records and the log's newest position must have been read by the same statement. */
  keep(records: readonly BatchRecord[], position: Position): void
}

/** Numbers of batches since the process started, and the cache's size. */
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

/** `getFollowedPosition` returns how far this process has read the change log; undefined disables the cache. */
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

/** Counts two bytes per character, although most text needs one, plus the entry itself. */
const estimateBytes = ({ text }: BatchRecord) => text.length * 2 + 256
