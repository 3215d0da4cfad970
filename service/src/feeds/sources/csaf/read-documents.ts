// Reads CSAF documents from files: one document, or one document per line.
import type { Reading } from '../../feed.ts'
import { hasMoreValues } from '../../formats/count-values.ts'
import { readDecompressed, readWholeFile } from '../../formats/decompress.ts'
import { nameErrors } from '../../formats/file-error.ts'
import { readJsonLines } from '../../formats/json-lines.ts'
import { parseRecord } from '../../formats/parse-json.ts'
import { readMember } from '../../schema-check.ts'
import type { RawCsaf } from './normalise.ts'

/** The largest known documents are some megabytes; once parsed, they take ten times as much memory. */
export const MAX_DOCUMENT_BYTES = 32 * 1024 ** 2
const MAX_BYTES = 64 * 1024 ** 3
/** A single document repeats the names of products, so it compresses extremely well. */
const MAX_RATIO = 1000
/** A document that consists only of commas would take thirty times its size in memory once parsed. */
const MAX_VALUES = 2_000_000

type Readings = AsyncGenerator<Reading<RawCsaf>, void, undefined>

export function parseDocument(bytes: Buffer, name: string): Reading<RawCsaf> {
  if (bytes.length > MAX_DOCUMENT_BYTES)
    return { rejected: name, reason: `larger than the limit of ${MAX_DOCUMENT_BYTES} bytes` }
  if (hasMoreValues(bytes, MAX_VALUES))
    return { rejected: name, reason: `more than the ${MAX_VALUES} values allowed in a document` }
  const parsed = parseRecord(bytes)
  return 'error' in parsed ? { rejected: name, reason: parsed.error } : { raw: { value: parsed.value } }
}

/** `onList` is called for a file or line that is a publisher's list of documents and no document. */
export async function* readDocumentFile(path: string, name: string, onList: () => void): Readings {
  const reading = parseDocument(await readWholeFile(path, { maxBytes: MAX_DOCUMENT_BYTES, maxRatio: MAX_RATIO }), name)
  if ('raw' in reading && 'value' in reading.raw && isList(reading.raw.value)) onList()
  else yield reading
}

export async function* readLinesFile(
  path: string,
  name: string,
  onBytes: (count: number) => void,
  onList: () => void,
): Readings {
  const chunks = readDecompressed(path, { maxBytes: MAX_BYTES }, onBytes)
  for await (const reading of nameErrors(name, readJsonLines(chunks, { maxLineBytes: MAX_DOCUMENT_BYTES }))) {
    if (!('raw' in reading)) yield reading
    else if (isList(reading.raw)) onList()
    else yield { raw: { value: reading.raw } }
  }
}

/** A ROLIE feed lists the addresses of a publisher's documents. */
function isList(value: unknown): boolean {
  return readMember(value, 'document') === undefined && readMember(value, 'feed') !== undefined
}
