// A data set has two ages: that of its last successful run, and that of the newest stored upstream release or record. A
// run that finds nothing new resets only the first, so a data set is stale if either exceeds its limit (decision E10).
import { DATA_SOURCES, isSourceId } from './sources.ts'

const DAY_SECONDS = 24 * 60 * 60

export interface DataSetTimes {
  readonly name: string
  readonly lastSuccessAt: Date | null
  /** Limit for the age of the last successful run. */
  readonly staleAfterSeconds: number
  /** Time of the newest stored release, record or delivery (`AS_OF_BASES`); null before the first import. */
  readonly upstreamAt: Date | null
}

/** What the time of a data set is. A release has a time of its own, else the newest record, else the delivery. */
export const AS_OF_BASES = ['released', 'newest_record', 'delivered'] as const

export type AsOfBasis = (typeof AS_OF_BASES)[number]

/** How much of upstream's database a data set holds. */
export interface DataSetExtent {
  /** Number of records in upstream's own index; null if it is not known. */
  readonly indexCount: number | null
  /** Number of upstream's records that are not held. */
  readonly unheldCount: number
}

/** Only a count proves that a data set is complete (decision E29). A sample or a partial load never is. */
export function isComplete({ indexCount, unheldCount }: DataSetExtent): boolean {
  return indexCount !== null && indexCount > 0 && unheldCount === 0
}

/** Returns null if the data set has no limit. */
export function maxDataAgeSeconds(name: string): number | null {
  const days = isSourceId(name) ? DATA_SOURCES[name].maxDataAgeDays : null
  return days === null ? null : days * DAY_SECONDS
}

/** Returns at least 0, because the clock of the worker that stored the time may be ahead of ours. */
export function ageInSeconds(time: Date | null, now: Date): number | null {
  return time && Math.max(0, Math.floor((now.getTime() - time.getTime()) / 1000))
}

/** A data set without a successful run is stale. */
export function isStale({ name, lastSuccessAt, staleAfterSeconds, upstreamAt }: DataSetTimes, now: Date): boolean {
  const runAge = ageInSeconds(lastSuccessAt, now)
  return runAge === null || runAge > staleAfterSeconds || isOutdated(name, upstreamAt, now)
}

/** States of a data set; `unknown`: the service has not read the database yet. */
export const DATA_SET_STATES = ['fresh', 'stale', 'partly_loaded', 'never_loaded', 'unknown'] as const

export type DataSetState = (typeof DATA_SET_STATES)[number]

export interface StoredDataSet {
  readonly tableCount: number
  readonly upstreamAt: Date | null
}

/** An import that finds no file succeeds without loading anything, so its time proves nothing. */
export function isNeverLoaded({ tableCount, upstreamAt }: StoredDataSet): boolean {
  return tableCount === 0 && upstreamAt === null
}

export function findDataSetState(dataset: DataSetTimes & StoredDataSet, now: Date): DataSetState {
  if (isNeverLoaded(dataset)) return 'never_loaded'
  if (dataset.lastSuccessAt === null) return 'partly_loaded'
  return isStale(dataset, now) ? 'stale' : 'fresh'
}

/** Applies one limit to both ages, instead of the data set's own limits. */
export function isOlderThan({ lastSuccessAt, upstreamAt }: DataSetTimes, maxAgeSeconds: number, now: Date): boolean {
  const [runAge, dataAge] = [ageInSeconds(lastSuccessAt, now), ageInSeconds(upstreamAt, now)]
  return runAge === null || Math.max(runAge, dataAge ?? 0) > maxAgeSeconds
}

/** Returns whether the newest stored release or record is older than the data set's limit. */
export function isOutdated(name: string, upstreamAt: Date | null, now: Date): boolean {
  const [dataAge, maxAge] = [ageInSeconds(upstreamAt, now), maxDataAgeSeconds(name)]
  return dataAge !== null && maxAge !== null && dataAge > maxAge
}
