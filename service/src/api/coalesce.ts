// Runs a query once for all requests that need its result at the same time or shortly after, separately for each
// database.

export interface CoalesceOptions {
  /** How long a result is reused, from the start of the query. 0 shares it only while the query runs. */
  readonly maxAgeMs: number
}

interface SharedQuery<Result> {
  readonly startedAt: number
  readonly result: Promise<Result>
  isRunning: boolean
}

/** If the query fails, all requests that wait for it fail, and the next one runs it again. */
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
