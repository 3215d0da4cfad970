// Imports CSAF documents from files that an operator placed in a directory.
import { basename, dirname } from 'node:path'
import type { CsafSourceId } from '../../../domain/source/csaf-sources.ts'
import { CSAF_SOURCES } from '../../../domain/source/csaf-sources.ts'
import { type Delivery, type FetchContext, NoFilesError } from '../../feed.ts'
import { type FoundFile, listFiles } from '../../formats/directory.ts'
import type { RawCsaf } from './normalise.ts'
import { readDocumentFile, readLinesFile } from './read-documents.ts'

// regex-bound: the name of a file has at most 255 characters
const DOCUMENT_NAME = /^[\w.+-]+\.json$/i

/** Files are deltas, because they need not contain all documents of the publisher. */
export async function* fetchFromDirectory(
  id: CsafSourceId,
  directory: string,
  context: FetchContext,
): AsyncGenerator<Delivery<RawCsaf>> {
  const { files: prefix } = CSAF_SOURCES[id]
  // regex-bound: the name of a file has at most 255 characters
  const lines = await listFiles(directory, id, new RegExp(`^${prefix}(?:[._-][\\w.-]*)?\\.ndjson(?:\\.gz)?$`))
  const documents = (await listFiles(directory, id, DOCUMENT_NAME)).filter(({ path }) => basename(dirname(path)) === id)
  if (lines.length + documents.length === 0)
    throw new NoFilesError(
      `Neither ${directory} nor its folder ${id} has a file such as ${prefix}.ndjson.gz or ${id}/advisory.json.`,
    )
  const cursor = context.cursor ?? null
  let lists = 0
  const onList = () => {
    lists += 1
  }
  for (const { name, path, bytes, modifiedAt } of lines)
    yield {
      label: name,
      kind: 'delta',
      upstreamAt: undefined,
      deliveredAt: modifiedAt,
      cursor,
      bytes: { before: 0, own: bytes, total: bytes },
      records: (onBytes) => readLinesFile(path, name, onBytes, onList),
    }
  if (documents.length > 0) yield readFiles(documents, cursor, onList)
  if (lists > 0) context.notice(`Ignored ${lists} lists of documents.`)
}

function readFiles(files: readonly FoundFile[], cursor: unknown, onList: () => void): Delivery<RawCsaf> {
  return {
    label: `${files.length} documents`,
    kind: 'delta',
    upstreamAt: undefined,
    deliveredAt: new Date(Math.max(...files.map(({ modifiedAt }) => modifiedAt.getTime()))),
    cursor,
    async *records(onBytes) {
      for (const { path, name, bytes } of files) {
        yield* readDocumentFile(path, name, onList)
        onBytes(bytes)
      }
    },
  }
}
