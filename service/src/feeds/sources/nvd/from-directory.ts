// NVD's files as somebody carried them here.
import { readFile } from 'node:fs/promises'
import { type Delivery, NoFilesError, type FetchContext } from '../../feed.ts'
import { filesIn } from '../../formats/directory.ts'
import { type ContainerFile, recordsOf, timestampOf } from './container.ts'
import { type Meta, parseMeta, verify } from './meta.ts'
import { sliceOf, withinSlice } from './year.ts'

const FILE = /^nvdcve-2\.0-(\d{4}|modified|recent)\.json(?:\.gz)?$/

/** Years, then `modified`, then `recent`: the order of their names, and of their age. */
export async function* fromDirectory(directory: string, context: FetchContext): AsyncGenerator<Delivery<unknown>> {
  const files = await filesIn(directory, 'nvd', FILE)
  if (files.length === 0)
    throw new NoFilesError(
      `There is no file of NVD in ${directory} or in its folder nvd: they are called nvdcve-2.0-2026.json.gz, nvdcve-2.0-modified.json.gz and the like.`,
    )
  const total = files.reduce((bytes, each) => bytes + each.bytes, 0)
  let before = 0
  for (const file of files) {
    const meta = await metaBeside(file)
    if (meta) await verify(file, meta)
    const slice = sliceOf(FILE.exec(file.name)?.[1] ?? '')
    yield {
      label: file.name,
      kind: slice ? 'snapshot' : 'delta',
      ...(slice && { slice }),
      upstreamAt: meta?.lastModified ?? (await timestampOf(file)),
      // A carried file says nothing about how far the network has been read.
      cursor: context.cursor,
      bytes: { before, own: file.bytes, total },
      records: (onBytes) => (slice ? withinSlice(recordsOf(file, onBytes), slice) : recordsOf(file, onBytes)),
    }
    before += file.bytes
  }
}

async function metaBeside({ path, name }: ContainerFile): Promise<Meta | undefined> {
  const extension = /\.json(?:\.gz)?$/
  try {
    return parseMeta(name.replace(extension, '.meta'), await readFile(path.replace(extension, '.meta'), 'utf8'))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
