// The newest rows of the change log in the memory of this node. Calls that wait for a change wait here, without a database
// connection, and a call after whose position nothing changed is answered from here.
import { isAfter, isSamePosition, type Position, START } from '../../domain/change/position.ts'
import { type ChangeFilter, type FilteredRow, matchesFilter } from './filter.ts'

export interface WindowRow extends FilteredRow {
  readonly position: Position
}

/** The bounds of the change log, and its new rows, as one poll has read them. */
export interface PolledLog {
  readonly newest: Position
  readonly oldest: Position
  /** The rows since the previous poll; undefined if there are too many, or if the log was replaced. */
  readonly rows: readonly WindowRow[] | undefined
}

export interface ChangeWindow {
  /** The newest and the oldest position in the log. */
  bounds(): { readonly newest: Position; readonly oldest: Position }
  /**
   * Returns whether the log has no row after `since` that the filter accepts. Returns undefined if this node cannot say
   * so from memory: the position is older than the window, unknown or of another history.
   */
  hasNothingAfter(since: Position, filter: ChangeFilter): boolean | undefined
  /**
   * Waits until a row after `since` is accepted by the filter, the time is over, the signal aborts, or the node stops.
   * Returns undefined if there is nothing to wait for: there is such a row, or only the database can tell.
   */
  wait(
    since: Position,
    filter: ChangeFilter,
    options: { readonly ms: number; readonly signal: AbortSignal },
  ): Promise<void> | undefined
}

export interface FedChangeWindow extends ChangeWindow {
  advance(polled: PolledLog): void
  /** Ends all waits at once, and all later ones. */
  endWaits(): void
}

/** About 2 MB of memory. */
const MAX_ROWS = 10_000

/** Creates the window. `isCurrent` returns whether the change log was read lately. */
export function createChangeWindow(isCurrent: () => boolean): FedChangeWindow {
  // The window has every row after the position `start`.
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

/** Returns the index of the row after the given position; undefined if no row has the position. */
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
