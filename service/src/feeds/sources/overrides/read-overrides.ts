// Reads Anchore's overrides from an archive of its repository (one file per CVE) or from an NDJSON file (one line per CVE).
import type { Reading } from '../../feed.ts'
import { readDecompressed } from '../../formats/decompress.ts'
import { readJsonLines } from '../../formats/json-lines.ts'
import { parseRecord } from '../../formats/parse-json.ts'
import { readZipEntries } from '../../formats/zip.ts'

const MEBIBYTE = 1024 * 1024
const MAX_BYTES = 2048 * MEBIBYTE
const MAX_RECORD_BYTES = 16 * MEBIBYTE
const OVERRIDE_PATH = /^[^/]+\/data\/\d{4}\/(CVE-[^/]+)\.json$/i

export function readOverrides(
  path: string,
  onBytes: (count: number) => void,
): AsyncGenerator<Reading<unknown>, void, undefined> {
  return path.endsWith('.zip')
    ? readArchive(path, onBytes)
    : readJsonLines(readDecompressed(path, { maxBytes: MAX_BYTES }, onBytes), { maxLineBytes: MAX_RECORD_BYTES })
}

async function* readArchive(
  path: string,
  onBytes: (count: number) => void,
): AsyncGenerator<Reading<unknown>, void, undefined> {
  const limits = {
    matches: (name: string) => OVERRIDE_PATH.test(name),
    maxEntryBytes: MAX_RECORD_BYTES,
    maxBytes: MAX_BYTES,
  }
  for await (const { name, bytes } of readZipEntries(path, limits, onBytes)) {
    const parsed = parseRecord(bytes)
    yield 'error' in parsed
      ? { rejected: OVERRIDE_PATH.exec(name)?.[1] ?? name, reason: parsed.error }
      : { raw: parsed.value }
  }
}
