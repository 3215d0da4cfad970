// What an API node remembers of single CVEs, and the follower that tells it what to forget.
import { type RecordCounts, type Records, rememberRecords } from '../api/cve-record/cache.ts'
import { type Following, followChanges } from '../api/cve-record/follow-changes.ts'
import { readKevAndEpss, readRecord } from '../api/cve-record/load.ts'
import type { Config } from '../config.ts'
import type { Log } from '../log.ts'
import type { Connections } from './connections.ts'
import { warnOfSmallHeap } from './heap-check.ts'

export interface RememberedRecords {
  readonly records: Records
  counts(): RecordCounts
  /** As `Following` tells it; nothing was heard before it follows. */
  progress(): ReturnType<Following['progress']>
  /** Until then nothing is remembered. */
  follow(): void
  stop(): Promise<void>
}

export function openRecords({ cveCacheMegabytes }: Config, { reads, changes }: Connections, log: Log): RememberedRecords {
  warnOfSmallHeap(cveCacheMegabytes, log)
  let following: Following | undefined
  const records = rememberRecords(
    {
      read: (key) => readRecord(reads.db, key),
      readKevAndEpss: (key) => readKevAndEpss(reads.db, key),
      isFollowed: () => following?.isCurrent() ?? false,
    },
    cveCacheMegabytes * 1024 * 1024,
  )
  return {
    records,
    counts: () => records.counts(),
    progress: () => following?.progress() ?? { position: 0, silentSeconds: 0 },
    follow: () => {
      following = followChanges(changes.db, records, {
        onError: (err) => log.warn({ err }, 'changes of CVEs are not heard: every answer is read from the database'),
        onRecovery: () => log.info('changes of CVEs are heard again'),
      })
    },
    stop: async () => following?.stop(),
  }
}
