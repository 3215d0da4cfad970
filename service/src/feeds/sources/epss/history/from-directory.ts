// Reads the files of single days from a directory. A file of a day that is stored already replaces the day.
import { type Delivery, type FetchContext, NoFilesError } from '../../../feed.ts'
import { type FoundFile, listFiles } from '../../../formats/directory.ts'
import { type HistoryCursor, readCursor } from './cursor.ts'
import { buildDelivery, openPastFile, type RawPastScore } from './delivery.ts'

const FILE_NAME = /^epss_scores-(\d{4}-\d{2}-\d{2})\.csv(?:\.gz)?$/
/** The scores of a day take some megabytes in the database until they are published after the run. */
const MAX_FILES = 400

/** Oldest first. The next run continues one that died or reached its limit. */
export async function* fetchFromDirectory(
  directory: string,
  context: FetchContext,
): AsyncGenerator<Delivery<RawPastScore>, void, undefined> {
  const { fromDirectory, ...rest } = readCursor(context.cursor)
  const files = await listFiles(directory, 'epss-history', FILE_NAME)
  if (files.length === 0) throw new NoFilesError(`${directory} contains no epss_scores-YYYY-MM-DD.csv.gz.`)
  const unread = files.filter(({ name }) => fromDirectory === undefined || name > fromDirectory)
  // The position belongs to another directory if all files of this one are before it.
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
