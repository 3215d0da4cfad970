// The loaded rows as a CSV file (RFC 4180), with the columns of visctl, the priority, and protection against formulas in spreadsheets.
import type { Row } from './columns.ts'
import { listProducts } from './products.ts'

type CsvValue = string | number | boolean | null | undefined

const CSV_COLUMNS: readonly (readonly [string, (row: Row) => CsvValue])[] = [
  ['cve_id', ({ cve_id }) => cve_id],
  ['published', ({ published }) => published],
  ['modified', ({ modified }) => modified],
  ['severity', ({ severity }) => severity],
  ['status', ({ status }) => status],
  ['epss_score', ({ epss }) => epss?.score],
  ['epss_percentile', ({ epss }) => epss?.percentile],
  ['kev_date_added', ({ kev }) => kev?.dateAdded],
  ['kev_due_date', ({ kev }) => kev?.dueDate],
  ['kev_ransomware', ({ kev }) => kev?.knownRansomware],
  ['description', ({ description }) => description],
  ['products', (row) => listProducts(row).join('; ')],
  ['priority', ({ priority }) => priority?.level],
]

/** Makes spreadsheets read the file as UTF-8. */
const BYTE_ORDER_MARK = '\u{FEFF}'

export function toCsv(rows: readonly Row[]): string {
  const lines = [CSV_COLUMNS.map(([title]) => title), ...rows.map((row) => CSV_COLUMNS.map(([, value]) => value(row)))]
  return BYTE_ORDER_MARK + lines.map((line) => `${line.map(formatCell).join(',')}\r\n`).join('')
}

function formatCell(value: CsvValue): string {
  if (typeof value !== 'string') return value === null || value === undefined ? '' : String(value)
  const text = defuseFormula(value)
  return /[",\r\n\t]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/**
 * Adds an apostrophe before text that begins like a formula, because a spreadsheet would run the formula. The wide forms
 * of the signs count too: some spreadsheets treat them alike. A spreadsheet that separates columns by semicolons begins a
 * cell after each semicolon, so a formula there gets an apostrophe too.
 */
function defuseFormula(text: string): string {
  const guarded = text.replaceAll(/(;[\s\p{Cc}"]*)([=+\-@|＝＋－＠])/gu, "$1'$2")
  return /^[\s\p{Cc}]*[=+\-@|＝＋－＠]/u.test(guarded) ? `'${guarded}` : guarded
}
