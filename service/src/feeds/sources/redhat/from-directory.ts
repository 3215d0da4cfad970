// Imports Red Hat's VEX documents from files that an operator placed in a directory.
import { basename, dirname } from 'node:path'
import { type Delivery, type FetchContext, NoFilesError } from '../../feed.ts'
import { type FoundFile, listFiles } from '../../formats/directory.ts'
import { ARCHIVE_NAME, buildArchiveDelivery, parseArchiveName } from './archive.ts'
import { readDeletions } from './change-lists.ts'
import type { RawVex } from './normalise.ts'
import { readDocumentFile, readLinesFile } from './read-documents.ts'

const FOLDER = 'redhat'
const LINES_NAME = /^redhat[\w.-]*\.ndjson(?:\.gz)?$/
const DELETIONS_NAME = /^deletions\.csv$/
const DOCUMENT_NAME = /^cve-\d{4}-\d{4,19}\.json$/i

/** Single documents come last, because they are usually newer than the archive. */
export async function* fetchFromDirectory(directory: string, context: FetchContext): AsyncGenerator<Delivery<RawVex>> {
  const archives = (await listFiles(directory, FOLDER, ARCHIVE_NAME)).filter(({ name }) => parseArchiveName(name))
  const lines = await listFiles(directory, FOLDER, LINES_NAME)
  const documents = (await listFiles(directory, FOLDER, DOCUMENT_NAME)).filter(isInFolder)
  const [deletions] = (await listFiles(directory, FOLDER, DELETIONS_NAME)).filter(isInFolder)
  const archive = archives.at(-1)
  if (!archive && lines.length + documents.length === 0)
    throw new NoFilesError(
      `Neither ${directory} nor its folder ${FOLDER} has a file of Red Hat. Expected files such as csaf_vex_2026-08-22.tar.zst, redhat.ndjson.gz or ${FOLDER}/cve-2024-1234.json.`,
    )
  for (const { name } of archives.slice(0, -1)) context.notice(`Ignored ${name}, because ${archive?.name} is newer.`)
  const cursor = context.cursor ?? null
  if (archive) yield openArchive(archive, cursor)
  for (const file of lines)
    yield { ...describeDelta(file.name, cursor), records: (onBytes) => readLinesFile(file.path, file.name, onBytes) }
  if (documents.length > 0)
    yield {
      ...describeDelta(`${documents.length} documents`, cursor),
      records: (onBytes) => readDocumentFiles(documents, onBytes),
    }
  if (deletions)
    yield { ...describeDelta(deletions.name, cursor), records: (onBytes) => readDeletedDocuments(deletions, onBytes) }
}

function isInFolder({ path }: FoundFile): boolean {
  return basename(dirname(path)) === FOLDER
}

function openArchive(file: FoundFile, cursor: unknown): Delivery<RawVex> {
  const { name, bytes } = file
  const at = parseArchiveName(name)?.at ?? new Date(0)
  return buildArchiveDelivery({ name, at }, file, { cursor, bytes: { before: 0, own: bytes, total: bytes } })
}

/** Describes a delta, because such files need not contain all documents. */
function describeDelta(label: string, cursor: unknown): Omit<Delivery<RawVex>, 'records'> {
  return { label, kind: 'delta', upstreamAt: undefined, cursor }
}

async function* readDocumentFiles(files: readonly FoundFile[], onBytes: (count: number) => void) {
  for (const { path, bytes } of files) {
    yield* readDocumentFile(path)
    onBytes(bytes)
  }
}

async function* readDeletedDocuments({ path, name, bytes }: FoundFile, onBytes: (count: number) => void) {
  for (const { cveId, at } of await readDeletions(path, name)) yield { raw: { deleted: cveId, at } }
  onBytes(bytes)
}
