// Helpers for feeds whose upstream publishes all records in one dated release. A newer release or the same release again
// is imported; an earlier one is refused.
import { join } from 'node:path'
import { Type } from 'typebox'
import { formatInstant, parseDateTime } from '../../domain/instant.ts'
import type { DownloadRequest, Validators } from '../download.ts'
import { type Delivery, FeedError, type FetchContext } from '../feed.ts'
import { compileSchema } from '../schema-check.ts'

/** Cursor of a feed with dated releases. */
export interface ReleaseCursor {
  readonly releasedAt: string
  /** Upstream's version of the catalog or model. */
  readonly version: string
  /** Validators of the download. Empty if the release was read from a directory. */
  readonly validators: Validators
}

const CURSOR = compileSchema(
  Type.Object({
    releasedAt: Type.String(),
    version: Type.String(),
    validators: Type.Object({ etag: Type.Optional(Type.String()), lastModified: Type.Optional(Type.String()) }),
  }),
)

/** Tolerated difference between an upstream's clock and ours: a time this far ahead is not a future date. */
const MAX_CLOCK_SKEW_MS = 60 * 60_000

export function readReleaseCursor(cursor: unknown): ReleaseCursor | undefined {
  return CURSOR.matches(cursor) ? cursor : undefined
}

export interface ReleaseFile {
  readonly path: string
  readonly bytes: number
  readonly validators: Validators
}

interface ReleaseRequest extends Omit<DownloadRequest, 'validators'> {
  /** Upstream's file name. */
  readonly name: string
}

/** Returns undefined if upstream still has the release that is stored. */
export async function downloadRelease(
  context: FetchContext,
  { name, ...request }: ReleaseRequest,
  held: Pick<ReleaseCursor, 'validators'> | undefined,
): Promise<ReleaseFile | undefined> {
  const path = join(context.spool, name)
  const result = await context.download.file({ ...request, ...(held && { validators: held.validators }) }, path)
  return result.isUnchanged ? undefined : { path, bytes: result.bytes, validators: result.validators }
}

/**
 * Returns the release time, at most now (decision C22). Throws for a release dated in the future, because it would block
 * all later releases, and for a release before the stored one.
 */
export function checkReleaseDate(releasedAt: Date, held: ReleaseCursor | undefined, now: Date): Date {
  if (releasedAt.getTime() - now.getTime() > MAX_CLOCK_SKEW_MS)
    throw new FeedError(
      `The release is dated ${formatInstant(releasedAt)}, which is in the future. The stored data is unchanged.`,
    )
  const heldAt = held && parseDateTime(held.releasedAt)
  if (heldAt && releasedAt < heldAt)
    throw new FeedError(
      `The release of ${formatInstant(releasedAt)} is older than the stored one of ${formatInstant(heldAt)}. The stored data is unchanged.`,
    )
  return releasedAt < now ? releasedAt : now
}

/** Returns the date, cursor and size of a delivery that is read from one release file. */
export function toReleaseDelivery(
  file: ReleaseFile,
  release: { readonly version: string; readonly at: Date } | undefined,
  held: ReleaseCursor | undefined,
  now: Date,
): Pick<Delivery<unknown>, 'upstreamAt' | 'cursor' | 'bytes'> {
  const bytes = { before: 0, own: file.bytes, total: file.bytes }
  // A file without a date comes from an operator's directory and is trusted. The next dated release is compared with the
  // last dated one.
  if (!release) return { upstreamAt: undefined, cursor: held ? { ...held, validators: {} } : null, bytes }
  const at = checkReleaseDate(release.at, held, now)
  const cursor: ReleaseCursor = {
    releasedAt: at.toISOString(),
    version: release.version,
    validators: file.validators,
  }
  return { upstreamAt: at, cursor, bytes }
}
