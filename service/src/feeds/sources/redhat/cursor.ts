// How far we have read the changes. Red Hat lists a change some time after the moment it names, so the last day is
// looked at again: what we have seen of them is kept by name.
import { type Static, Type } from 'typebox'
import { formatInstant, parseDateTime } from '../../../domain/instant.ts'
import type { FetchContext } from '../../feed.ts'
import { shapeOf } from '../../schema-check.ts'
import { type Change, changeOfKey, lastWords } from './change.ts'

const Validators = Type.Object({ etag: Type.Optional(Type.String()), lastModified: Type.Optional(Type.String()) })

const Cursor = Type.Object({
  /** The key of a change; everything up to it is settled. */
  since: Type.String(),
  /** Keys beyond it that are stored. */
  seen: Type.Array(Type.String()),
  /** Files that could not be had, by key, and how often they were asked for. */
  missing: Type.Record(Type.String(), Type.Integer()),
  /** Of the two lists, as of when nothing was left to do. */
  changes: Validators,
  deletions: Validators,
})

export type RedHatCursor = Static<typeof Cursor>

const shape = shapeOf(Cursor)

const OVERLAP_MS = 24 * 3_600_000
/** When Red Hat writes all its files anew, there are tens of thousands in that time. */
const MAX_SEEN = 5000
export const MAX_ATTEMPTS = 5

export function readCursor(context: FetchContext): RedHatCursor | undefined {
  const { cursor } = context
  if (cursor === undefined || cursor === null) return undefined
  if (shape.fits(cursor)) return cursor
  context.notice(
    `What was kept about how far Red Hat's files had been read cannot be understood (${shape.fault(cursor)}): they are read anew.`,
  )
  return undefined
}

export function cursorSince(at: Date): RedHatCursor {
  return { since: formatInstant(at), seen: [], missing: {}, changes: {}, deletions: {} }
}

/** What is listed and not stored yet, and what could not be had before; the oldest first. */
export function pendingIn(listed: readonly Change[], { since, seen, missing }: RedHatCursor): Change[] {
  const known = new Set(seen)
  const news = lastWords(listed).filter(({ key }) => key > since && !known.has(key))
  const again = Object.keys(missing).flatMap((key) => changeOfKey(key) ?? [])
  return lastWords([...again, ...news])
}

interface Step {
  readonly taken: readonly Change[]
  /** Those of them that could not be had. */
  readonly missed: readonly Change[]
  /** The whole upstream seems to be in trouble: that is no file's fault. */
  readonly isTrouble: boolean
}

/** After these were stored. Dates in the future do not count, or they would keep out all that comes after. */
export function advance(before: RedHatCursor, { taken, missed, isTrouble }: Step, now: Date): RedHatCursor {
  const seen = [...before.seen, ...taken.map(({ key }) => key)].sort()
  const newest = seen.findLast((key) => key <= formatInstant(now)) ?? before.since
  const overlap = new Date((parseDateTime(newest.slice(0, 20))?.getTime() ?? 0) - OVERLAP_MS)
  const kept = seen.slice(-MAX_SEEN)
  const since = [before.since, formatInstant(overlap), ...seen.slice(0, -MAX_SEEN)].reduce((one, other) =>
    one > other ? one : other,
  )
  return {
    since,
    seen: kept.filter((key) => key > since),
    missing: missingAfter(before.missing, { taken, missed, isTrouble }),
    changes: {},
    deletions: {},
  }
}

function missingAfter(before: RedHatCursor['missing'], { taken, missed, isTrouble }: Step): RedHatCursor['missing'] {
  const paths = new Set(taken.map(({ path }) => path))
  const others = Object.entries(before).filter(([key]) => !paths.has(changeOfKey(key)?.path ?? ''))
  const again = missed
    .map(({ key }) => [key, (before[key] ?? 0) + (isTrouble ? 0 : 1)] as const)
    .filter(([, tries]) => tries < MAX_ATTEMPTS)
  return Object.fromEntries([...others, ...again])
}
