// The catalogue as a table, as others pass it on. It does not say of which release it is.
import { FeedError, type Reading } from '../../feed.ts'
import { csvRows } from '../../formats/csv.ts'
import { openFile } from '../../formats/decompress.ts'
import type { RawWeakness } from './normalise.ts'
import type { Catalogue } from './read-xml.ts'

const COLUMNS = ['id', 'kind', 'name', 'abstraction', 'status', 'description']
const MAX_BYTES = 32 * 1024 * 1024
const MAX_ROW_BYTES = 256 * 1024

export async function readCsvCatalogue(path: string): Promise<Catalogue> {
  const entries: Reading<RawWeakness>[] = []
  try {
    const chunks = openFile(path, { maxBytes: MAX_BYTES })
    for await (const row of csvRows(chunks, { columns: COLUMNS, maxRowBytes: MAX_ROW_BYTES })) entries.push(row)
    if (entries.length === 0) throw new FeedError('it has no entries, and there were never fewer than hundreds')
  } catch (error) {
    if (!(error instanceof FeedError)) throw error
    throw new FeedError(`The CWE catalogue cannot be used: ${error.message}.`, { cause: error })
  }
  return { entries }
}
