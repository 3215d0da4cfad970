// What a run has done so far, in numbers, with the first of the records that could not be used.
import type { Rejected } from '../feed.ts'
import type { Measure } from '../guard.ts'
import { printable } from '../sanitize-text.ts'
import type { Merged } from '../store.ts'

export interface Counts {
  readonly read: number
  readonly written: number
  readonly removed: number
  readonly unchanged: number
  readonly duplicates: number
  readonly rejected: number
}

export interface KeptRejection {
  readonly delivery: string
  readonly subject: string
  readonly reason: string
}

export const NO_COUNTS: Counts = { read: 0, written: 0, removed: 0, unchanged: 0, duplicates: 0, rejected: 0 }

/** All are counted; of a feed gone mad, a few are enough to see what is wrong. */
const MAX_KEPT = 1000
export const MAX_SUBJECT_LENGTH = 100
const MAX_REASON_LENGTH = 300

/** What the reading of one delivery came to. */
export interface DeliveryTally {
  read: number
  rejected: number
  readonly kept: KeptRejection[]
}

export function newTally(): DeliveryTally {
  return { read: 0, rejected: 0, kept: [] }
}

export function reject(tally: DeliveryTally, delivery: string, { rejected, reason }: Rejected): void {
  tally.rejected += 1
  if (tally.kept.length >= MAX_KEPT) return
  tally.kept.push({
    delivery,
    subject: printable(rejected.slice(0, MAX_SUBJECT_LENGTH)),
    reason: printable(reason.slice(0, MAX_REASON_LENGTH), MAX_REASON_LENGTH),
  })
}

export function counted(tally: DeliveryTally, measure: Measure, merged: Merged): Counts {
  const written = merged.inserted + merged.updated
  return {
    read: tally.read,
    written,
    removed: merged.removed,
    unchanged: measure.staged - written,
    duplicates: measure.duplicates,
    rejected: tally.rejected,
  }
}

export function sum(one: Counts, other: Counts): Counts {
  return {
    read: one.read + other.read,
    written: one.written + other.written,
    removed: one.removed + other.removed,
    unchanged: one.unchanged + other.unchanged,
    duplicates: one.duplicates + other.duplicates,
    rejected: one.rejected + other.rejected,
  }
}
