// Comma-separated values with a line of column names: a record a row.
import { pipeline } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { FeedError, type Reading } from '../feed.ts'
import { printable } from '../sanitize-text.ts'

/** By the name of its column. */
export type CsvRow = Readonly<Record<string, string>>

export interface CsvOptions {
  /** Those that must be there; others are handed on. */
  readonly columns: readonly string[]
  readonly maxRowBytes: number
}

/** Its faults speak of "it": which file it is, the caller knows. */
export async function* csvRows(
  chunks: AsyncIterable<Buffer>,
  { columns, maxRowBytes }: CsvOptions,
): AsyncGenerator<Reading<CsvRow>, void, undefined> {
  let names: readonly string[] | undefined
  for await (const values of valuesIn(chunks, maxRowBytes)) {
    if (names) yield readRow(names, values)
    names ??= checkedNames(values, columns)
  }
}

async function* valuesIn(
  chunks: AsyncIterable<Buffer>,
  maxRowBytes: number,
): AsyncGenerator<readonly string[], void, undefined> {
  const parser = parse({ bom: true, relax_column_count: true, max_record_size: maxRowBytes })
  // A failure of either end destroys the other, and arrives where the rows are read.
  pipeline(endingWithALine(chunks), parser, () => {})
  const rows: AsyncIterable<readonly string[]> = parser
  try {
    yield* rows
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw new FeedError(`it has a fault that makes the rest unreadable: ${printable(error.message)}`, { cause: error })
  }
}

function readRow(names: readonly string[], values: readonly string[]): Reading<CsvRow> {
  if (values.length !== names.length)
    return { rejected: values[0] ?? '', reason: `${values.length} values, where ${names.length} are expected` }
  return { raw: Object.fromEntries(names.map((name, index) => [name, values[index] ?? ''])) }
}

function checkedNames(values: readonly string[], columns: readonly string[]): readonly string[] {
  if (columns.every((each) => values.includes(each))) return values
  const found = printable(values.join(','), 100)
  throw new FeedError(`its first line should name the columns ${columns.join(', ')}, and is "${found}"`)
}

/** Half a row may look like a row. */
async function* endingWithALine(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  let last: number | undefined
  for await (const chunk of chunks) {
    last = chunk.at(-1) ?? last
    yield chunk
  }
  if (last !== undefined && last !== 0x0a) throw new FeedError('it is cut off: it ends in the middle of a line')
}
