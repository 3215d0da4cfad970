// The loaded rows as a CSV file, with visctl's columns and the priority.
import { type CsvColumn, formatCsv } from '../../text/csv.ts'
import { listProducts } from './products.ts'
import type { Row } from './row.ts'

const CSV_COLUMNS: readonly CsvColumn<Row>[] = [
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

export function toCsv(rows: readonly Row[]): string {
  return formatCsv(CSV_COLUMNS, rows)
}
