import { parseDate, parseDateTime } from '../../../domain/instant.ts'

/**
 * Returns whole seconds (decision C1), not later than `modified`, which feeds limit to the time of the import: no
 * publication date is in the future (decision C22).
 */
export function readPublished(text: string | null, modified: Date): Date | null {
  const published = text === null ? undefined : (parseDateTime(text) ?? parseDate(text))
  // NVD records have contained dates in the year 0, which PostgreSQL rejects.
  if (published === undefined || published.getUTCFullYear() < 1) return null
  const isBounded = modified.getTime() > 0 && published.getTime() > modified.getTime()
  return isBounded ? modified : published
}
