// CSV files (RFC 4180) with protection against formulas in spreadsheets.

export type CsvValue = string | number | boolean | null | undefined

/** Returns a line with its line break. */
export function formatCsvLine(values: readonly CsvValue[]): string {
  return `${values.map(formatCell).join(',')}\r\n`
}

function formatCell(value: CsvValue): string {
  if (typeof value !== 'string') return value === null || value === undefined ? '' : String(value)
  const text = defuseFormula(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Text that begins like a formula gets an apostrophe, because a spreadsheet would evaluate the formula. */
function defuseFormula(text: string): string {
  return /^(?:[\t\r]|\s*[=+\-@＝＋－＠])/u.test(text) ? `'${text}` : text
}
