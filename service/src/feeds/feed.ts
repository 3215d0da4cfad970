// The interface of a feed: how to fetch an upstream's data, how to normalise its records, and where to store them.
import type { Collect } from './collect.ts'
import type { DownloadContext } from './download.ts'
import type { Guard } from './guard.ts'
import type { Store } from './store.ts'

export interface Feed<Raw = unknown, Row = unknown> {
  readonly name: string
  readonly intervalSeconds: number
  /** Once the last successful run is this many seconds old, the feed's data set counts as stale. */
  readonly staleAfterSeconds: number
  /**
   * Increase it when the feed stores the same upstream record in another way: what the next run changes then has the cause
   * `source`. Default: 1.
   */
  readonly readerVersion?: number
  /**
   * Yields deliveries (files or pages) in the order in which they must be stored, or none if upstream has nothing new.
   * A delivery is stored in one transaction with its cursor, so a run that dies continues after the last stored one.
   */
  fetch(context: FetchContext): AsyncIterable<Delivery<Raw>>
  /** Downloads upstream's files for a service without a network, under names that `fetch` reads from a directory. */
  readonly collect: Collect
  /** Returns the reason for rejecting a record that cannot be converted. Has no side effects. */
  normalise(raw: Raw, now: Date): Row | Rejected
  /** Guards (sanity checks) of this feed, in addition to COMMON_GUARDS. */
  readonly guards: readonly Guard[]
  readonly store: Store<Row>
  /** Hosts from which the feed downloads, besides those of the addresses in its settings. */
  readonly hosts?: readonly string[]
  /** Name of the setting without which the feed cannot download: it then reads only from directories. */
  readonly missingSetting?: string
}

export interface FetchContext extends DownloadContext {
  /** Cursor (position in the upstream's data) after the last stored delivery; undefined before the first delivery. */
  readonly cursor: unknown
  /** Directory from which the feed reads its files instead of downloading them. Undefined for a download. */
  readonly from: string | undefined
}

export interface Delivery<Raw> {
  readonly label: string
  /** A snapshot has all records of the feed or slice, so that missing ones may be removed; a delta has only changes. */
  readonly kind: 'snapshot' | 'delta'
  /** Range of ids that a snapshot covers, both ends included. Without a slice, the snapshot covers all ids. */
  readonly slice?: { readonly first: string; readonly last: string }
  readonly upstreamAt: Date | undefined
  /** When the file was put into an operator's directory. Dates data without a date of its own. */
  readonly deliveredAt?: Date
  /**
   * Number of records in upstream's own index, if it is known once this delivery is stored. A snapshot without a slice
   * needs none: from upstream, it is the whole index.
   */
  readonly indexCount?: number
  /** True for the first delivery of this kind: all its records are new, so their number is not checked. */
  readonly isFirst?: boolean
  /** Each record is a document of its own that was fetched and checked alone, so a bad one says nothing about the others. */
  readonly isPerDocument?: true
  /** How many of the documents that upstream's index listed before are no longer in it. */
  readonly unlisted?: { readonly missing: number; readonly of: number }
  /** Position after this delivery, as plain JSON, from which the next run continues. */
  readonly cursor: unknown
  /** Byte counts for the progress display: of the run's earlier deliveries, of this one, and of all deliveries. */
  readonly bytes?: { readonly before: number; readonly own: number; readonly total: number }
  /** Throws a FeedError if the file is truncated. Calls onBytes with the bytes consumed since the last call. */
  records(onBytes: (count: number) => void): AsyncIterable<Reading<Raw>>
}

export type Reading<Raw> = { readonly raw: Raw } | Rejected

export interface Rejected {
  /** Identifies the record for an operator, for example by its id, as far as it could be read. */
  readonly rejected: string
  readonly reason: string
}

export function isRejected(value: unknown): value is Rejected {
  return typeof value === 'object' && value !== null && 'rejected' in value && 'reason' in value
}

export async function* mapReadings<From, To>(
  readings: AsyncIterable<Reading<From>>,
  convert: (raw: From) => To,
): AsyncGenerator<Reading<To>, void, undefined> {
  for await (const reading of readings) yield 'raw' in reading ? { raw: convert(reading.raw) } : reading
}

/** Expected failure of a feed run. The message is shown to operators. */
export class FeedError extends Error {
  override name = 'FeedError'
}

/** Error: the directory given by the operator contains no file of this feed. */
export class NoFilesError extends FeedError {
  override name = 'NoFilesError'
}

/** Error: the upstream has no file at the requested address (404). */
export class MissingFileError extends FeedError {
  override name = 'MissingFileError'
}

/** Error: a guard (sanity check) rejected the delivery (file or page), so the delivery is not stored. */
export class GuardError extends FeedError {
  override name = 'GuardError'
}

/** Error: the process was asked to stop during the feed run. Such a run does not count as a failure of the feed. */
export class StoppedError extends FeedError {
  override name = 'StoppedError'
}

/** Error: the lease expired during the feed run and another worker has acquired it. */
export class LeaseLostError extends FeedError {
  override name = 'LeaseLostError'
}
