// Counts the records of a feed run, and keeps a bounded sample of the rejected records.
import { UNDATED } from '../../domain/instant.ts'
import type { Rejected } from '../feed.ts'
import type { DeliveryStats } from '../guard.ts'
import { sanitizeText } from '../sanitize-text.ts'
import type { MergeCounts } from '../store.ts'

export interface RunCounters {
  readonly read: number
  readonly written: number
  readonly removed: number
  readonly unchanged: number
  readonly duplicates: number
  readonly rejected: number
  /** Number of stored records with a value that was cut because it is too long (decision E42). */
  readonly truncated: number
}

export interface StoredRejection {
  readonly delivery: string
  readonly subject: string
  readonly reason: string
}

export const ZERO_COUNTERS: RunCounters = {
  read: 0,
  written: 0,
  removed: 0,
  unchanged: 0,
  duplicates: 0,
  rejected: 0,
  truncated: 0,
}

/** A thousand rejected records per delivery are enough to find the cause; the others are only counted. */
const MAX_STORED_REJECTIONS = 1000
export const MAX_SUBJECT_LENGTH = 100
const MAX_REASON_LENGTH = 300

export interface DeliveryCounters {
  read: number
  rejected: number
  truncated: number
  readonly rejections: StoredRejection[]
  /** Newest time that upstream states for a record of the delivery; null if no record has a time. */
  newestAt: Date | null
}

export function createDeliveryCounters(): DeliveryCounters {
  return { read: 0, rejected: 0, truncated: 0, rejections: [], newestAt: null }
}

export function updateNewestTime(counters: DeliveryCounters, time: Date | null): void {
  if (time === null || time <= UNDATED) return
  if (counters.newestAt === null || time > counters.newestAt) counters.newestAt = time
}

export function countRejection(counters: DeliveryCounters, delivery: string, { rejected, reason }: Rejected): void {
  counters.rejected += 1
  if (counters.rejections.length >= MAX_STORED_REJECTIONS) return
  counters.rejections.push({
    delivery,
    subject: sanitizeText(rejected.slice(0, MAX_SUBJECT_LENGTH)),
    reason: sanitizeText(reason.slice(0, MAX_REASON_LENGTH), MAX_REASON_LENGTH),
  })
}

export function toRunCounters(counters: DeliveryCounters, stats: DeliveryStats, merged: MergeCounts): RunCounters {
  const written = merged.inserted + merged.updated
  return {
    read: counters.read,
    written,
    removed: merged.removed,
    unchanged: stats.staged - written,
    duplicates: stats.duplicates,
    rejected: counters.rejected,
    truncated: counters.truncated,
  }
}

export function addCounters(left: RunCounters, right: RunCounters): RunCounters {
  return {
    read: left.read + right.read,
    written: left.written + right.written,
    removed: left.removed + right.removed,
    unchanged: left.unchanged + right.unchanged,
    duplicates: left.duplicates + right.duplicates,
    rejected: left.rejected + right.rejected,
    truncated: left.truncated + right.truncated,
  }
}
