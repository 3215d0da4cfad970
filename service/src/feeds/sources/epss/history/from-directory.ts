// Reads the files of single days from a directory. A file for a day that is already stored replaces that day.
import { type Delivery, type FetchContext, NoFilesError } from '../../../feed.ts'
import { type FoundFile, listFiles } from '../../../formats/directory.ts'
import { type HistoryCursor, readCursor } from './cursor.ts'
import { buildDelivery, openPastFile, type RawPastScore } from './delivery.ts'

const FILE_NAME = /^epss_scores-(\d{4}-\d{2}-\d{2})\.csv(?:\.gz)?$/
/** The scores of a day take up several megabytes in the database until they are published after the run. */
const MAX_FILES = 400

/** Reads the oldest file first. If a run dies or reaches its limit, the next run continues where it ended. */
export async function* fetchFromDirectory(
  directory: string,
  context: FetchContext,
): AsyncGenerator<Delivery<RawPastScore>, void, undefined> {
  const { fromDirectory, ...rest } = readCursor(context.cursor)
  const files = await listFiles(directory, 'epss-history', FILE_NAME)
  if (files.length === 0) throw new NoFilesError(`${directory} contains no epss_scores-YYYY-MM-DD.csv.gz.`)
  const unread = files.filter(({ name }) => fromDirectory === undefined || name > fromDirectory)
  // If all files in this directory are before the stored position, the position belongs to another directory.
  const remaining = unread.length === 0 ? files : unread
  for (const [index, file] of remaining.slice(0, MAX_FILES).entries()) {
    const isLast = index === remaining.length - 1
    const cursor: HistoryCursor = isLast ? rest : { ...rest, fromDirectory: file.name }
    yield buildDelivery(await openPastFile(file, readDay(file)), cursor)
  }
  if (remaining.length > MAX_FILES)
    context.notice(
      `${MAX_FILES} of ${remaining.length} files were read. Publish them with vis-server catalog publish, then run the same command again for the next ones.`,
    )
}

const readDay = ({ name }: FoundFile) => FILE_NAME.exec(name)?.[1] ?? ''
