// Anchore's overrides: a file for each CVE in an archive of its repository, or a line for each.
import type { Reading } from '../feed.ts'
import { jsonLines } from '../reading/json-lines.ts'
import { parseRecord } from '../reading/parse-json.ts'
import { openFile } from '../reading/unpack.ts'
import { zipEntries } from '../reading/zip.ts'

const MEBIBYTE = 1024 * 1024
const MOST_BYTES = 2048 * MEBIBYTE
const MOST_RECORD_BYTES = 16 * MEBIBYTE
const FILE = /^[^/]+\/data\/\d{4}\/(CVE-[^/]+)\.json$/i

export function readOverrides(
  path: string,
  onBytes: (count: number) => void,
): AsyncGenerator<Reading<unknown>, void, undefined> {
  return path.endsWith('.zip')
    ? inArchive(path, onBytes)
    : jsonLines(openFile(path, { mostBytes: MOST_BYTES }, onBytes), { mostLineBytes: MOST_RECORD_BYTES })
}

async function* inArchive(
  path: string,
  onBytes: (count: number) => void,
): AsyncGenerator<Reading<unknown>, void, undefined> {
  const limits = {
    matches: (name: string) => FILE.test(name),
    mostEntryBytes: MOST_RECORD_BYTES,
    mostBytes: MOST_BYTES,
  }
  for await (const { name, bytes } of zipEntries(path, limits, onBytes)) {
    const parsed = parseRecord(bytes)
    yield 'fault' in parsed ? { rejected: FILE.exec(name)?.[1] ?? name, reason: parsed.fault } : { raw: parsed.value }
  }
}
