// The catalogue as a table, as others pass it on. It does not say of which release it is.
import { FeedFault, type Reading } from '../feed.ts'
import { csvRows } from '../reading/csv.ts'
import { openFile } from '../reading/unpack.ts'
import type { RawWeakness } from './normalise.ts'
import type { Catalogue } from './read-xml.ts'

const COLUMNS = ['id', 'kind', 'name', 'abstraction', 'status', 'description']
const MOST_BYTES = 32 * 1024 * 1024
const MOST_ROW_BYTES = 256 * 1024

export async function readCsvCatalogue(path: string): Promise<Catalogue> {
  const entries: Reading<RawWeakness>[] = []
  try {
    const chunks = openFile(path, { mostBytes: MOST_BYTES })
    for await (const row of csvRows(chunks, { columns: COLUMNS, mostRowBytes: MOST_ROW_BYTES })) entries.push(row)
    if (entries.length === 0) throw new FeedFault('it has no entries, and there were never fewer than hundreds')
  } catch (error) {
    if (!(error instanceof FeedFault)) throw error
    throw new FeedFault(`The CWE catalogue cannot be used: ${error.message}.`, { cause: error })
  }
  return { entries }
}
