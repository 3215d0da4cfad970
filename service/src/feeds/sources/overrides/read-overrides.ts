// Anchore's overrides: a file for each CVE in an archive of its repository, or a line for each.
import type { Reading } from '../../feed.ts'
import { openFile } from '../../formats/decompress.ts'
import { jsonLines } from '../../formats/json-lines.ts'
import { parseRecord } from '../../formats/parse-json.ts'
import { zipEntries } from '../../formats/zip.ts'

const MEBIBYTE = 1024 * 1024
const MAX_BYTES = 2048 * MEBIBYTE
const MAX_RECORD_BYTES = 16 * MEBIBYTE
const FILE = /^[^/]+\/data\/\d{4}\/(CVE-[^/]+)\.json$/i

export function readOverrides(
  path: string,
  onBytes: (count: number) => void,
): AsyncGenerator<Reading<unknown>, void, undefined> {
  return path.endsWith('.zip')
    ? inArchive(path, onBytes)
    : jsonLines(openFile(path, { maxBytes: MAX_BYTES }, onBytes), { maxLineBytes: MAX_RECORD_BYTES })
}

async function* inArchive(
  path: string,
  onBytes: (count: number) => void,
): AsyncGenerator<Reading<unknown>, void, undefined> {
  const limits = {
    matches: (name: string) => FILE.test(name),
    maxEntryBytes: MAX_RECORD_BYTES,
    maxBytes: MAX_BYTES,
  }
  for await (const { name, bytes } of zipEntries(path, limits, onBytes)) {
    const parsed = parseRecord(bytes)
    yield 'fault' in parsed ? { rejected: FILE.exec(name)?.[1] ?? name, reason: parsed.fault } : { raw: parsed.value }
  }
}
