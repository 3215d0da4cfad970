// The archive of all of Red Hat's VEX documents. Red Hat publishes it from time to time, with a date in its name.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseDate } from '../../../domain/instant.ts'
import type { DownloadContext } from '../../download.ts'
import { type Delivery, FeedError } from '../../feed.ts'
import { sanitizeText } from '../../sanitize-text.ts'
import type { RawVex } from './normalise.ts'
import { readArchive } from './read-documents.ts'

export interface Archive {
  readonly name: string
  readonly at: Date
}

export const ARCHIVE_NAME = /^csaf_vex_(\d{4}-\d{2}-\d{2})\.tar\.zst$/

const MAX_NAME_BYTES = 1024
export const MAX_ARCHIVE_BYTES = 8 * 1024 ** 3
const DAY_MS = 24 * 3_600_000

export function parseArchiveName(name: string): Archive | undefined {
  const at = parseDate(ARCHIVE_NAME.exec(name)?.[1] ?? '')
  return at && { name, at }
}

/**
 * Returns the day before the archive's date, because the archive may have been built from files that were not the
 * newest.
 */
export function findChangesStart({ at }: Archive): Date {
  return new Date(at.getTime() - DAY_MS)
}

export async function fetchNewestArchive(baseUrl: string, context: DownloadContext): Promise<Archive> {
  const path = join(context.spool, 'archive_latest.txt')
  const url = new URL('archive_latest.txt', baseUrl).href
  await context.download.file({ url, maxBytes: MAX_NAME_BYTES }, path)
  const name = (await readFile(path, 'utf8')).trim()
  const archive = parseArchiveName(name)
  if (!archive)
    throw new FeedError(
      `archive_latest.txt must contain an archive name such as csaf_vex_2026-08-22.tar.zst, not "${sanitizeText(name, 100)}".`,
    )
  if (archive.at.getTime() - context.now.getTime() > DAY_MS)
    throw new FeedError(`${archive.name} is dated in the future.`)
  return archive
}

export async function downloadArchive(
  { name }: Archive,
  baseUrl: string,
  context: DownloadContext,
): Promise<{ readonly path: string; readonly bytes: number }> {
  const path = join(context.spool, name)
  const downloaded = await context.download.file(
    { url: new URL(name, baseUrl).href, maxBytes: MAX_ARCHIVE_BYTES },
    path,
  )
  return { path, bytes: downloaded.isUnchanged ? 0 : downloaded.bytes }
}

/**
 * Builds a delivery of the kind `snapshot`, so that an archive with too many missing records is refused. Stored records
 * that are missing from the archive are kept.
 */
export function buildArchiveDelivery(
  { name, at }: Archive,
  file: { readonly path: string; readonly bytes: number },
  rest: Pick<Delivery<RawVex>, 'cursor' | 'bytes' | 'isFirst'>,
): Delivery<RawVex> {
  return {
    label: name,
    kind: 'snapshot',
    upstreamAt: at,
    ...rest,
    records: (onBytes) => readArchive(file.path, name, onBytes),
  }
}
