// Reads Red Hat's VEX documents from an archive, from single files or from NDJSON files.
import { basename } from 'node:path'
import { type CveId, parseCanonicalCveId } from '../../../domain/cve-id.ts'
import { FeedError, mapReadings, type Reading } from '../../feed.ts'
import { hasMoreValues } from '../../formats/count-values.ts'
import { readDecompressed, readWholeFile } from '../../formats/decompress.ts'
import { addFileName } from '../../formats/file-error.ts'
import { readJsonLines } from '../../formats/json-lines.ts'
import { parseRecord } from '../../formats/parse-json.ts'
import { readTarEntries } from '../../formats/tar.ts'
import type { RawVex } from './normalise.ts'

/** The largest known documents are a few megabytes; once parsed, they take ten times as much memory. */
export const MAX_DOCUMENT_BYTES = 32 * 1024 ** 2
/** The archive is read as a stream, so memory use stays far below this size. */
const MAX_BYTES = 256 * 1024 ** 3
/** VEX documents compress extremely well, because product names are repeated within and across them. */
const MAX_RATIO = 1000
const MAX_LINE_BYTES = 16 * 1024 ** 2
/** A document that consists only of commas would take thirty times its size in memory once parsed. */
const MAX_VALUES = 2_000_000
const DOCUMENT_PATH = /^(?:[\w.-]+\/)*(cve-\d{4}-\d{4,19})\.json$/i

type Readings = AsyncGenerator<Reading<RawVex>, void, undefined>

export async function* readArchive(path: string, name: string, onBytes: (count: number) => void): Readings {
  const chunks = readDecompressed(path, { maxBytes: MAX_BYTES, maxRatio: MAX_RATIO }, onBytes)
  const limits = { matches: (entry: string) => DOCUMENT_PATH.test(entry), maxEntryBytes: MAX_DOCUMENT_BYTES }
  let count = 0
  try {
    for await (const { name: entry, bytes } of readTarEntries(chunks, limits)) {
      count += 1
      yield bytes
        ? parseDocument(bytes, entry)
        : { rejected: entry, reason: `larger than the limit of ${MAX_DOCUMENT_BYTES} bytes` }
    }
    if (count === 0) throw new FeedError('it contains no document with a name such as cve-2024-1234.json')
  } catch (error) {
    throw addFileName(name, error)
  }
}

export async function* readDocumentFile(path: string): Readings {
  const bytes = await readWholeFile(path, { maxBytes: MAX_DOCUMENT_BYTES, maxRatio: MAX_RATIO })
  yield parseDocument(bytes, basename(path))
}

export async function* readLinesFile(path: string, name: string, onBytes: (count: number) => void): Readings {
  const chunks = readDecompressed(path, { maxBytes: MAX_BYTES, maxRatio: MAX_RATIO }, onBytes)
  try {
    yield* mapReadings(readJsonLines(chunks, { maxLineBytes: MAX_LINE_BYTES }), (value) => ({ value }))
  } catch (error) {
    throw addFileName(name, error)
  }
}

function parseDocument(bytes: Buffer, name: string): Reading<RawVex> {
  const expected = parseFileName(name)
  if (!expected) return { rejected: name, reason: 'the file name contains no CVE id' }
  if (hasMoreValues(bytes, MAX_VALUES))
    return { rejected: expected, reason: `more than the ${MAX_VALUES} values allowed in a document` }
  const parsed = parseRecord(bytes)
  return 'error' in parsed ? { rejected: expected, reason: parsed.error } : { raw: { value: parsed.value, expected } }
}

function parseFileName(name: string): CveId | undefined {
  return parseCanonicalCveId(DOCUMENT_PATH.exec(name)?.[1] ?? '')
}
