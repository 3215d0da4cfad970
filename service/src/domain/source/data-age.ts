// Age of the data sets. A data set has two ages: the age of its last successful run, and the age of the newest upstream
// release or record that is stored. A run that finds nothing new resets only the first age, so a data set is stale if
// either age exceeds its limit (decision E10).
import { DATA_SOURCES, isSourceId } from './sources.ts'

const DAY_SECONDS = 24 * 60 * 60

export interface DataSetTimes {
  readonly name: string
  readonly lastSuccessAt: Date | null
  /** Age of the last successful run, in seconds, above which the data set is stale. */
  readonly staleAfterSeconds: number
  /** Time of the newest upstream release or record that is stored; null if upstream states no time. */
  readonly upstreamAt: Date | null
}

/** Returns the maximum age of a data set's newest release in seconds, or null if the data set has no such limit. */
export function maxDataAgeSeconds(name: string): number | null {
  const days = isSourceId(name) ? DATA_SOURCES[name].maxDataAgeDays : null
  return days === null ? null : days * DAY_SECONDS
}

/**
 * Returns the seconds from a time until now, or null without a time. The age is 0 if the time is in the future, because
 * the clock of the worker that stored the time may be ahead of the clock of this process.
 */
export function ageInSeconds(time: Date | null, now: Date): number | null {
  return time && Math.max(0, Math.floor((now.getTime() - time.getTime()) / 1000))
}

/** Returns whether the last successful run or the newest stored release is too old. A data set without a run is stale. */
export function isStale({ name, lastSuccessAt, staleAfterSeconds, upstreamAt }: DataSetTimes, now: Date): boolean {
  const runAge = ageInSeconds(lastSuccessAt, now)
  return runAge === null || runAge > staleAfterSeconds || isOutdated(name, upstreamAt, now)
}

/** Like isStale, but with one limit for both ages instead of the limits of the data set. */
export function isOlderThan({ lastSuccessAt, upstreamAt }: DataSetTimes, maxAgeSeconds: number, now: Date): boolean {
  const [runAge, dataAge] = [ageInSeconds(lastSuccessAt, now), ageInSeconds(upstreamAt, now)]
  return runAge === null || Math.max(runAge, dataAge ?? 0) > maxAgeSeconds
}

/** Returns whether the newest stored release or record of a data set is older than the limit of the data set. */
export function isOutdated(name: string, upstreamAt: Date | null, now: Date): boolean {
  const [dataAge, maxAge] = [ageInSeconds(upstreamAt, now), maxDataAgeSeconds(name)]
  return dataAge !== null && maxAge !== null && dataAge > maxAge
}
