// Cursor of the GHSA feed: the position up to which GitHub's advisories are imported.
import { type Static, Type } from 'typebox'
import { formatInstant, parseDateTime } from '../../../domain/instant.ts'
import type { FetchContext } from '../../feed.ts'
import { compileSchema, httpValidators } from '../../schema-check.ts'
import { RECORD_VERSION } from './advisory.ts'

const Cursor = Type.Object({
  /** Format version of the stored advisories. A cursor with another version is invalid. */
  recordVersion: Type.Literal(RECORD_VERSION),
  /** All changes up to this time are imported. */
  since: Type.String(),
  archiveAt: Type.String(),
  /** First page of the last API query, for a conditional request in the next run. */
  first: Type.Union([Type.Object({ url: Type.String(), validators: httpValidators }), Type.Null()]),
})

export type GhsaCursor = Static<typeof Cursor>

const shape = compileSchema(Cursor)

const DAY_MS = 24 * 3_600_000

/** Returns undefined if all advisories have to be imported. */
export function readCursor(context: FetchContext): (GhsaCursor & { readonly at: Date }) | undefined {
  const { cursor } = context
  if (cursor === undefined || cursor === null) return undefined
  const at = shape.matches(cursor) ? parseDateTime(cursor.since) : undefined
  if (shape.matches(cursor) && at) return { ...cursor, at }
  // Importing everything again is slow but harmless; an error would make every later run fail too.
  context.notice(
    "The stored position in GitHub's advisories is invalid or of an older version: importing all advisories again.",
  )
  return undefined
}

/** The next query starts one day before the download: the archive is usually hours behind the API. */
export function cursorAfterArchive(now: Date): GhsaCursor {
  const since = formatInstant(new Date(now.getTime() - DAY_MS))
  return { recordVersion: RECORD_VERSION, since, archiveAt: formatInstant(now), first: null }
}

/** The archive is large. No change is lost by waiting, because the API still lists it on the next day. */
export function isArchiveDue({ archiveAt }: GhsaCursor, now: Date): boolean {
  const at = parseDateTime(archiveAt)
  return at === undefined || now.getTime() - at.getTime() >= DAY_MS
}

/** Queries overlap by a day: advisories may be backdated, or not have reached all of GitHub's servers yet. */
export function subtractOverlap(since: Date): Date {
  return new Date(since.getTime() - DAY_MS)
}
