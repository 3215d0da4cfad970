// Prints a listing as a table, CSV or JSON, up to the requested number of records.
import type { Listing, Page } from 'vis-sdk'
import type { OptionValues } from './command.ts'
import { type CsvColumn, formatCsvRow } from './render/csv.ts'
import { type Column, renderTable } from './render/table.ts'
import type { Terminal } from './render/terminal.ts'
import { cleanJson } from './render/text.ts'

const DEFAULT_LIMIT = 20

type Pages<Item> = Pick<Listing<Item>, 'pages'>

export interface ListView<Item> {
  readonly columns: readonly Column<Item>[]
  readonly csv: readonly CsvColumn<Item>[]
}

/** Returns the maximum number of records to print. `--all` without `--limit` means no maximum. */
function readLimit({ all, limit }: OptionValues): number {
  if (typeof limit === 'number') return limit
  return all === true ? Number.POSITIVE_INFINITY : DEFAULT_LIMIT
}

/** Returns the smallest page size that holds all requested records, because each page costs credits. */
export function choosePageSize(values: OptionValues, maxPageSize: number): number {
  return Math.min(readLimit(values), maxPageSize)
}

export async function printJsonList(listing: Pages<unknown>, values: OptionValues, terminal: Terminal): Promise<void> {
  let separator = '[\n'
  for await (const { items } of readPages(listing, readLimit(values))) {
    for (const item of items) {
      await terminal.write(separator + cleanJson(JSON.stringify(item)))
      separator = ',\n'
    }
  }
  await terminal.write(separator === '[\n' ? '[]\n' : '\n]\n')
}

export async function printRows<Item>(
  listing: Pages<Item>,
  { columns, csv }: ListView<Item>,
  values: OptionValues,
  terminal: Terminal,
): Promise<void> {
  const pages = readPages(listing, readLimit(values))
  if (values['csv'] !== true) return printTable(pages, columns, terminal)
  await terminal.write(formatCsvRow(csv.map(({ title }) => title)))
  for await (const { items } of pages) {
    await terminal.write(items.map((item) => formatCsvRow(csv.map(({ value }) => value(item)))).join(''))
  }
}

async function printTable<Item>(
  pages: AsyncIterable<Page<Item>>,
  columns: readonly Column<Item>[],
  terminal: Terminal,
): Promise<void> {
  let [shown, total, hasMore]: [number, number | undefined, boolean] = [0, undefined, false]
  for await (const page of pages) {
    if (page.items.length > 0) await terminal.write(renderTable(terminal, columns, page.items))
    shown += page.items.length
    total ??= page.totalEstimate
    hasMore = page.hasMore
  }
  if (shown === 0) terminal.printNote('No records found.\n')
  else if (hasMore) terminal.printNote(`${formatShown(shown, total)} shown; --limit N shows more, --all shows all.\n`)
}

const MAX_EXACT_TOTAL = 1000

/** Returns, for example, `20 of about 12,000`. "About" marks totals above 1,000, which the service estimates. */
function formatShown(shown: number, total: number | undefined): string {
  if (total === undefined) return shown.toLocaleString('en')
  return `${shown.toLocaleString('en')} of ${total > MAX_EXACT_TOTAL ? 'about ' : ''}${total.toLocaleString('en')}`
}

/** Reads the pages of a listing up to a maximum number of records, and truncates the last page. */
async function* readPages<Item>(listing: Pages<Item>, limit: number): AsyncGenerator<Page<Item>> {
  let left = limit
  for await (const page of listing.pages()) {
    const items = page.items.slice(0, left)
    yield { ...page, items, hasMore: page.hasMore || items.length < page.items.length }
    left -= items.length
    if (left <= 0) return
  }
}
