// How far we have read GitHub's advisories.
import { type Static, Type } from 'typebox'
import { formatInstant, parseDateTime } from '../../../domain/instant.ts'
import type { FetchContext } from '../../feed.ts'
import { shapeOf } from '../../schema-check.ts'

const Cursor = Type.Object({
  /** Up to here we know of every change. */
  since: Type.String(),
  /** When we last asked for all of it. */
  archiveAt: Type.String(),
  /** What was last asked, and what GitHub said of its answer: the same question may have the same answer. */
  first: Type.Union([
    Type.Object({
      url: Type.String(),
      validators: Type.Object({ etag: Type.Optional(Type.String()), lastModified: Type.Optional(Type.String()) }),
    }),
    Type.Null(),
  ]),
})

export type GhsaCursor = Static<typeof Cursor>

const shape = shapeOf(Cursor)

const DAY_MS = 24 * 3_600_000

/** Undefined: everything is to be read, for the first time or again. */
export function readCursor(context: FetchContext): (GhsaCursor & { readonly at: Date }) | undefined {
  const { cursor } = context
  if (cursor === undefined || cursor === null) return undefined
  const at = shape.fits(cursor) ? parseDateTime(cursor.since) : undefined
  if (shape.fits(cursor) && at) return { ...cursor, at }
  // Reading everything again is slow and does no harm; being stuck would do some.
  context.notice(
    "What was kept about how far GitHub's advisories had been read cannot be understood: they are read anew.",
  )
  return undefined
}

/** The archive is behind the API, by hours as a rule. */
export function cursorAfterArchive(now: Date): GhsaCursor {
  return { since: formatInstant(new Date(now.getTime() - DAY_MS)), archiveAt: formatInstant(now), first: null }
}

/** It is large, and a day of many changes is followed by one on which they are still recent. */
export function mayAskForArchive({ archiveAt }: GhsaCursor, now: Date): boolean {
  const at = parseDateTime(archiveAt)
  return at === undefined || now.getTime() - at.getTime() >= DAY_MS
}

/** Whatever was dated back, or had not reached every one of GitHub's machines when we last asked. */
export function askedFrom(since: Date): Date {
  return new Date(since.getTime() - DAY_MS)
}
