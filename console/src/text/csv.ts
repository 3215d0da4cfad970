// CSV files (RFC 4180) with protection against formulas in spreadsheets.

type CsvValue = string | number | boolean | null | undefined

/** Title of a column and its value for a row. */
export type CsvColumn<Row> = readonly [title: string, value: (row: Row) => CsvValue]

/** Makes spreadsheets read the file as UTF-8. */
const BYTE_ORDER_MARK = '\u{FEFF}'

export function formatCsv<Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]): string {
  const lines = [columns.map(([title]) => title), ...rows.map((row) => columns.map(([, value]) => value(row)))]
  return BYTE_ORDER_MARK + lines.map((line) => `${line.map(formatCell).join(',')}\r\n`).join('')
}

function formatCell(value: CsvValue): string {
  if (typeof value !== 'string') return value === null || value === undefined ? '' : String(value)
  const text = defuseFormula(value)
  return /[",\r\n\t]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/**
 * Adds an apostrophe before text that begins like a formula, because a spreadsheet would evaluate the formula. The
 * full-width forms of the signs count, too, because some spreadsheets treat them alike. A spreadsheet that separates
 * columns with semicolons starts a cell after each one, so a formula there gets an apostrophe as well.
 */
function defuseFormula(text: string): string {
  const guarded = text.replaceAll(/(;[\s\p{Cc}"]*)([=+\-@|＝＋－＠])/gu, "$1'$2")
  return /^[\s\p{Cc}]*[=+\-@|＝＋－＠]/u.test(guarded) ? `'${guarded}` : guarded
}
