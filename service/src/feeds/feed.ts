// What a feed is: how to get hold of what its upstream says, how to read it, and where to put it.
import type { Download } from './download.ts'
import type { Guard } from './guard.ts'
import type { Store } from './store.ts'

export interface Feed<Raw = unknown, Row = unknown> {
  /** One word: in commands, in tables, as the name of its data set. */
  readonly name: string
  /** For people. */
  readonly title: string
  readonly everySeconds: number
  /** Beyond this age its data set counts as stale. */
  readonly staleAfterSeconds: number
  /**
   * What there is to take over now, in the order in which it is to be stored. Each delivery is stored in one
   * transaction together with its cursor, so a run that dies goes on after the last one that was stored.
   * Nothing new: no delivery. Anything that is not plainly the upstream's data: a FeedError.
   */
  fetch(context: FetchContext): AsyncIterable<Delivery<Raw>>
  /** Pure: a row, or the reason why there is none. */
  normalise(raw: Raw, now: Date): Row | Rejected
  /** Beside those that every feed has. */
  readonly guards: readonly Guard[]
  readonly store: Store<Row>
}

/** What a feed is given for one run. */
export interface FetchContext {
  /** What the last stored delivery left behind; undefined before the first. */
  readonly cursor: unknown
  readonly now: Date
  /** The directory to read from instead of the network. */
  readonly from: string | undefined
  readonly download: Download
  /** A folder for the files of this run; it is gone afterwards. */
  readonly spool: string
  /** Ends when the run must end: the lease was lost, or the process is told to stop. */
  readonly signal: AbortSignal
  /** Something an operator should know although nothing failed. */
  notice(sentence: string): void
}

export interface Delivery<Raw> {
  /** The file or page, for people. */
  readonly label: string
  /** A snapshot says everything there is, in its slice; a delta says what changed, and never removes anything. */
  readonly kind: 'snapshot' | 'delta'
  /** Which ids a snapshot speaks of, both ends included; absent: all of them. */
  readonly slice?: { readonly first: string; readonly last: string }
  readonly upstreamAt: Date | undefined
  /** The first of its kind that comes from the network: how many records are new cannot be judged. */
  readonly isFirst?: boolean
  /** Plain JSON. Stored with the data, and given back to the next run. */
  readonly cursor: unknown
  /** Where this delivery stands among those of the run, to tell how much is left. */
  readonly bytes?: { readonly before: number; readonly own: number; readonly total: number }
  /** Reads to the very end, and throws a FeedError if the end is missing. Calls onBytes with what was consumed. */
  records(onBytes: (count: number) => void): AsyncIterable<Reading<Raw>>
}

export type Reading<Raw> = { readonly raw: Raw } | Rejected

export interface Rejected {
  /** What upstream calls the record, as far as it can be told. */
  readonly rejected: string
  readonly reason: string
}

export function isRejected(value: unknown): value is Rejected {
  return typeof value === 'object' && value !== null && 'rejected' in value && 'reason' in value
}

/** Why a run ended without success, in words an operator understands. */
export class FeedError extends Error {
  override name = 'FeedError'
}

/** A directory holds no file of this feed. */
export class NoFilesError extends FeedError {
  override name = 'NoFilesError'
}

/** Understood, and not believed: a guard said no. */
export class GuardError extends FeedError {
  override name = 'GuardError'
}

/** The process was told to stop. Nothing is wrong with the feed. */
export class StoppedError extends FeedError {
  override name = 'StoppedError'
}

/** Somebody else holds the lease now. */
export class LeaseLostError extends FeedError {
  override name = 'LeaseLostError'
}
