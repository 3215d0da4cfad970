// Helpers for feeds whose upstream publishes all records in one dated release. A release is imported if its date is the
// date of the stored release or later; an older release is refused.
import { join } from 'node:path'
import { Type } from 'typebox'
import { formatInstant, parseDateTime } from '../../domain/instant.ts'
import { clampToNow, isFutureTime } from '../clock-skew.ts'
import type { DownloadRequest, Validators } from '../download.ts'
import { type Delivery, FeedError, type FetchContext } from '../feed.ts'
import { compileSchema, httpValidators } from '../schema-check.ts'

/** Cursor (the stored position from which the next run continues) of a feed with dated releases. */
export interface ReleaseCursor {
  readonly releasedAt: string
  readonly version: string
  /** Empty if the release was read from a directory. */
  readonly validators: Validators
}

const CURSOR = compileSchema(
  Type.Object({ releasedAt: Type.String(), version: Type.String(), validators: httpValidators }),
)

export function readReleaseCursor(cursor: unknown): ReleaseCursor | undefined {
  return CURSOR.matches(cursor) ? cursor : undefined
}

export interface ReleaseFile {
  readonly path: string
  readonly bytes: number
  readonly validators: Validators
}

interface ReleaseRequest extends Omit<DownloadRequest, 'validators'> {
  readonly name: string
}

interface ReleaseSource<Raw> extends ReleaseRequest {
  readonly find: (directory: string) => Promise<Pick<ReleaseFile, 'path' | 'bytes'>>
  readonly open: (file: ReleaseFile, held: ReleaseCursor | undefined) => Promise<OpenRelease<Raw>>
}

interface OpenRelease<Raw> extends Pick<Delivery<Raw>, 'label' | 'records'> {
  readonly release: { readonly version: string; readonly at: Date } | undefined
}

/** Yields the release as one snapshot, or nothing if upstream still has the stored release. */
export async function* fetchRelease<Raw>(
  context: FetchContext,
  { find, open, ...request }: ReleaseSource<Raw>,
): AsyncGenerator<Delivery<Raw>> {
  const held = readReleaseCursor(context.cursor)
  const file =
    context.from === undefined
      ? await downloadRelease(context, request, held)
      : { ...(await find(context.from)), validators: {} }
  if (!file) return
  const { release, ...delivery } = await open(file, held)
  yield { ...delivery, kind: 'snapshot', ...toReleaseDelivery(file, release, held, context.now) }
}

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
 * Throws if the release is older than the stored one or dated in the future. If a future date were stored, all later
 * releases would be refused as older. A date that is ahead only by clock skew becomes now (decision C22).
 */
export function checkReleaseDate(releasedAt: Date, held: ReleaseCursor | undefined, now: Date): Date {
  if (isFutureTime(releasedAt, now))
    throw new FeedError(
      `The release is dated ${formatInstant(releasedAt)}, which is in the future. The stored data is unchanged.`,
    )
  const heldAt = held && parseDateTime(held.releasedAt)
  if (heldAt && releasedAt < heldAt)
    throw new FeedError(
      `The release of ${formatInstant(releasedAt)} is older than the stored one of ${formatInstant(heldAt)}. The stored data is unchanged.`,
    )
  return clampToNow(releasedAt, now)
}

export function toReleaseDelivery(
  file: ReleaseFile,
  release: OpenRelease<unknown>['release'],
  held: ReleaseCursor | undefined,
  now: Date,
): Pick<Delivery<unknown>, 'upstreamAt' | 'cursor' | 'bytes'> {
  const bytes = { before: 0, own: file.bytes, total: file.bytes }
  // A release file without a date comes from an operator's directory and is trusted. The feed's cursor keeps the date
  // of the last dated release, so that the next dated release is compared with that date.
  if (!release) return { upstreamAt: undefined, cursor: held ? { ...held, validators: {} } : null, bytes }
  const at = checkReleaseDate(release.at, held, now)
  const cursor: ReleaseCursor = {
    releasedAt: at.toISOString(),
    version: release.version,
    validators: file.validators,
  }
  return { upstreamAt: at, cursor, bytes }
}
