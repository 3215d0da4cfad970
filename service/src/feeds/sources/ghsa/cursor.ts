// Cursor of the GHSA feed: the position up to which GitHub's advisories are imported.
import { type Static, Type } from 'typebox'
import { formatInstant, parseDateTime } from '../../../domain/instant.ts'
import type { FetchContext } from '../../feed.ts'
import { compileSchema } from '../../schema-check.ts'
import { RECORD_VERSION } from './advisory.ts'

const Cursor = Type.Object({
  /** Version of the form of the stored advisories: a cursor of another version is invalid. */
  recordVersion: Type.Literal(RECORD_VERSION),
  /** Time up to which every change of an advisory is imported. */
  since: Type.String(),
  /** Time of the last download of the advisory archive. */
  archiveAt: Type.String(),
  /** First page of the last API query with its HTTP validators, for a conditional request in the next run. */
  first: Type.Union([
    Type.Object({
      url: Type.String(),
      validators: Type.Object({ etag: Type.Optional(Type.String()), lastModified: Type.Optional(Type.String()) }),
    }),
    Type.Null(),
  ]),
})

export type GhsaCursor = Static<typeof Cursor>

const shape = compileSchema(Cursor)

const DAY_MS = 24 * 3_600_000

/**
 * Parses the cursor of the GHSA feed. Returns undefined if all advisories have to be imported: in the first run, or if
 * the stored cursor is invalid or belongs to an older form of the stored advisories.
 */
export function readCursor(context: FetchContext): (GhsaCursor & { readonly at: Date }) | undefined {
  const { cursor } = context
  if (cursor === undefined || cursor === null) return undefined
  const at = shape.matches(cursor) ? parseDateTime(cursor.since) : undefined
  if (shape.matches(cursor) && at) return { ...cursor, at }
  // If the stored cursor is invalid, all advisories are imported again, which is slow but harmless. Throwing an error
  // would make every later run fail too.
  context.notice(
    "The stored position in GitHub's advisories is invalid or of an older version: importing all advisories again.",
  )
  return undefined
}

/**
 * Returns the cursor of the GHSA feed after an import of the archive. The next API query starts one day before the
 * download of the archive, because the archive is usually hours behind the API.
 */
export function cursorAfterArchive(now: Date): GhsaCursor {
  const since = formatInstant(new Date(now.getTime() - DAY_MS))
  return { recordVersion: RECORD_VERSION, since, archiveAt: formatInstant(now), first: null }
}

/**
 * Allows at most one download of the advisory archive per day, because the archive is large. No change is lost by
 * waiting: the API still lists the same changes on the next day.
 */
export function isArchiveDue({ archiveAt }: GhsaCursor, now: Date): boolean {
  const at = parseDateTime(archiveAt)
  return at === undefined || now.getTime() - at.getTime() >= DAY_MS
}

/**
 * Subtracts one day from the start of an API query, so that consecutive queries overlap. Advisories may be backdated or
 * may not yet have reached all of GitHub's servers.
 */
export function subtractOverlap(since: Date): Date {
  return new Date(since.getTime() - DAY_MS)
}
