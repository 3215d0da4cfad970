// An API node's caches of CVE records, of batch records and of the newest changes, and the poller that reads the change
// log for all three.

import type { Config } from '../config.ts'
import type { Log } from '../log.ts'
import { type BatchCounts, type BatchRecords, createBatchCache } from '../record/cache/batch-cache.ts'
import { type ChangeFollower, followChanges } from '../record/cache/follow-changes.ts'
import { createRecordCache, type RecordCounts, type Records } from '../record/cache/record-cache.ts'
import { createChangeWindow, type FedChangeWindow, type PolledLog } from '../record/change-log/window.ts'
import { listKnowingSources, readKevAndEpss, readRecord } from '../record/load.ts'
import type { Connections } from './connections.ts'
import { warnIfHeapTooSmall } from './heap-check.ts'

export interface FollowedRecordCache {
  readonly records: Records
  readonly batchRecords: BatchRecords
  /** The newest changes, for calls that wait for changes. */
  readonly changes: FedChangeWindow
  counts(): RecordCounts
  countBatches(): BatchCounts
  /** Zeros before `follow` is called. */
  progress(): ReturnType<ChangeFollower['progress']>
  /** Before polling starts, the record cache is bypassed. */
  follow(): void
  stop(): Promise<void>
}

/** Share of CVE_CACHE_MB for batch records, which are smaller than those of single CVEs. */
const BATCH_SHARE = 1 / 5

export function openRecordCache(
  { cveCacheMegabytes }: Config,
  { reads, changes }: Connections,
  log: Log,
): FollowedRecordCache {
  warnIfHeapTooSmall(cveCacheMegabytes, log)
  const maxBytes = cveCacheMegabytes * 1024 * 1024
  let follower: ChangeFollower | undefined
  const isCurrent = () => follower?.isCurrent() ?? false
  const records = createRecordCache(
    {
      read: async (key) => (await readRecord(reads.db, key)) ?? { knownTo: await listKnowingSources(reads.db, key) },
      readKevAndEpss: (key) => readKevAndEpss(reads.db, key),
      isFollowed: isCurrent,
    },
    maxBytes * (1 - BATCH_SHARE),
  )
  const window = createChangeWindow(isCurrent)
  const batches = createBatchCache(() => (isCurrent() ? window.bounds().newest : undefined), maxBytes * BATCH_SHARE)
  return {
    records,
    batchRecords: batches,
    changes: window,
    counts: () => records.counts(),
    countBatches: () => batches.counts(),
    progress: () => follower?.progress() ?? { position: 0, pollAgeSeconds: 0 },
    follow: () => {
      const listener = {
        evict: (key: string) => {
          records.evict(key)
          batches.evict(key)
        },
        evictKevAndEpss: () => {
          records.evictKevAndEpss()
          batches.clear()
        },
        evictAll: () => {
          records.evictAll()
          batches.clear()
        },
        advance: (polled: PolledLog) => window.advance(polled),
      }
      follower = followChanges(changes.db, listener, {
        onError: (err) => log.warn({ err }, 'reading the change log failed: the record cache is bypassed'),
        onRecovery: () => log.info('reading the change log works again: the record cache is in use'),
      })
    },
    stop: async () => follower?.stop(),
  }
}
