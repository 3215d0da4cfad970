// Reads CSV files whose first line contains the column names.
import { pipeline } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { FeedError, type Reading } from '../feed.ts'
import { sanitizeText } from '../sanitize-text.ts'

export type CsvRow = Readonly<Record<string, string>>

export interface CsvOptions {
  /** Columns that the CSV file must have. Other columns are returned too. */
  readonly columns: readonly string[]
  readonly maxRowBytes: number
}

/** Error messages do not name the file; the caller adds the name. */
export async function* readCsvRows(
  chunks: AsyncIterable<Buffer>,
  { columns, maxRowBytes }: CsvOptions,
): AsyncGenerator<Reading<CsvRow>, void, undefined> {
  let names: readonly string[] | undefined
  for await (const values of readValues(chunks, maxRowBytes)) {
    if (names) yield readRow(names, values)
    names ??= checkNames(values, columns)
  }
}

async function* readValues(
  chunks: AsyncIterable<Buffer>,
  maxRowBytes: number,
): AsyncGenerator<readonly string[], void, undefined> {
  const parser = parse({ bom: true, relax_column_count: true, max_record_size: maxRowBytes })
  // An error in the source stream or in the CSV parser destroys both streams and is thrown where the rows are read.
  pipeline(assertFinalNewline(chunks), parser, () => {})
  const rows: AsyncIterable<readonly string[]> = parser
  try {
    yield* rows
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw new FeedError(`the file has a CSV syntax error: ${sanitizeText(error.message)}`, { cause: error })
  }
}

function readRow(names: readonly string[], values: readonly string[]): Reading<CsvRow> {
  if (values.length !== names.length)
    return { rejected: values[0] ?? '', reason: `${values.length} values, expected ${names.length}` }
  return { raw: Object.fromEntries(names.map((name, index) => [name, values[index] ?? ''])) }
}

function checkNames(values: readonly string[], columns: readonly string[]): readonly string[] {
  if (columns.every((each) => values.includes(each))) return values
  const found = sanitizeText(values.join(','), 100)
  throw new FeedError(`the first line must name the columns ${columns.join(', ')}, found "${found}"`)
}

/** A truncated last row may look like a complete row, so the file must end with a line break. */
async function* assertFinalNewline(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  let last: number | undefined
  for await (const chunk of chunks) {
    last = chunk.at(-1) ?? last
    yield chunk
  }
  if (last !== undefined && last !== 0x0a) throw new FeedError('the file is truncated: it ends in the middle of a line')
}
