// Imports NVD's files from a directory that an operator filled.
import { readFile } from 'node:fs/promises'
import { type Delivery, type FetchContext, NoFilesError } from '../../feed.ts'
import { listFiles } from '../../formats/directory.ts'
import { type ContainerFile, readRecords, readTimestamp } from './container.ts'
import { assertMatchesMeta, type Meta, parseMeta } from './meta.ts'
import { rejectOutsideSlice, toSlice } from './year.ts'

const FILE_NAME = /^nvdcve-2\.0-(\d{4}|modified|recent)\.json(?:\.gz)?$/

/** Reads the files in order of their names, which is also chronological: the years, then `modified`, then `recent`. */
export async function* fetchFromDirectory(directory: string, context: FetchContext): AsyncGenerator<Delivery<unknown>> {
  const files = await listFiles(directory, 'nvd', FILE_NAME)
  if (files.length === 0)
    throw new NoFilesError(
      `Neither ${directory} nor its folder nvd has an NVD file. Expected files such as nvdcve-2.0-2026.json.gz or nvdcve-2.0-modified.json.gz.`,
    )
  const total = files.reduce((bytes, each) => bytes + each.bytes, 0)
  let before = 0
  for (const file of files) {
    const meta = await readMetaFile(file)
    if (meta) await assertMatchesMeta(file, meta)
    const slice = toSlice(FILE_NAME.exec(file.name)?.[1] ?? '')
    yield {
      label: file.name,
      kind: slice ? 'snapshot' : 'delta',
      ...(slice && { slice }),
      upstreamAt: meta?.lastModified ?? (await readTimestamp(file)),
      cursor: context.cursor,
      bytes: { before, own: file.bytes, total },
      records: (onBytes) =>
        slice ? rejectOutsideSlice(readRecords(file, onBytes), slice) : readRecords(file, onBytes),
    }
    before += file.bytes
  }
}

async function readMetaFile({ path, name }: ContainerFile): Promise<Meta | undefined> {
  const extension = /\.json(?:\.gz)?$/
  try {
    return parseMeta(name.replace(extension, '.meta'), await readFile(path.replace(extension, '.meta'), 'utf8'))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
