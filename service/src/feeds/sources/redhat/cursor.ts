// Cursor of the Red Hat feed. A change may appear in Red Hat's lists some time after the date that the lists give for
// it, so every run checks the last day again. For that day, the cursor holds the keys of the changes that are already
// stored.
import { type Static, Type } from 'typebox'
import { formatInstant, parseDateTime } from '../../../domain/instant.ts'
import type { FetchContext } from '../../feed.ts'
import { compileSchema, httpValidators } from '../../schema-check.ts'
import { type Change, keepLatest, parseChangeKey } from './change-lists.ts'

const Cursor = Type.Object({
  /** Time of a change, or its key (time and path). All changes up to it are stored. */
  since: Type.String(),
  /** Keys of stored changes after `since`. */
  seen: Type.Array(Type.String()),
  /** Failed downloads of changed documents, by the key of the change. */
  missing: Type.Record(Type.String(), Type.Integer()),
  /** Validators of the two lists, set when all listed changes were stored. */
  changes: httpValidators,
  deletions: httpValidators,
})

export type RedHatCursor = Static<typeof Cursor>

const shape = compileSchema(Cursor)

const OVERLAP_MS = 24 * 3_600_000
/** Red Hat sometimes rewrites tens of thousands of files within a day; the limit keeps the cursor small. */
const MAX_SEEN = 5000
export const MAX_ATTEMPTS = 5

export function readCursor(context: FetchContext): RedHatCursor | undefined {
  const { cursor } = context
  if (cursor === undefined || cursor === null) return undefined
  if (shape.matches(cursor)) return cursor
  context.notice(
    `The stored position in Red Hat's changes is invalid (${shape.describeMismatch(cursor)}): importing the archive again.`,
  )
  return undefined
}

export function startCursor(at: Date): RedHatCursor {
  return { since: formatInstant(at), seen: [], missing: {}, changes: {}, deletions: {} }
}

/** Returns the oldest change first. Includes the changes whose download failed earlier. */
export function findPending(listed: readonly Change[], { since, seen, missing }: RedHatCursor): Change[] {
  const known = new Set(seen)
  const fresh = keepLatest(listed).filter(({ key }) => key > since && !known.has(key))
  const retries = Object.keys(missing).flatMap((key) => parseChangeKey(key) ?? [])
  return keepLatest([...retries, ...fresh])
}

interface Step {
  readonly requested: readonly Change[]
  readonly failed: readonly Change[]
  /** If true, failed downloads do not count as attempts. */
  readonly isUpstreamDown: boolean
}

/** Never moves the cursor to a future date, because all changes before that date would be skipped. */
export function advance(before: RedHatCursor, { requested, failed, isUpstreamDown }: Step, now: Date): RedHatCursor {
  const seen = [...before.seen, ...requested.map(({ key }) => key)].sort()
  const newest = seen.findLast((key) => key <= formatInstant(now)) ?? before.since
  const overlap = new Date((parseDateTime(newest.slice(0, 20))?.getTime() ?? 0) - OVERLAP_MS)
  const kept = seen.slice(-MAX_SEEN)
  const since = [before.since, formatInstant(overlap), ...seen.slice(0, -MAX_SEEN)].reduce((one, other) =>
    one > other ? one : other,
  )
  return {
    since,
    seen: kept.filter((key) => key > since),
    missing: updateMissing(before.missing, { requested, failed, isUpstreamDown }),
    changes: {},
    deletions: {},
  }
}

function updateMissing(
  before: RedHatCursor['missing'],
  { requested, failed, isUpstreamDown }: Step,
): RedHatCursor['missing'] {
  const paths = new Set(requested.map(({ path }) => path))
  const others = Object.entries(before).filter(([key]) => !paths.has(parseChangeKey(key)?.path ?? ''))
  const retries = failed
    .map(({ key }) => [key, (before[key] ?? 0) + (isUpstreamDown ? 0 : 1)] as const)
    .filter(([, attempts]) => attempts < MAX_ATTEMPTS)
  return Object.fromEntries([...others, ...retries])
}
