// The archive of GitHub's advisory repository, which contains one OSV file per advisory.
import { fetchUndatedFile, type UndatedFile } from '../../download/undated-file.ts'
import type { Delivery, FetchContext } from '../../feed.ts'
import { type JsonFiles, readJsonArchive } from '../../formats/json-files.ts'
import { cursorAfterArchive } from './cursor.ts'

export const ARCHIVE_NAME = /^advisory-database-main\.zip$/

const MEBIBYTE = 1024 * 1024
const MAX_DOWNLOAD_BYTES = 2048 * MEBIBYTE
/** Ten times the size of the reviewed advisories. */
export const MAX_UNPACKED_BYTES = 2048 * MEBIBYTE
/** GitHub limits descriptions to 64 KiB. */
export const MAX_ADVISORY_BYTES = 4 * MEBIBYTE
/** Most of the archive consists of unreviewed advisories, which are not even unpacked. */
const REVIEWED_FILE = /^[^/]+\/advisories\/github-reviewed\/\d{4}\/\d{2}\/[^/]+\/(GHSA-[^/]+)\.json$/

const FILES: JsonFiles = {
  toId: (name) => REVIEWED_FILE.exec(name)?.[1],
  maxRecordBytes: MAX_ADVISORY_BYTES,
  maxBytes: MAX_UNPACKED_BYTES,
}

export function describeArchive(url: string): UndatedFile<unknown> {
  return {
    feed: 'ghsa',
    name: 'advisory-database-main.zip',
    url,
    maxDownloadBytes: MAX_DOWNLOAD_BYTES,
    inDirectory: ARCHIVE_NAME,
    read: (path, onBytes) => readJsonArchive(path, FILES, onBytes),
  }
}

/** Downloads unconditionally, because callers need the content even if the same archive was imported before. */
export async function* fetchArchive(url: string, context: FetchContext): AsyncGenerator<Delivery<unknown>> {
  const isFirst = context.cursor === undefined || context.cursor === null
  for await (const delivery of fetchUndatedFile({ ...context, cursor: undefined }, describeArchive(url)))
    yield { ...delivery, isFirst, cursor: cursorAfterArchive(context.now) }
}
