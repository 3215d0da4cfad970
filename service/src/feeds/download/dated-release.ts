// Feeds whose upstream publishes everything at once, as a release with a date of its own: we take over the next one, the
// same one again, and never an earlier one.
import { join } from 'node:path'
import { Type } from 'typebox'
import { parseCanonicalCveId } from '../../domain/cve-id.ts'
import { formatInstant, parseDateTime } from '../../domain/instant.ts'
import type { DownloadRequest, Validators } from '../download.ts'
import { type Delivery, FeedError, type FetchContext } from '../feed.ts'
import { shapeOf } from '../schema-check.ts'

/** The cursor of such a feed. */
export interface ReleaseCursor {
  readonly releasedAt: string
  /** What upstream calls this version: of a catalogue, or of a model. */
  readonly version: string
  /** None when it came from a directory: that says nothing of what upstream serves. */
  readonly validators: Validators
}

const CURSOR = shapeOf(
  Type.Object({
    releasedAt: Type.String(),
    version: Type.String(),
    validators: Type.Object({ etag: Type.Optional(Type.String()), lastModified: Type.Optional(Type.String()) }),
  }),
)

/** Clocks differ; whoever is ahead of us by less than this is not from the future. */
const CLOCK_DIFFERENCE_MS = 60 * 60_000
/** Whoever rejects a record names it as well as can be told, such as `vulnerabilities[7] (CVE-2024-3094)`. */
const CVE_ID = /CVE-\d{4}-\d{4,19}/i

export function readReleaseCursor(cursor: unknown): ReleaseCursor | undefined {
  return CURSOR.fits(cursor) ? cursor : undefined
}

export interface ReleaseFile {
  readonly path: string
  readonly bytes: number
  readonly validators: Validators
}

interface ReleaseRequest extends Omit<DownloadRequest, 'validators'> {
  /** As it is called upstream. */
  readonly name: string
}

/** Nothing, if upstream still has the release that we have. */
export async function downloadRelease(
  context: FetchContext,
  { name, ...request }: ReleaseRequest,
  held: Pick<ReleaseCursor, 'validators'> | undefined,
): Promise<ReleaseFile | undefined> {
  const path = join(context.spool, name)
  const got = await context.download.file({ ...request, ...(held && { validators: held.validators }) }, path)
  return got.isUnchanged ? undefined : { path, bytes: got.bytes, validators: got.validators }
}

/**
 * When it was released, at most now (decision C22). A release from the far future would keep out all those that come
 * after it, so it is not believed.
 */
export function believeRelease(said: Date, held: ReleaseCursor | undefined, now: Date): Date {
  if (said.getTime() - now.getTime() > CLOCK_DIFFERENCE_MS)
    throw new FeedError(`It says that it was released at ${formatInstant(said)}, which is in the future.`)
  const heldAt = held && parseDateTime(held.releasedAt)
  if (heldAt && said < heldAt)
    throw new FeedError(
      `It was released at ${formatInstant(said)}, before the one we have, of ${formatInstant(heldAt)}. We never go back: the data we have stays as it is.`,
    )
  return said < now ? said : now
}

/** Of when a delivery is that was read from one file, and what the next run is to know of it. */
export function datedBy(
  file: ReleaseFile,
  release: { readonly version: string; readonly at: Date } | undefined,
  held: ReleaseCursor | undefined,
  now: Date,
): Pick<Delivery<unknown>, 'upstreamAt' | 'cursor' | 'bytes'> {
  const bytes = { before: 0, own: file.bytes, total: file.bytes }
  // A copy that does not say of when it is: whoever put it there answers for it, and the next dated one decides again.
  if (!release) return { upstreamAt: undefined, cursor: held ? { ...held, validators: {} } : null, bytes }
  const at = believeRelease(release.at, held, now)
  const cursor: ReleaseCursor = {
    releasedAt: at.toISOString(),
    version: release.version,
    validators: file.validators,
  }
  return { upstreamAt: at, cursor, bytes }
}

/** A record that cannot be used is in the release all the same: nobody may conclude that it is gone. */
export function idsAmong(subjects: readonly string[]): string[] {
  return subjects.flatMap((each) => parseCanonicalCveId(CVE_ID.exec(each)?.[0] ?? '') ?? [])
}
