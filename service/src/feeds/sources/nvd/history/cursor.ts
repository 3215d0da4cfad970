// Cursor of the feed nvd-history: the period whose changes are stored without a gap. Also plans the windows of a run.
import { type Static, Type } from 'typebox'
import { formatInstant, parseDateTime } from '../../../../domain/instant.ts'
import { compileSchema } from '../../../schema-check.ts'
import type { Window } from '../api-window.ts'

const CursorSchema = Type.Object({
  /** All changes from `oldest` to `newest` were stored. */
  oldest: Type.Optional(Type.String()),
  newest: Type.Optional(Type.String()),
  /** Start of the last window of an unfinished import from a directory. */
  fromDirectory: Type.Optional(Type.String()),
})

const shape = compileSchema(CursorSchema)

export interface Period {
  readonly oldest: Date
  readonly newest: Date
}

export function readPeriod(cursor: unknown): Period | undefined {
  if (!shape.matches(cursor)) return undefined
  const [oldest, newest] = [parseDateTime(cursor.oldest ?? ''), parseDateTime(cursor.newest ?? '')]
  return oldest && newest && { oldest, newest }
}

/** Undefined unless an import from a directory is unfinished. */
export function readDirectoryPosition(cursor: unknown): Date | undefined {
  return shape.matches(cursor) ? parseDateTime(cursor.fromDirectory ?? '') : undefined
}

export function toCursor({ oldest, newest }: Period): Static<typeof CursorSchema> {
  return { oldest: formatInstant(oldest), newest: formatInstant(newest) }
}

/**
 * Adds a window that touches the period. A window elsewhere leaves a gap, so that the period stays as it is; the changes
 * are stored nevertheless.
 */
export function extendPeriod(period: Period | undefined, { from, until }: Window): Period {
  if (period === undefined) return { oldest: from, newest: until }
  if (from > period.newest || until < period.oldest) return period
  return {
    oldest: from < period.oldest ? from : period.oldest,
    newest: until > period.newest ? until : period.newest,
  }
}

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
/** NVD says that its history is less detailed before 2015, so earlier changes could not be undone reliably. */
export const FIRST_DAY = new Date('2015-01-01T00:00:00Z')
/** New changes are read at most this often, because each time the last days are read again. */
const REFRESH_AFTER_MS = 6 * HOUR_MS
/** For changes that NVD dates back, or had not finished when the last window ended. */
const OVERLAP_MS = 7 * DAY_MS
const WINDOW_MS = 14 * DAY_MS
/** NVD accepts windows of up to 120 days. */
const MAX_WINDOW_MS = 112 * DAY_MS
/** The next window is longer after a window with fewer changes, and shorter after one with more. */
const [FEW_CHANGES, MANY_CHANGES] = [10_000, 20_000]
/** Waits until a window has ended by NVD's clock too. */
export const CLOCK_MARGIN_MS = 5 * 60_000

/**
 * New changes come first, then earlier ones, newest first, because most questions are about recent months. The caller
 * passes the number of changes that it found in each window.
 */
export function* planWindows(period: Period | undefined, now: Date): Generator<Window, undefined, number> {
  const end = new Date(Math.floor((now.getTime() - CLOCK_MARGIN_MS) / 1000) * 1000)
  const newest = period?.newest ?? end
  if (period && end.getTime() - newest.getTime() >= REFRESH_AFTER_MS) {
    let from = new Date(newest.getTime() - OVERLAP_MS)
    while (from < end) {
      const until = new Date(Math.min(from.getTime() + WINDOW_MS, end.getTime()))
      yield { from, until }
      from = until
    }
  }
  let [until, length] = [period?.oldest ?? end, WINDOW_MS]
  while (until > FIRST_DAY) {
    const from = new Date(Math.max(until.getTime() - length, FIRST_DAY.getTime()))
    const found: number = yield { from, until }
    until = from
    if (found < FEW_CHANGES) length = Math.min(length * 2, MAX_WINDOW_MS)
    if (found > MANY_CHANGES) length = Math.max(length / 2, DAY_MS)
  }
  return undefined
}
