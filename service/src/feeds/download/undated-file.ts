// Feeds whose upstream publishes everything at once, in one file that does not say of when it is.
import { Type } from 'typebox'
import type { Validators } from '../download.ts'
import { type Delivery, FeedError, NoFilesError, type Reading, type FetchContext } from '../feed.ts'
import { type FoundFile, filesIn } from '../formats/directory.ts'
import { shapeOf } from '../schema-check.ts'
import { downloadRelease, type ReleaseFile } from './dated-release.ts'

export interface UndatedFile<Raw> {
  readonly feed: string
  /** Folders of a directory in which it may be, beside that of the feed. */
  readonly folders?: readonly string[]
  /** As it is called upstream. */
  readonly name: string
  readonly url: string
  readonly maxDownloadBytes: number
  /** Names it may have in a directory. */
  readonly inDirectory: RegExp
  /** To the very end. */
  read(path: string, onBytes: (count: number) => void): AsyncIterable<Reading<Raw>>
}

const CURSOR = shapeOf(
  Type.Object({
    validators: Type.Object({ etag: Type.Optional(Type.String()), lastModified: Type.Optional(Type.String()) }),
  }),
)

/** All of it as one snapshot; nothing, if upstream still has the file that we have. */
export async function* fetchUndated<Raw>(context: FetchContext, source: UndatedFile<Raw>): AsyncGenerator<Delivery<Raw>> {
  const file = context.from === undefined ? await download(context, source) : await findIn(context.from, context, source)
  if (!file) return
  // None when it came from a directory: that says nothing of what upstream serves.
  const cursor: { readonly validators: Validators } = { validators: file.validators }
  yield {
    label: file.name,
    kind: 'snapshot',
    upstreamAt: undefined,
    cursor,
    bytes: { before: 0, own: file.bytes, total: file.bytes },
    records: (onBytes) => readAll(source, file, onBytes),
  }
}

interface NamedFile extends ReleaseFile {
  readonly name: string
}

async function download(context: FetchContext, source: UndatedFile<unknown>): Promise<NamedFile | undefined> {
  const { name, url, maxDownloadBytes: maxBytes } = source
  const held = CURSOR.fits(context.cursor) ? context.cursor : undefined
  const file = await downloadRelease(context, { name, url, maxBytes }, held)
  return file && { ...file, name }
}

async function findIn(directory: string, context: FetchContext, source: UndatedFile<unknown>): Promise<NamedFile> {
  const { feed, folders = [], inDirectory } = source
  const found: FoundFile[] = []
  for (const folder of [feed, ...folders]) found.push(...(await filesIn(directory, folder, inDirectory)))
  const [file, ...others] = found.filter(({ path }, index) => found.findIndex((each) => each.path === path) === index)
  if (!file) throw new NoFilesError(`${directory} has no ${source.name}.`)
  if (others.length > 0)
    context.notice(
      `Only ${file.name} was read, and not ${others.map(({ name }) => name).join(', ')}: each says everything`,
    )
  return { path: file.path, name: file.name, bytes: file.bytes, validators: {} }
}

async function* readAll<Raw>(
  source: UndatedFile<Raw>,
  { path, name }: NamedFile,
  onBytes: (count: number) => void,
): AsyncGenerator<Reading<Raw>> {
  let count = 0
  try {
    for await (const each of source.read(path, onBytes)) {
      count += 1
      yield each
    }
    if (count === 0) throw new FeedError('there is not one record in it, and there were never fewer than hundreds')
  } catch (error) {
    if (!(error instanceof FeedError)) throw error
    throw new FeedError(`${name} cannot be used: ${error.message}.`, { cause: error })
  }
}
