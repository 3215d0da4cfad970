// Reads the list PoC-in-GitHub from a zip archive of its repository, which has a file for each CVE, or from a file with
// one CVE per line.
import { Type } from 'typebox'
import type { Reading } from '../../feed.ts'
import { readDecompressed } from '../../formats/decompress.ts'
import { readJsonArchive } from '../../formats/json-files.ts'
import { readJsonLines } from '../../formats/json-lines.ts'
import { compileSchema } from '../../schema-check.ts'

export interface RawRepository {
  readonly cve: string
  readonly repository: unknown
}

const MEBIBYTE = 1024 * 1024
const MAX_BYTES = 1024 * MEBIBYTE
const MAX_FILE_BYTES = 16 * MEBIBYTE
const FILE = /^[^/]+\/\d{4}\/(CVE-[^/]+)\.json$/i

const LINE = compileSchema(Type.Object({ cve: Type.String(), repos: Type.Array(Type.Unknown()) }))
const LIST = compileSchema(Type.Array(Type.Unknown()))

export function readRepositories(
  path: string,
  onBytes: (count: number) => void,
): AsyncGenerator<Reading<RawRepository>, void, undefined> {
  return path.endsWith('.zip') ? readArchive(path, onBytes) : readLines(path, onBytes)
}

async function* readArchive(
  path: string,
  onBytes: (count: number) => void,
): AsyncGenerator<Reading<RawRepository>, void, undefined> {
  const files = { toId: (name: string) => FILE.exec(name)?.[1], maxRecordBytes: MAX_FILE_BYTES, maxBytes: MAX_BYTES }
  for await (const each of readJsonArchive(path, files, onBytes)) {
    if (!('raw' in each)) yield each
    else if (!LIST.matches(each.raw)) yield { rejected: each.id, reason: LIST.describeMismatch(each.raw) }
    else yield* toReadings(each.id, each.raw)
  }
}

async function* readLines(
  path: string,
  onBytes: (count: number) => void,
): AsyncGenerator<Reading<RawRepository>, void, undefined> {
  for await (const each of readJsonLines(readDecompressed(path, { maxBytes: MAX_BYTES }, onBytes))) {
    if (!('raw' in each)) yield each
    else if (!LINE.matches(each.raw)) yield { rejected: 'a line about a CVE', reason: LINE.describeMismatch(each.raw) }
    else yield* toReadings(each.raw.cve, each.raw.repos)
  }
}

function* toReadings(
  cve: string,
  repositories: readonly unknown[],
): Generator<Reading<RawRepository>, void, undefined> {
  for (const repository of repositories) yield { raw: { cve, repository } }
}
