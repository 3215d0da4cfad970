// The catalogue as a table, as others pass it on. It does not say of which release it is.
import { isUtf8 } from 'node:buffer'
import { parse } from 'csv-parse/sync'
import { FeedFault, type Reading } from '../feed.ts'
import { openFile } from '../reading/unpack.ts'
import type { RawWeakness } from './normalise.ts'
import type { Catalogue } from './read-xml.ts'

const COLUMNS = ['id', 'kind', 'name', 'abstraction', 'status', 'description']
const MOST_BYTES = 32 * 1024 * 1024
const MOST_ROW_CHARACTERS = 256 * 1024

export async function readCsvCatalogue(path: string): Promise<Catalogue> {
  const chunks: Buffer[] = []
  for await (const chunk of openFile(path, { mostBytes: MOST_BYTES })) chunks.push(chunk)
  const bytes = Buffer.concat(chunks)
  if (!isUtf8(bytes)) throw unusable('it is not text in UTF-8')
  const [head = [], ...rows] = parsed(bytes.toString('utf8').replaceAll('\0', ''))
  if (head.join() !== COLUMNS.join())
    throw unusable(`its first line should be "${COLUMNS.join()}", and is "${head.join().slice(0, 100)}"`)
  if (rows.length === 0) throw unusable('it has no entries, and there were never fewer than hundreds')
  return { entries: rows.map(readRow) }
}

function parsed(text: string): string[][] {
  // Half a description looks like a description.
  if (!text.endsWith('\n')) throw unusable('it ends in the middle of a line: the rest of it is missing')
  try {
    return parse(text, { bom: true, relax_column_count: true, max_record_size: MOST_ROW_CHARACTERS })
  } catch (error) {
    throw unusable(error instanceof Error ? error.message.slice(0, 200) : 'it is not CSV')
  }
}

function readRow(values: readonly string[]): Reading<RawWeakness> {
  if (values.length !== COLUMNS.length)
    return { rejected: values[0] ?? '', reason: `${values.length} values, where ${COLUMNS.length} are expected` }
  return { raw: Object.fromEntries(COLUMNS.map((name, index) => [name, values[index] ?? ''])) }
}

function unusable(why: string): FeedFault {
  return new FeedFault(`The CWE catalogue cannot be used: ${why}.`)
}
