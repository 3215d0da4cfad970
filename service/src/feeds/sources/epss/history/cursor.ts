// Cursor of the epss-history feed: which days it has already requested. Also plans the days of the next run.
import { Type } from 'typebox'
import { addDays, FIRST_EPSS_DAY, listDays } from '../../../../domain/epss-series/days.ts'
import { compileSchema } from '../../../schema-check.ts'

export interface HistoryCursor {
  /** All days from `oldest` to `newest` were requested. */
  readonly newest?: string
  readonly oldest?: string
  /** Requested days for which upstream has no usable file. */
  readonly missing: readonly string[]
  /** Last file of an unfinished import from a directory. */
  readonly fromDirectory?: string
}

const CURSOR = compileSchema(
  Type.Object({
    newest: Type.Optional(Type.String()),
    oldest: Type.Optional(Type.String()),
    missing: Type.Array(Type.String()),
    fromDirectory: Type.Optional(Type.String()),
  }),
)

export function readCursor(cursor: unknown): HistoryCursor {
  return CURSOR.matches(cursor) ? cursor : { missing: [] }
}

/** Number of days by which a file may be late. More recent days are left to the epss feed. */
const LAG_DAYS = 2
/** Number of days for which a missing file is requested again. */
const RETRY_DAYS = 14

/**
 * Plans recent missing days first, then new days, then earlier days, newest first: most queries are about recent
 * months.
 */
export function planDays(
  { newest, oldest, missing }: HistoryCursor,
  today: string,
  maxDays: number,
): readonly string[] {
  const last = addDays(today, -LAG_DAYS)
  const retried = missing.filter((day) => day >= addDays(today, -RETRY_DAYS))
  const newer = newest === undefined ? [] : listDays(addDays(newest, 1), last)
  const older = listDays(FIRST_EPSS_DAY, oldest === undefined ? last : addDays(oldest, -1)).toReversed()
  return [...retried, ...newer, ...older].slice(0, maxDays)
}

/** All days that upstream may have a file of, newest first. */
export function listPublishedDays(today: string): readonly string[] {
  return listDays(FIRST_EPSS_DAY, addDays(today, -LAG_DAYS)).toReversed()
}

export function passDay(cursor: HistoryCursor, day: string, isMissing: boolean): HistoryCursor {
  const others = cursor.missing.filter((each) => each !== day)
  return {
    ...cursor,
    newest: cursor.newest === undefined || day > cursor.newest ? day : cursor.newest,
    oldest: cursor.oldest === undefined || day < cursor.oldest ? day : cursor.oldest,
    missing: isMissing ? [...others, day].toSorted() : others,
  }
}
