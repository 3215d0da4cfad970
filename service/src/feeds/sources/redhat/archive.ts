// The archive of all documents, which Red Hat packs now and then, and what its name says of it.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseDate } from '../../../domain/instant.ts'
import { type Delivery, FeedError, type FetchContext } from '../../feed.ts'
import { printable } from '../../sanitize-text.ts'
import type { RawVex } from './normalise.ts'
import { readArchive } from './read-documents.ts'
import type { RedHatSettings } from './settings.ts'

export interface Archive {
  readonly name: string
  /** The day that its name has. */
  readonly at: Date
}

export const ARCHIVE = /^csaf_vex_(\d{4}-\d{2}-\d{2})\.tar\.zst$/

const MAX_NAME_BYTES = 1024
const MAX_ARCHIVE_BYTES = 8 * 1024 ** 3
const DAY_MS = 24 * 3_600_000

export function parseArchiveName(name: string): Archive | undefined {
  const at = parseDate(ARCHIVE.exec(name)?.[1] ?? '')
  return at && { name, at }
}

/** It was packed some time during that day, and perhaps not from the newest files. */
export function startOfChanges({ at }: Archive): Date {
  return new Date(at.getTime() - DAY_MS)
}

export async function newestArchive(settings: RedHatSettings, context: FetchContext): Promise<Archive> {
  const path = join(context.spool, 'archive_latest.txt')
  const url = new URL('archive_latest.txt', settings.url).href
  await context.download.file({ url, maxBytes: MAX_NAME_BYTES }, path)
  const said = (await readFile(path, 'utf8')).trim()
  const archive = parseArchiveName(said)
  if (!archive)
    throw new FeedError(
      `archive_latest.txt should name an archive such as csaf_vex_2026-08-22.tar.zst, and says "${printable(said, 100)}".`,
    )
  if (archive.at.getTime() - context.now.getTime() > DAY_MS)
    throw new FeedError(`${archive.name} is dated in the future: it is not believed.`)
  return archive
}

export async function downloadArchive(
  { name }: Archive,
  settings: RedHatSettings,
  context: FetchContext,
): Promise<{ readonly path: string; readonly bytes: number }> {
  const path = join(context.spool, name)
  const got = await context.download.file({ url: new URL(name, settings.url).href, maxBytes: MAX_ARCHIVE_BYTES }, path)
  return { path, bytes: got.isUnchanged ? 0 : got.bytes }
}

/** A snapshot, so that one which lacks many of the records we have is refused; nothing is removed all the same. */
export function archiveDelivery(
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
