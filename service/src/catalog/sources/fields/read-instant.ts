// Reads the publication time of a source record.
import { parseDate, parseDateTime } from '../../../domain/instant.ts'

/**
 * Reads the publication time in whole seconds (decision C1). A publication time later than `modified` is replaced with
 * `modified`. Feeds limit `modified` to the time of the import, so that no publication time lies in the future
 * (decision C22).
 */
export function readPublished(text: string | null, modified: Date): Date | null {
  const published = text === null ? undefined : (parseDateTime(text) ?? parseDate(text))
  // NVD records have contained dates in the year 0, which PostgreSQL refuses.
  if (published === undefined || published.getUTCFullYear() < 1) return null
  const isBounded = modified.getTime() > 0 && published.getTime() > modified.getTime()
  return isBounded ? modified : published
}
