// Cache of CVE records in an API node, and the poller that reads the change log and removes changed records from the
// cache.
import { createRecordCache, type RecordCounts, type Records } from '../api/cve-record/cache.ts'
import { type ChangeFollower, followChanges } from '../api/cve-record/follow-changes.ts'
import { readKevAndEpss, readRecord } from '../api/cve-record/load.ts'
import type { Config } from '../config.ts'
import type { Log } from '../log.ts'
import type { Connections } from './connections.ts'
import { warnIfHeapTooSmall } from './heap-check.ts'

export interface FollowedRecordCache {
  readonly records: Records
  counts(): RecordCounts
  /** Returns how far the poller has read the change log, or zeros before `follow` is called. */
  progress(): ReturnType<ChangeFollower['progress']>
  /** Starts polling the change log. Before polling starts, the record cache is bypassed. */
  follow(): void
  stop(): Promise<void>
}

export function openRecordCache(
  { cveCacheMegabytes }: Config,
  { reads, changes }: Connections,
  log: Log,
): FollowedRecordCache {
  warnIfHeapTooSmall(cveCacheMegabytes, log)
  let follower: ChangeFollower | undefined
  const records = createRecordCache(
    {
      read: (key) => readRecord(reads.db, key),
      readKevAndEpss: (key) => readKevAndEpss(reads.db, key),
      isFollowed: () => follower?.isCurrent() ?? false,
    },
    cveCacheMegabytes * 1024 * 1024,
  )
  return {
    records,
    counts: () => records.counts(),
    progress: () => follower?.progress() ?? { position: 0, pollAgeSeconds: 0 },
    follow: () => {
      follower = followChanges(changes.db, records, {
        onError: (err) => log.warn({ err }, 'reading the change log failed: the record cache is bypassed'),
        onRecovery: () => log.info('reading the change log works again: the record cache is in use'),
      })
    },
    stop: async () => follower?.stop(),
  }
}
