// CSV as RFC 4180 describes it, and as spreadsheets can be trusted with.
import { cleanBlock } from './text.ts'

export type CsvValue = string | number | boolean | null | undefined

export interface CsvColumn<Item> {
  readonly title: string
  readonly value: (item: Item) => CsvValue
}

export function csvRow(values: readonly CsvValue[]): string {
  return `${values.map(cell).join(',')}\r\n`
}

function cell(value: CsvValue): string {
  if (typeof value !== 'string') return value === null || value === undefined ? '' : String(value)
  const text = harmless(cleanBlock(value))
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Spreadsheets run what begins like a formula; an apostrophe before it makes it text. Numbers are not text here. */
function harmless(text: string): string {
  return /^\s*[=+\-@|]/.test(text) ? `'${text}` : text
}
