// Reads JSON records from a zip archive with one record per file, or from a file with one record per line.
import type { Reading } from '../feed.ts'
import { readDecompressed } from './decompress.ts'
import { readJsonLines } from './json-lines.ts'
import { parseRecord } from './parse-json.ts'
import { readZipEntries } from './zip.ts'

export interface JsonFiles {
  /** Returns the id of the record in an archive's file; undefined for a file that is skipped. */
  readonly toId: (fileName: string) => string | undefined
  readonly maxRecordBytes: number
  readonly maxBytes: number
}

export function readArchiveOrLines(
  path: string,
  files: JsonFiles,
  onBytes: (count: number) => void,
): AsyncGenerator<Reading<unknown>, void, undefined> {
  const { maxRecordBytes, maxBytes } = files
  return path.endsWith('.zip')
    ? readJsonArchive(path, files, onBytes)
    : readJsonLines(readDecompressed(path, { maxBytes }, onBytes), { maxLineBytes: maxRecordBytes })
}

export async function* readJsonArchive(
  path: string,
  { toId, maxRecordBytes, maxBytes }: JsonFiles,
  onBytes: (count: number) => void,
): AsyncGenerator<Reading<unknown> & { readonly id: string }, void, undefined> {
  const limits = { matches: (name: string) => toId(name) !== undefined, maxEntryBytes: maxRecordBytes, maxBytes }
  for await (const { name, bytes } of readZipEntries(path, limits, onBytes)) yield parseFile(toId(name) ?? name, bytes)
}

export function parseFile(id: string, bytes: Buffer): Reading<unknown> & { readonly id: string } {
  const parsed = parseRecord(bytes)
  return 'error' in parsed ? { id, rejected: id, reason: parsed.error } : { id, raw: parsed.value }
}
