// Position in a provider's lists. A change may be listed some time after the date that the list gives for it, so every run
// checks the last day again. For that day, the cursor holds the keys of the documents that are already stored.
import { type Static, Type } from 'typebox'
import { formatInstant, parseDateTime } from '../../../../domain/instant.ts'
import type { FetchContext } from '../../../feed.ts'
import { compileSchema, httpValidators } from '../../../schema-check.ts'
import type { ListedDocument } from './listing.ts'

const Cursor = Type.Object({
  /** Time of a change, or its key (time and address). All documents up to it are stored. */
  since: Type.String(),
  /** Keys of stored documents after `since`. */
  seen: Type.Array(Type.String()),
  /** Documents that could not be downloaded or verified, by address, with the number of attempts. */
  failed: Type.Record(Type.String(), Type.Integer()),
  /** Number of documents in all lists when they were last read completely; 0 before that. */
  listed: Type.Integer(),
  /** By address of the distribution; only set once all listed documents are stored. */
  validators: Type.Record(Type.String(), httpValidators),
})

export type ProviderCursor = Static<typeof Cursor>

const shape = compileSchema(Cursor)

const OVERLAP_MS = 24 * 3_600_000
/** Providers sometimes rewrite all their files within a day; the limit keeps the cursor small. */
const MAX_SEEN = 5000
/** If more documents fail, the others wait until their listed time changes. */
const MAX_FAILED = 1000
const MAX_ATTEMPTS = 5

const START: ProviderCursor = { since: '', seen: [], failed: {}, listed: 0, validators: {} }

export function readCursor(context: FetchContext): ProviderCursor {
  const { cursor } = context
  if (cursor === undefined || cursor === null) return START
  if (shape.matches(cursor)) return cursor
  context.notice(
    `The stored position is invalid (${shape.describeMismatch(cursor)}): all documents are downloaded again.`,
  )
  return START
}

/** A document that failed and is no longer listed is never requested again. */
export function forgetUnlisted(cursor: ProviderCursor, listed: readonly ListedDocument[]): ProviderCursor {
  const addresses = new Set(listed.map(({ url }) => url.href))
  const failed = Object.entries(cursor.failed).filter(([href]) => addresses.has(href))
  return { ...cursor, failed: Object.fromEntries(failed) }
}

/** Oldest first. Includes the documents that failed earlier. */
export function findPending(
  listed: readonly ListedDocument[],
  { since, seen, failed }: ProviderCursor,
): readonly ListedDocument[] {
  const known = new Set(seen)
  return listed.filter(({ key, url }) => failed[url.href] !== undefined || (key > since && !known.has(key)))
}

interface Step {
  readonly requested: readonly ListedDocument[]
  readonly failed: readonly ListedDocument[]
}

export function advance(before: ProviderCursor, { requested, failed }: Step): ProviderCursor {
  const seen = [...new Set([...before.seen, ...requested.map(({ key }) => key)])].sort()
  const newest = seen.at(-1) ?? before.since
  const overlap = new Date((parseDateTime(newest.slice(0, 20))?.getTime() ?? 0) - OVERLAP_MS)
  const since = [before.since, formatInstant(overlap), ...seen.slice(0, -MAX_SEEN)].reduce((one, other) =>
    one > other ? one : other,
  )
  return {
    ...before,
    since,
    seen: seen.slice(-MAX_SEEN).filter((key) => key > since),
    failed: updateFailed(before.failed, { requested, failed }),
    validators: {},
  }
}

/** A document that has failed too often is requested again only when its listed time changes. */
function updateFailed(before: ProviderCursor['failed'], { requested, failed }: Step): ProviderCursor['failed'] {
  const addresses = new Set(requested.map(({ url }) => url.href))
  const others = Object.entries(before).filter(([href]) => !addresses.has(href))
  const retries = failed
    .map(({ url: { href } }) => [href, (before[href] ?? 0) + 1] as const)
    .filter(([, attempts]) => attempts < MAX_ATTEMPTS)
  return Object.fromEntries([...others, ...retries].slice(0, MAX_FAILED))
}
