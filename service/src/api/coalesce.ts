// Runs a query once for all requests that need its result at the same time or shortly after. Each database has its own
// results.

export interface CoalesceOptions {
  /**
   * How long a result is reused, counted from the start of the query. With 0, it is shared only while the query runs.
   */
  readonly maxAgeMs: number
}

interface SharedQuery<Result> {
  readonly startedAt: number
  readonly result: Promise<Result>
  isRunning: boolean
}

/** If the query fails, all requests waiting for it fail, and the next request runs it again. */
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

/** A negative age means that the clock was set back: the real age is unknown, so the result is not reused. */
function isReusable({ startedAt, isRunning }: SharedQuery<unknown>, nowMs: number, maxAgeMs: number): boolean {
  const ageMs = nowMs - startedAt
  return maxAgeMs === 0 ? isRunning : ageMs >= 0 && ageMs < maxAgeMs
}
