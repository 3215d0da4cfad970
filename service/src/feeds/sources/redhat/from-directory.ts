// Red Hat's files as somebody carried them here.
import { basename, dirname } from 'node:path'
import { type Delivery, NoFilesError, type FetchContext } from '../../feed.ts'
import { type FoundFile, filesIn } from '../../formats/directory.ts'
import { ARCHIVE, archiveDelivery, parseArchiveName } from './archive.ts'
import type { RawVex } from './normalise.ts'
import { readFile, readLines } from './read-documents.ts'

const FOLDER = 'redhat'
const LINES = /^redhat[\w.-]*\.ndjson(?:\.gz)?$/
const DOCUMENT = /^cve-\d{4}-\d{4,19}\.json$/i

/** The newest archive, then lines, then single files: what is carried by hand is newer than what is packed. */
export async function* fromDirectory(directory: string, context: FetchContext): AsyncGenerator<Delivery<RawVex>> {
  const archives = (await filesIn(directory, FOLDER, ARCHIVE)).filter(({ name }) => parseArchiveName(name))
  const lines = await filesIn(directory, FOLDER, LINES)
  const documents = (await filesIn(directory, FOLDER, DOCUMENT)).filter(
    ({ path }) => basename(dirname(path)) === FOLDER,
  )
  const archive = archives.at(-1)
  if (!archive && lines.length + documents.length === 0)
    throw new NoFilesError(
      `There is no file of Red Hat in ${directory} or in its folder ${FOLDER}: they are called csaf_vex_2026-08-22.tar.zst, redhat.ndjson.gz, ${FOLDER}/cve-2024-1234.json and the like.`,
    )
  for (const { name } of archives.slice(0, -1))
    context.notice(`${name} was left alone: ${archive?.name} is the archive that was taken.`)
  // A carried file says nothing about how far the network has been read.
  const cursor = context.cursor ?? null
  if (archive) yield deliverArchive(archive, cursor)
  for (const file of lines)
    yield { ...deltaOf(file.name, cursor), records: (onBytes) => readLines(file.path, file.name, onBytes) }
  if (documents.length > 0)
    yield { ...deltaOf(`${documents.length} documents`, cursor), records: (onBytes) => readAll(documents, onBytes) }
}

function deliverArchive(file: FoundFile, cursor: unknown): Delivery<RawVex> {
  const { name, bytes } = file
  const at = parseArchiveName(name)?.at ?? new Date(0)
  return archiveDelivery({ name, at }, file, { cursor, bytes: { before: 0, own: bytes, total: bytes } })
}

/** No snapshot: nobody says that these are all there are. */
function deltaOf(label: string, cursor: unknown): Omit<Delivery<RawVex>, 'records'> {
  return { label, kind: 'delta', upstreamAt: undefined, cursor }
}

async function* readAll(files: readonly FoundFile[], onBytes: (count: number) => void) {
  for (const { path, bytes } of files) {
    yield* readFile(path)
    onBytes(bytes)
  }
}
