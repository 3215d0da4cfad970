// Imports GitHub's advisories from files that an operator placed in a directory.
import { fetchUndatedFile } from '../../download/undated-file.ts'
import { type Delivery, type FetchContext, NoFilesError, type Reading } from '../../feed.ts'
import { readDecompressed, readWholeFile } from '../../formats/decompress.ts'
import { type FoundFile, listFiles } from '../../formats/directory.ts'
import { nameErrors } from '../../formats/file-error.ts'
import { parseFile } from '../../formats/json-files.ts'
import { readJsonLines } from '../../formats/json-lines.ts'
import { ARCHIVE_NAME, describeArchive, MAX_ADVISORY_BYTES, MAX_UNPACKED_BYTES } from './archive.ts'

const LINES_NAME = /^ghsa[\w.-]*\.ndjson(?:\.gz)?$/i
const ADVISORY_NAME = /^GHSA-[\w-]+\.json(?:\.gz)?$/

/** Only the archive is a snapshot; other files add and update advisories but remove none. */
export async function* fetchFromDirectory(directory: string, context: FetchContext): AsyncGenerator<Delivery<unknown>> {
  const archives = await listFiles(directory, 'ghsa', ARCHIVE_NAME)
  const lines = await listFiles(directory, 'ghsa', LINES_NAME)
  const single = await listFiles(directory, 'ghsa', ADVISORY_NAME)
  if (archives.length + lines.length + single.length === 0)
    throw new NoFilesError(
      `Neither ${directory} nor its folder ghsa has GitHub advisories. Expected advisory-database-main.zip, ghsa.ndjson.gz or files such as GHSA-7fj7-39wj-c64f.json.`,
    )
  const { cursor } = context
  if (archives.length > 0)
    for await (const each of fetchUndatedFile(context, describeArchive(''))) yield { ...each, cursor }
  for (const file of lines)
    yield buildDelta(file.name, { cursor, files: [file], records: (onBytes) => readLinesFile(file, onBytes) })
  if (single.length > 0)
    yield buildDelta(`${single.length} single files`, {
      cursor,
      files: single,
      records: (onBytes) => readAdvisoryFiles(single, onBytes),
    })
}

function buildDelta(
  label: string,
  { files, ...rest }: Pick<Delivery<unknown>, 'cursor' | 'records'> & { readonly files: readonly FoundFile[] },
): Delivery<unknown> {
  const total = files.reduce((bytes, each) => bytes + each.bytes, 0)
  return { ...rest, label, kind: 'delta', upstreamAt: undefined, bytes: { before: 0, own: total, total } }
}

async function* readAdvisoryFiles(
  files: readonly FoundFile[],
  onBytes: (count: number) => void,
): AsyncGenerator<Reading<unknown>> {
  for (const { path, name } of files) {
    const bytes = await readWholeFile(path, { maxBytes: MAX_ADVISORY_BYTES }, onBytes)
    yield parseFile(name.replace(/\.json(?:\.gz)?$/, ''), bytes)
  }
}

function readLinesFile({ path, name }: FoundFile, onBytes: (count: number) => void) {
  const chunks = readDecompressed(path, { maxBytes: MAX_UNPACKED_BYTES }, onBytes)
  return nameErrors(name, readJsonLines(chunks, { maxLineBytes: MAX_ADVISORY_BYTES }))
}
