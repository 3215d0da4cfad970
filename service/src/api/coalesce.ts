// Shares one query per database among all requests that need its result at the same time, and for a time after it.

export interface CoalesceOptions {
  /** How long a result is reused, counted from the start of its query. 0 shares only queries that are still running. */
  readonly maxAgeMs: number
}

interface SharedQuery<Result> {
  readonly startedAt: number
  readonly result: Promise<Result>
  isRunning: boolean
}

/**
 * Returns a function that runs `query` at most once at a time per `source`. `now` is the time of the request. A failed
 * query rejects for the requests that wait for it; the next request runs it again.
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

/** A result from the future of `nowMs` is not reused: the clock was set back. */
function isReusable({ startedAt, isRunning }: SharedQuery<unknown>, nowMs: number, maxAgeMs: number): boolean {
  const ageMs = nowMs - startedAt
  return maxAgeMs === 0 ? isRunning : ageMs >= 0 && ageMs < maxAgeMs
}
