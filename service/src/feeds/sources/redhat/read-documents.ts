// Documents from wherever they are: an archive of all, a file for each, or a line for each.
import { basename } from 'node:path'
import { type CveId, parseCanonicalCveId } from '../../../domain/cve-id.ts'
import { FeedError, type Reading } from '../../feed.ts'
import { openFile } from '../../formats/decompress.ts'
import { jsonLines } from '../../formats/json-lines.ts'
import { parseRecord } from '../../formats/parse-json.ts'
import { tarEntries } from '../../formats/tar.ts'
import type { RawVex } from './normalise.ts'
import { MAX_DOCUMENT_BYTES } from './settings.ts'

/** All of them together; the limit is on what is read, never on what is held. */
const MAX_BYTES = 256 * 1024 ** 3
/** Documents repeat the names of products over and over, and so does the next document. */
const MAX_RATIO = 1000
const MAX_LINE_BYTES = 16 * 1024 ** 2
/** A document that is all commas would take thirty times its size. */
const MAX_VALUES = 2_000_000
const FILE = /^(?:[\w.-]+\/)*(cve-\d{4}-\d{4,19})\.json$/i

type Readings = AsyncGenerator<Reading<RawVex>, void, undefined>

export async function* readArchive(path: string, name: string, onBytes: (count: number) => void): Readings {
  const chunks = openFile(path, { maxBytes: MAX_BYTES, maxRatio: MAX_RATIO }, onBytes)
  const limits = { matches: (entry: string) => FILE.test(entry), maxEntryBytes: MAX_DOCUMENT_BYTES }
  let count = 0
  try {
    for await (const { name: entry, bytes } of tarEntries(chunks, limits)) {
      count += 1
      yield bytes
        ? readDocument(bytes, entry)
        : { rejected: entry, reason: `larger than the ${MAX_DOCUMENT_BYTES} bytes allowed` }
    }
    if (count === 0) throw new FeedError('it holds no document, which are called cve-2024-1234.json and the like')
  } catch (error) {
    throw aboutIt(error, name)
  }
}

export async function* readFile(path: string): Readings {
  const parts: Buffer[] = []
  for await (const chunk of openFile(path, { maxBytes: MAX_DOCUMENT_BYTES, maxRatio: MAX_RATIO })) parts.push(chunk)
  yield readDocument(Buffer.concat(parts), basename(path))
}

export async function* readLines(path: string, name: string, onBytes: (count: number) => void): Readings {
  const chunks = openFile(path, { maxBytes: MAX_BYTES, maxRatio: MAX_RATIO }, onBytes)
  try {
    for await (const reading of jsonLines(chunks, { maxLineBytes: MAX_LINE_BYTES }))
      yield 'raw' in reading ? { raw: { value: reading.raw } } : reading
  } catch (error) {
    throw aboutIt(error, name)
  }
}

function readDocument(bytes: Buffer, name: string): Reading<RawVex> {
  const expected = idIn(name)
  if (!expected) return { rejected: name, reason: 'its name holds no CVE id' }
  if (holdsTooMuch(bytes)) return { rejected: expected, reason: `more than ${MAX_VALUES} values in one document` }
  const parsed = parseRecord(bytes)
  return 'fault' in parsed ? { rejected: expected, reason: parsed.fault } : { raw: { value: parsed.value, expected } }
}

function idIn(name: string): CveId | undefined {
  return parseCanonicalCveId(FILE.exec(name)?.[1] ?? '')
}

/** By what separates values, also where it is part of a text: honest documents are far below. */
function holdsTooMuch(bytes: Buffer): boolean {
  if (bytes.length <= MAX_VALUES) return false
  let count = 0
  // 44 is a comma, 91 and 123 are the brackets that open.
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte === 44 || byte === 91 || byte === 123) count += 1
  }
  return count > MAX_VALUES
}

/** Whoever reads from a stream does not know which file it comes from. */
function aboutIt(error: unknown, name: string): unknown {
  const isAboutIt = error instanceof FeedError && error.message.startsWith('it ')
  return isAboutIt ? new FeedError(`${name} cannot be used: ${error.message}.`, { cause: error }) : error
}
