// A month's usage as CSV.
import { type CsvColumn, formatCsv } from '../../text/csv.ts'
import type { Grouping } from './grouping.ts'
import type { UsageRow } from './series.ts'

export function toCsv(rows: readonly UsageRow[], grouping: Grouping, nameGroup: (group: string) => string): string {
  const group: readonly CsvColumn<UsageRow>[] =
    grouping === 'endpoint'
      ? [['endpoint', ({ endpoint }) => endpoint]]
      : [
          ['key_id', ({ key_id }) => key_id],
          ['key', ({ key_id }) => nameGroup(key_id ?? '')],
        ]
  return formatCsv<UsageRow>(
    [['day', ({ day }) => day], ...group, ['calls', ({ calls }) => calls], ['credits', ({ credits }) => credits]],
    rows,
  )
}
