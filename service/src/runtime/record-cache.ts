// Cache of CVE records and of the newest changes in an API node, and the poller that reads the change log for both.
import { createChangeWindow, type FedChangeWindow, type PolledLog } from '../api/change-log/window.ts'
import { createRecordCache, type RecordCounts, type Records } from '../api/cve-record/cache.ts'
import { type ChangeFollower, followChanges } from '../api/cve-record/follow-changes.ts'
import { readKevAndEpss, readRecord } from '../api/cve-record/load.ts'
import type { Config } from '../config.ts'
import type { Log } from '../log.ts'
import type { Connections } from './connections.ts'
import { warnIfHeapTooSmall } from './heap-check.ts'

export interface FollowedRecordCache {
  readonly records: Records
  /** The newest changes, for the calls that wait for them. */
  readonly changes: FedChangeWindow
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
  const window = createChangeWindow(() => follower?.isCurrent() ?? false)
  return {
    records,
    changes: window,
    counts: () => records.counts(),
    progress: () => follower?.progress() ?? { position: 0, pollAgeSeconds: 0 },
    follow: () => {
      const listener = { ...records, advance: (polled: PolledLog) => window.advance(polled) }
      follower = followChanges(changes.db, listener, {
        onError: (err) => log.warn({ err }, 'reading the change log failed: the record cache is bypassed'),
        onRecovery: () => log.info('reading the change log works again: the record cache is in use'),
      })
    },
    stop: async () => follower?.stop(),
  }
}
