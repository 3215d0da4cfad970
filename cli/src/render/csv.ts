// Formats CSV according to RFC 4180, with protection against formulas in spreadsheets.
import { cleanBlock } from './text.ts'

export type CsvValue = string | number | boolean | null | undefined

export interface CsvColumn<Item> {
  readonly title: string
  readonly value: (item: Item) => CsvValue
}

export function formatCsvRow(values: readonly CsvValue[]): string {
  return `${values.map(formatCell).join(',')}\r\n`
}

function formatCell(value: CsvValue): string {
  if (typeof value !== 'string') return value === null || value === undefined ? '' : String(value)
  const text = defuseFormula(cleanBlock(value))
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Adds an apostrophe to text that begins like a formula, because a spreadsheet would evaluate the formula. */
function defuseFormula(text: string): string {
  return /^\s*[=+\-@|]/.test(text) ? `'${text}` : text
}
