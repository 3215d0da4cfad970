// Keeps the newest rows of the change log in memory. Calls wait here for a change without using a database connection,
// and a call is answered from here if nothing has changed since its position.
import { isAfter, isSamePosition, type Position, START } from '../../domain/change/position.ts'
import { type ChangeFilter, type FilteredRow, matchesFilter } from './filter.ts'

export interface WindowRow extends FilteredRow {
  readonly position: Position
}

export interface PolledLog {
  readonly newest: Position
  readonly oldest: Position
  /** Rows since the previous poll; undefined if there are too many, or if the log was replaced. */
  readonly rows: readonly WindowRow[] | undefined
}

export interface ChangeWindow {
  bounds(): { readonly newest: Position; readonly oldest: Position }
  /**
   * Returns undefined if only the database can answer: the position is older than the window, unknown, or from another
   * history.
   */
  hasNothingAfter(since: Position, filter: ChangeFilter): boolean | undefined
  /**
   * Resolves when the filter accepts a row after `since`, the time is up, the signal aborts, or the node stops. Returns
   * undefined if there is nothing to wait for: such a row exists already, or only the database can answer.
   */
  wait(
    since: Position,
    filter: ChangeFilter,
    options: { readonly ms: number; readonly signal: AbortSignal },
  ): Promise<void> | undefined
}

export interface FedChangeWindow extends ChangeWindow {
  advance(polled: PolledLog): void
  /** Ends all current and future waits immediately. */
  endWaits(): void
}

/** These rows take about 2 MB. */
const MAX_ROWS = 10_000

/** `isCurrent`: whether the change log was read recently. */
export function createChangeWindow(isCurrent: () => boolean): FedChangeWindow {
  // All rows after `start` are in the window.
  let [start, newest, oldest]: [Position, Position, Position] = [START, START, START]
  let rows: readonly WindowRow[] = []
  const waiting = new Set<() => void>()
  let hasEnded = false
  const hasNothingAfter = (since: Position, filter: ChangeFilter) => {
    if (!isCurrent()) return undefined
    const index = isSamePosition(since, start) ? 0 : findIndexAfter(rows, since)
    return index === undefined ? undefined : !rows.slice(index).some((row) => matchesFilter(filter, row))
  }
  return {
    bounds: () => ({ newest, oldest }),
    hasNothingAfter,
    advance: (polled) => {
      const all = polled.rows && [...rows, ...polled.rows]
      rows = all?.slice(-MAX_ROWS) ?? []
      start = all === undefined ? polled.newest : (all.at(-MAX_ROWS - 1)?.position ?? start)
      ;[newest, oldest] = [polled.newest, polled.oldest]
      for (const check of waiting) check()
    },
    wait: (since, filter, { ms, signal }) => {
      if (hasEnded || ms === 0 || hasNothingAfter(since, filter) !== true) return undefined
      return new Promise((resolve) => {
        const end = () => {
          clearTimeout(timer)
          waiting.delete(check)
          resolve()
        }
        const check = () => {
          if (hasEnded || hasNothingAfter(since, filter) === false) end()
        }
        const timer = setTimeout(end, ms)
        waiting.add(check)
        signal.addEventListener('abort', end, { once: true })
      })
    },
    endWaits: () => {
      hasEnded = true
      for (const check of waiting) check()
    },
  }
}

/** Returns undefined if no row has the position. */
function findIndexAfter(rows: readonly WindowRow[], since: Position): number | undefined {
  let [low, high] = [0, rows.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const row = rows[middle]
    if (row && isAfter(since, row.position)) low = middle + 1
    else high = middle
  }
  const found = rows[low]
  return found && isSamePosition(found.position, since) ? low + 1 : undefined
}
