// Runs a query once per database and shares the result among all requests that need the result at the same time or
// shortly after.

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
 * Returns a function that runs at most one `query` per `source` at a time. `now` is the time of the request. If the
 * query fails, all requests that wait for the query fail; the next request runs the query again.
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

/** A result whose query started later than `nowMs` is not reused: the clock was set back. */
function isReusable({ startedAt, isRunning }: SharedQuery<unknown>, nowMs: number, maxAgeMs: number): boolean {
  const ageMs = nowMs - startedAt
  return maxAgeMs === 0 ? isRunning : ageMs >= 0 && ageMs < maxAgeMs
}
