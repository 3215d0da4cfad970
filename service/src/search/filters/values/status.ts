// The `status` filter of /cves and /cves/recent (decisions C12, D20).
import { type RawBuilder, sql } from 'kysely'
import { word } from '../../../contract/value-types.ts'

const STATUSES = [
  'Received',
  'Awaiting Analysis',
  'Undergoing Analysis',
  'Analyzed',
  'Modified',
  'Deferred',
  'Rejected',
] as const

export type Status = (typeof STATUSES)[number]

export const statusType = () => word(STATUSES, { anyCase: true })

export function hasStatus(statuses: readonly Status[]): RawBuilder<boolean> {
  return sql<boolean>`cve.status = any(${statuses})`
}
