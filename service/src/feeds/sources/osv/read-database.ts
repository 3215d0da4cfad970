// Reads the advisories of a database from an archive of osv.dev (one file per advisory) or from NDJSON (one line per
// advisory, which may have further members such as the path of the original file).
import type { OsvDescriptor } from '../../../domain/source/descriptor.ts'
import type { Reading } from '../../feed.ts'
import { readDecompressed } from '../../formats/decompress.ts'
import { readJsonLines } from '../../formats/json-lines.ts'
import { parseRecord } from '../../formats/parse-json.ts'
import { readZipEntries } from '../../formats/zip.ts'

const MEBIBYTE = 1024 * 1024
export const MAX_DOWNLOAD_BYTES = 512 * MEBIBYTE
const MAX_BYTES = 2048 * MEBIBYTE
/** Maximum size of one advisory: forty times the size of the longest advisory in 2026, of AlmaLinux. */
const MAX_ADVISORY_BYTES = 4 * MEBIBYTE
const SUFFIX = '.json'

export function readDatabase(
  source: OsvDescriptor,
  path: string,
  onBytes: (count: number) => void,
): AsyncGenerator<Reading<unknown>, void, undefined> {
  return path.endsWith('.zip')
    ? readArchive(source, path, onBytes)
    : readJsonLines(readDecompressed(path, { maxBytes: MAX_BYTES }, onBytes), { maxLineBytes: MAX_ADVISORY_BYTES })
}

async function* readArchive(
  { advisories: { pattern } }: OsvDescriptor,
  path: string,
  onBytes: (count: number) => void,
): AsyncGenerator<Reading<unknown>, void, undefined> {
  const limits = {
    matches: (name: string) => name.endsWith(SUFFIX) && pattern.test(name.slice(0, -SUFFIX.length)),
    maxEntryBytes: MAX_ADVISORY_BYTES,
    maxBytes: MAX_BYTES,
  }
  for await (const { name, bytes } of readZipEntries(path, limits, onBytes)) {
    const parsed = parseRecord(bytes)
    yield 'error' in parsed ? { rejected: name.slice(0, -SUFFIX.length), reason: parsed.error } : { raw: parsed.value }
  }
}
