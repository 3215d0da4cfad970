// Cuts stored records to today's limits. Feeds apply the limits before they store a record, but older records may be
// longer (decision E42).
import { limitRecordText } from '../../../domain/source/limit-record.ts'
import type { TruncatedValue } from '../../../domain/source/upstream-limits.ts'

export interface StoredRecord {
  readonly record: string
  /** Values that the feed truncated. */
  readonly truncated: readonly TruncatedValue[] | null
}

/** Returns undefined if the feed would reject the record today; it then counts as not stored. */
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
