// Repositories by CVE: a file for each CVE in an archive of the upstream's own repository, or a line for each.
import { Type } from 'typebox'
import type { Reading } from '../../feed.ts'
import { openFile } from '../../formats/decompress.ts'
import { jsonLines } from '../../formats/json-lines.ts'
import { parseRecord } from '../../formats/parse-json.ts'
import { zipEntries } from '../../formats/zip.ts'
import { shapeOf } from '../../schema-check.ts'

export interface RawRepository {
  /** As upstream writes it. */
  readonly cve: string
  readonly repository: unknown
}

const MEBIBYTE = 1024 * 1024
const MAX_BYTES = 1024 * MEBIBYTE
const MAX_FILE_BYTES = 16 * MEBIBYTE
const FILE = /^[^/]+\/\d{4}\/(CVE-[^/]+)\.json$/i

const LINE = shapeOf(Type.Object({ cve: Type.String(), repos: Type.Array(Type.Unknown()) }))
const LIST = shapeOf(Type.Array(Type.Unknown()))

export function readRepositories(
  path: string,
  onBytes: (count: number) => void,
): AsyncGenerator<Reading<RawRepository>, void, undefined> {
  return path.endsWith('.zip') ? inArchive(path, onBytes) : inLines(path, onBytes)
}

async function* inArchive(
  path: string,
  onBytes: (count: number) => void,
): AsyncGenerator<Reading<RawRepository>, void, undefined> {
  const limits = { matches: (name: string) => FILE.test(name), maxEntryBytes: MAX_FILE_BYTES, maxBytes: MAX_BYTES }
  for await (const { name, bytes } of zipEntries(path, limits, onBytes)) {
    const cve = FILE.exec(name)?.[1] ?? name
    const parsed = parseRecord(bytes)
    if ('fault' in parsed) yield { rejected: cve, reason: parsed.fault }
    else if (!LIST.fits(parsed.value)) yield { rejected: cve, reason: LIST.fault(parsed.value) }
    else yield* eachOf(cve, parsed.value)
  }
}

async function* inLines(
  path: string,
  onBytes: (count: number) => void,
): AsyncGenerator<Reading<RawRepository>, void, undefined> {
  for await (const each of jsonLines(openFile(path, { maxBytes: MAX_BYTES }, onBytes))) {
    if (!('raw' in each)) yield each
    else if (!LINE.fits(each.raw)) yield { rejected: 'a line about a CVE', reason: LINE.fault(each.raw) }
    else yield* eachOf(each.raw.cve, each.raw.repos)
  }
}

function* eachOf(cve: string, repositories: readonly unknown[]): Generator<Reading<RawRepository>, void, undefined> {
  for (const repository of repositories) yield { raw: { cve, repository } }
}
