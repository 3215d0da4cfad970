// Reads the publication time of a source record.
import { parseDate, parseDateTime } from '../../domain/instant.ts'

/**
 * Reads the time in whole seconds (decision C1). A later time than `modified` is replaced by `modified`: feeds limit
 * `modified` to the time of import, so that no publication time lies in the future (decision C22).
 */
export function readPublished(text: string | null, modified: Date): Date | null {
  const published = text === null ? undefined : (parseDateTime(text) ?? parseDate(text))
  // NVD has had dates in the year 0, which PostgreSQL refuses.
  if (published === undefined || published.getUTCFullYear() < 1) return null
  const isBounded = modified.getTime() > 0 && published.getTime() > modified.getTime()
  return isBounded ? modified : published
}
