// GitHub's advisories as somebody carried them here.

import { fetchUndated } from '../../download/undated-file.ts'
import { type Delivery, NoFilesError, type FetchContext } from '../../feed.ts'
import { type FoundFile, filesIn } from '../../formats/directory.ts'
import { ARCHIVE, archiveAt } from './from-archive.ts'
import { readFiles, readLines } from './read-advisories.ts'

const LINES = /^ghsa[\w.-]*\.ndjson(?:\.gz)?$/i
const SINGLE = /^GHSA-[\w-]+\.json(?:\.gz)?$/

/** The archive says everything there is; lines and single files say what they say, and remove nothing. */
export async function* fromDirectory(directory: string, context: FetchContext): AsyncGenerator<Delivery<unknown>> {
  const archives = await filesIn(directory, 'ghsa', ARCHIVE)
  const lines = await filesIn(directory, 'ghsa', LINES)
  const single = await filesIn(directory, 'ghsa', SINGLE)
  if (archives.length + lines.length + single.length === 0)
    throw new NoFilesError(
      `There is no advisory of GitHub in ${directory} or in its folder ghsa: neither advisory-database-main.zip nor ghsa.ndjson.gz nor files such as GHSA-7fj7-39wj-c64f.json.`,
    )
  // A carried file says nothing about how far the network has been read.
  const { cursor } = context
  if (archives.length > 0) for await (const each of fetchUndated(context, archiveAt(''))) yield { ...each, cursor }
  for (const file of lines)
    yield deltaOf(file.name, { cursor, files: [file], records: (onBytes) => readLines(file, onBytes) })
  if (single.length > 0)
    yield deltaOf(`${single.length} single files`, {
      cursor,
      files: single,
      records: (onBytes) => readFiles(single, onBytes),
    })
}

function deltaOf(
  label: string,
  { files, ...rest }: Pick<Delivery<unknown>, 'cursor' | 'records'> & { readonly files: readonly FoundFile[] },
): Delivery<unknown> {
  const total = files.reduce((bytes, each) => bytes + each.bytes, 0)
  return { ...rest, label, kind: 'delta', upstreamAt: undefined, bytes: { before: 0, own: total, total } }
}
