// A listing as a table, as CSV or as JSON, as far as was asked for.
import type { Listing, Page } from '@vis/sdk'
import { type FlagValues, type Invocation, UsageError } from './command.ts'
import { type CsvColumn, csvRow } from './render/csv.ts'
import { type Column, table } from './render/table.ts'
import { cleanJson } from './render/text.ts'
import type { Terminal } from './terminal.ts'

const DEFAULT_LIMIT = 20

export interface ListView<Item> {
  readonly columns: readonly Column<Item>[]
  readonly csv: readonly CsvColumn<Item>[]
}

/** How many records are wanted: all of them is infinite. */
function limitOf(values: FlagValues): number {
  if (values['all'] === true) return Number.POSITIVE_INFINITY
  const { limit } = values
  if (limit === undefined) return DEFAULT_LIMIT
  if (typeof limit !== 'string' || !/^[1-9]\d{0,8}$/.test(limit)) {
    throw new UsageError(`--limit must be a number from 1, not "${String(limit)}".`, '--all asks for all there are.')
  }
  return Number(limit)
}

/** A page holds no more than is wanted: pages are what is paid for. */
export function pageSize(values: FlagValues, most: number): number {
  return Math.min(limitOf(values), most)
}

export async function printJson(listing: Listing<unknown>, { values, terminal }: Invocation): Promise<void> {
  let before = '[\n'
  for await (const { items } of pagesUpTo(listing, limitOf(values))) {
    for (const item of items) {
      await terminal.write(before + cleanJson(JSON.stringify(item)))
      before = ',\n'
    }
  }
  await terminal.write(before === '[\n' ? '[]\n' : '\n]\n')
}

export async function printRows<Item>(
  listing: Listing<Item>,
  { columns, csv }: ListView<Item>,
  { values, terminal }: Invocation,
): Promise<void> {
  const pages = pagesUpTo(listing, limitOf(values))
  if (values['csv'] !== true) return printTable(pages, columns, terminal)
  await terminal.write(csvRow(csv.map(({ title }) => title)))
  for await (const { items } of pages) {
    await terminal.write(items.map((item) => csvRow(csv.map(({ value }) => value(item)))).join(''))
  }
}

type Pages<Item> = AsyncIterable<Page<Item>>

async function printTable<Item>(
  pages: Pages<Item>,
  columns: readonly Column<Item>[],
  terminal: Terminal,
): Promise<void> {
  let [shown, total, hasMore]: [number, number | undefined, boolean] = [0, undefined, false]
  for await (const page of pages) {
    if (page.items.length > 0) await terminal.write(table(terminal, columns, page.items))
    shown += page.items.length
    total ??= page.totalEstimate
    hasMore = page.hasMore
  }
  if (shown === 0) terminal.remark('Nothing was found.\n')
  else if (hasMore) {
    const of = total === undefined ? '' : ` of ${total > 10_000 ? 'about ' : ''}${total.toLocaleString('en')}`
    terminal.remark(`${shown.toLocaleString('en')}${of} shown; --limit N shows more, --all shows all.\n`)
  }
}

/** No page is asked for that is not needed, and the last one is cut. */
async function* pagesUpTo<Item>(listing: Listing<Item>, limit: number): AsyncGenerator<Page<Item>> {
  let left = limit
  for await (const page of listing.pages()) {
    const items = page.items.slice(0, left)
    yield { ...page, items, hasMore: page.hasMore || items.length < page.items.length }
    left -= items.length
    if (left <= 0) return
  }
}
