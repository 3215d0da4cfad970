// Fetches the data of feeds whose upstream publishes all records in one file without a date.
import { Type } from 'typebox'
import { type Collect, collectFile } from '../collect.ts'
import type { Validators } from '../download.ts'
import { type Delivery, FeedError, type FetchContext, NoFilesError, type Reading } from '../feed.ts'
import { type FoundFile, listFiles } from '../formats/directory.ts'
import { nameErrors } from '../formats/file-error.ts'
import { compileSchema, httpValidators } from '../schema-check.ts'
import { downloadRelease, type ReleaseFile } from './dated-release.ts'

export interface UndatedFile<Raw> {
  readonly feed: string
  /** Further subdirectories, besides the one named after the feed, in which an operator may put the file. */
  readonly folders?: readonly string[]
  readonly name: string
  readonly url: string
  readonly maxDownloadBytes: number
  readonly inDirectory: RegExp
  read(path: string, onBytes: (count: number) => void): AsyncIterable<Reading<Raw>>
}

const CURSOR = compileSchema(Type.Object({ validators: httpValidators }))

/**
 * Yields one snapshot (a delivery of all records), or nothing if upstream still has the file that was imported last.
 */
export async function* fetchUndatedFile<Raw>(
  context: FetchContext,
  source: UndatedFile<Raw>,
): AsyncGenerator<Delivery<Raw>> {
  const file =
    context.from === undefined ? await download(context, source) : await findFile(context.from, context, source)
  if (!file) return
  // A file from a directory has no HTTP validators (ETag, Last-Modified), so the next download is unconditional.
  const cursor: { readonly validators: Validators } = { validators: file.validators }
  yield {
    label: file.name,
    kind: 'snapshot',
    upstreamAt: undefined,
    ...(file.deliveredAt && { deliveredAt: file.deliveredAt }),
    cursor,
    bytes: { before: 0, own: file.bytes, total: file.bytes },
    records: (onBytes) => nameErrors(file.name, assertNotEmpty(source.read(file.path, onBytes))),
  }
}

type NamedDownload = Pick<UndatedFile<unknown>, 'name' | 'url' | 'maxDownloadBytes'>

export function collectUndatedFile({ name, url, maxDownloadBytes: maxBytes }: NamedDownload): Collect {
  return collectFile({ name, url, maxBytes })
}

interface NamedFile extends ReleaseFile {
  readonly name: string
  readonly deliveredAt?: Date
}

async function download(context: FetchContext, source: UndatedFile<unknown>): Promise<NamedFile | undefined> {
  const { name, url, maxDownloadBytes: maxBytes } = source
  const held = CURSOR.matches(context.cursor) ? context.cursor : undefined
  const file = await downloadRelease(context, { name, url, maxBytes }, held)
  return file && { ...file, name }
}

async function findFile(directory: string, context: FetchContext, source: UndatedFile<unknown>): Promise<NamedFile> {
  const { feed, folders = [], inDirectory } = source
  const found: FoundFile[] = []
  for (const folder of [feed, ...folders]) found.push(...(await listFiles(directory, folder, inDirectory)))
  const [file, ...others] = found.filter(({ path }, index) => found.findIndex((each) => each.path === path) === index)
  if (!file) throw new NoFilesError(`${directory} contains no ${source.name}.`)
  if (others.length > 0)
    context.notice(
      `Only ${file.name} was read. ${others.map(({ name }) => name).join(', ')} was ignored, because each file contains all records`,
    )
  return { path: file.path, name: file.name, bytes: file.bytes, deliveredAt: file.modifiedAt, validators: {} }
}

async function* assertNotEmpty<T>(readings: AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
  let isEmpty = true
  for await (const each of readings) {
    isEmpty = false
    yield each
  }
  if (isEmpty) throw new FeedError('the file contains no records')
}
