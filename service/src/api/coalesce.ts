// Runs a database query once for all requests that need its result at the same time, or shortly after. Each database
// has its own shared result.

export interface CoalesceOptions {
  /**
   * How long a result is reused, measured from the start of the query. With 0, a result is shared only while the query
   * is still running.
   */
  readonly maxAgeMs: number
}

interface SharedQuery<Result> {
  readonly startedAt: number
  readonly result: Promise<Result>
  isRunning: boolean
}

/**
 * Returns a function that shares one run of `query` among several requests, separately for each `source` (database).
 * `now` is the time of the request. If the query fails, all requests that wait for it fail; the next request runs the
 * query again.
 */
export function coalesce<Source extends object, Result>(
  query: (source: Source, now: Date) => Promise<Result>,
  { maxAgeMs }: CoalesceOptions,
): (source: Source, now: Date) => Promise<Result> {
  const latest = new WeakMap<Source, SharedQuery<Result>>()
  return (source, now) => {
    const earlier = latest.get(source)
    if (earlier && isReusable(earlier, now.getTime(), maxAgeMs)) return earlier.result
    const shared = { startedAt: now.getTime(), result: query(source, now), isRunning: true }
    latest.set(source, shared)
    shared.result
      .catch(() => latest.get(source) === shared && latest.delete(source))
      .finally(() => {
        shared.isRunning = false
      })
    return shared.result
  }
}

/**
 * Returns whether the result of an earlier query may be reused. If the query seems to have started later than `nowMs`,
 * the clock was set back, the age of the result is unknown, and the result is not reused.
 */
function isReusable({ startedAt, isRunning }: SharedQuery<unknown>, nowMs: number, maxAgeMs: number): boolean {
  const ageMs = nowMs - startedAt
  return maxAgeMs === 0 ? isRunning : ageMs >= 0 && ageMs < maxAgeMs
}
