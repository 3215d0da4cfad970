// The `status` filter of /cves and /cves/recent (decisions C12, D20).
import { type RawBuilder, sql } from 'kysely'
import { word } from '../../../contract/request/value-types.ts'

const STATUSES = {
  Received: 'received',
  'Awaiting Analysis': 'awaiting analysis',
  'Undergoing Analysis': 'undergoing analysis',
  Analyzed: 'analyzed',
  Modified: 'modified',
  Deferred: 'deferred',
  Rejected: 'rejected',
} as const

export type Status = keyof typeof STATUSES

// The cast is safe: Object.keys returns the keys of the table.
const NAMES = Object.keys(STATUSES) as readonly Status[]

export const statusType = () => word(NAMES, { anyCase: true, labels: STATUSES })

export function hasStatus(statuses: readonly Status[]): RawBuilder<boolean> {
  return sql<boolean>`cve.status = any(${statuses})`
}
