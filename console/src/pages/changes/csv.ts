// The shown changes as a CSV file: one row for each change.
import type { Change } from 'vis-sdk'
import { listOtherMembers, listValueChanges } from '../../text/changes.ts'
import { type CsvColumn, formatCsv } from '../../text/csv.ts'

export function toCsv(changes: readonly Change[]): string {
  const columns: readonly CsvColumn<Change>[] = [
    ['recorded_at', ({ recorded_at }) => recorded_at],
    ['at', ({ at }) => at],
    ['cve_id', ({ cve_id }) => cve_id],
    ['types', ({ types }) => types.join(' ')],
    ['cause', ({ cause }) => cause],
    ['values', (change) => listValueChanges(change).map(formatValue).join('; ')],
    ['other_members', (change) => listOtherMembers(change).join('; ')],
  ]
  return formatCsv(columns, changes)
}

const formatValue = ({ label, old, new: current }: ReturnType<typeof listValueChanges>[number]) =>
  old === undefined ? `${label}: ${current}` : `${label}: ${old} → ${current}`
