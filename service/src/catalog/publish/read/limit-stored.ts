// Applies today's limits to stored records. A feed applies them before it stores a record; records that were stored before
// the limits, or under higher ones, are cut when they are read (decision E42).
import { limitRecordText } from '../../../domain/source/limit-record.ts'
import type { TruncatedValue } from '../../../domain/source/upstream-limits.ts'

export interface StoredRecord {
  /** JSON text of the record. */
  readonly record: string
  /** Values that the feed truncated. */
  readonly truncated: readonly TruncatedValue[] | null
}

/**
 * Returns the record within the limits of its feed or source. Returns undefined if the feed would reject the record
 * today; it is then read as if it were not stored.
 */
export function limitStored<T extends StoredRecord>(
  source: string,
  stored: T,
): (Omit<T, 'truncated'> & { readonly truncated?: readonly TruncatedValue[] }) | undefined {
  const { truncated: cutByFeed, ...row } = stored
  const limited = limitRecordText(stored.record, source)
  if (limited === undefined) return undefined
  const truncated = [...new Set([...(cutByFeed ?? []), ...limited.truncated])]
  return { ...row, record: limited.text, ...(truncated.length > 0 && { truncated }) }
}
